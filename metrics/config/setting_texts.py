"""Label and meaning of each setting, from the sections [….settings] of texts.toml."""

from __future__ import annotations

from metrics.texts import TEMPLATES


def setting_label(setting: str) -> str:
    """Label of a setting, such as "p29.w_k", beside its control and in the list of a metric's parameters."""
    return TEMPLATES[_path(setting, "label")]


def setting_meaning(setting: str) -> str | None:
    """Meaning of a setting, as its control and the documentation of functions explain it; None without any."""
    return TEMPLATES.get(_path(setting, "meaning"))


def _path(setting: str, part: str) -> str:
    group, _, name = setting.partition(".")
    return f"{group}.settings.{name}.{part}"
