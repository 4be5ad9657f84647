"""The documentation holds what it says: its code blocks run on the sample, its links work, its lists are whole.

A block after a comment such as `<!-- not run: needs a Spark cluster -->` is checked for its syntax alone.
"""

import ast
import dataclasses
import json
import re
import shlex
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from dashboard.__main__ import dashboard_options
from dashboard.environment import ROOT
from dashboard.navigation import PAGES
from maintenance import metrics_table
from maintenance.architecture import PICTURE, picture
from metrics.cli import main as run_command
from metrics.config.parameters import GroundDistance, Parameters
from metrics.config.roles import SETTINGS as ROLE_KEYS
from metrics.config.roles import parse_roles
from metrics.formatting import within_sentence
from metrics.policy.policy import Policy
from metrics.recipes.parsing import parse_recipe
from metrics.scoring.catalog import METRICS
from metrics.version import VERSION

FILES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
COMMAND_LINE = ROOT / "docs" / "command-line.md"
PIPELINES = ROOT / "docs" / "pipelines.md"
FENCE = re.compile(r"^(<!-- not run: .+ -->\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(#[^)\s]+)?\)")


@dataclass(frozen=True)
class Block:
    """A code block of a file."""

    language: str
    text: str
    runs: bool


def blocks(file: Path, *languages: str) -> list[Block]:
    """The code blocks of a file in some languages."""
    found = FENCE.findall(file.read_text(encoding="utf-8"))
    return [Block(language, text, not marker) for marker, language, text in found if language in languages]


def having(*languages: str) -> pytest.MarkDecorator:
    files = [file for file in FILES if blocks(file, *languages)]
    return pytest.mark.parametrize("file", files, ids=[file.relative_to(ROOT).as_posix() for file in files])


def commands(text: str) -> list[list[str]]:
    """The commands of a shell block, one per line, as lists of words."""
    lines = text.replace("\\\n", " ").splitlines()
    return [words for words in (shlex.split(line, comments=True) for line in lines) if words]


def run_python(text: str, names: dict[str, Any]) -> None:
    """Run a block; where the comment behind an expression is a Python literal, it must be the expression's value."""
    lines = text.splitlines()
    for node in ast.parse(text).body:
        source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        if not isinstance(node, ast.Expr):
            exec(compile(source, "block", "exec"), names)
            continue
        value = eval(compile(ast.Expression(node.value), "block", "eval"), names)
        comment = lines[(node.end_lineno or 0) - 1].partition("  # ")[2]
        try:
            expected = ast.literal_eval(comment)
        except (SyntaxError, ValueError):
            continue
        assert value == expected, source


@having("python")
def test_python_blocks_run_one_after_the_other(file: Path, sample_folder: Path) -> None:
    names: dict[str, Any] = {}
    for block in blocks(file, "python"):
        if block.runs:
            run_python(block.text, names)
        else:
            compile(block.text, file.name, "exec")


@having("sh")
def test_every_command_in_the_documentation_runs_or_parses(
    file: Path, sample_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for block in blocks(file, "sh"):
        if not block.runs or file == PIPELINES:  # test_pipelines.py runs its commands
            assert subprocess.run(["bash", "-n"], input=block.text, text=True, check=False).returncode == 0, block.text
            continue
        for words in commands(block.text):
            match words:
                case ["python", "-m", "metrics", *arguments] | ["quasi", *arguments]:
                    assert run_command(arguments) == 0, capfd.readouterr().err
                case ["python3", "-m", "dashboard", "test", *_]:
                    pass  # what follows goes to pytest
                case ["python3", "-m", "dashboard", *arguments]:
                    dashboard_options(arguments)
                case _:
                    pytest.fail(f"This command is neither run nor marked as not run: {shlex.join(words)}")


@having("yaml", "json", "toml")
def test_configurations_can_be_read(file: Path) -> None:
    for block in blocks(file, "yaml"):
        if block.text.startswith("recipe:"):
            parse_recipe(block.text.encode(), file.name)
        elif "quasi_identifiers" in block.text:
            parse_roles(block.text, file.name)
        assert yaml.safe_load(block.text)
    for block in blocks(file, "json"):
        assert Policy.from_dict(json.loads(block.text)).limits
    for block in blocks(file, "toml"):
        assert tomllib.loads(block.text)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_link_in_the_documentation_has_a_target(file: Path) -> None:
    for path, anchor in LINK.findall(file.read_text(encoding="utf-8")):
        target = file.parent / path if path else file
        assert target.exists(), path
        if anchor:
            headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor[1:] in [heading.lower().replace(" ", "-") for heading in headings], path + anchor


def test_a_wrong_value_in_a_comment_of_the_documentation_is_detected() -> None:
    run_python("number = 3\nnumber + 1  # 4\nnumber  # a remark\n", {})
    with pytest.raises(AssertionError):
        run_python("number = 3\nnumber + 1  # 5\n", {})


def test_the_readme_is_one_page() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def test_every_metric_is_in_both_tables() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in (metrics_table.PAGE, metrics_table.README)}
    listed = re.findall(r"^\| .+ \| `(\w+)` \|", texts[metrics_table.PAGE], re.MULTILINE)
    assert [metric.id for metric in METRICS] == listed
    assert all(within_sentence(metric.title) in texts[metrics_table.README] for metric in METRICS)
    assert texts == metrics_table.pages(), "Run `python -m maintenance.metrics_table`"


def test_every_page_of_the_dashboard_is_described() -> None:
    text = (ROOT / "docs" / "dashboard.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\S.*?) \| ", text.partition("## Pages")[2], re.MULTILINE)
    assert ["Data", *rows[1:]] == [page.title for page in PAGES]


def test_every_setting_is_among_those_that_the_command_line_accepts() -> None:
    rows = re.findall(r"^\| .*? \| (`[a-z0-9_]+\.\S.*) \|$", COMMAND_LINE.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {
        f"{group}.{name}"
        for group, row in ((re.findall(r"`(\w+)\.", row)[0], row) for row in rows)
        for name in re.findall(r"`(?:\w*\.)?(\w+)(?:\.COLUMN)?`", row)
    }
    settings = {
        f"{group.name}.{setting.name}"
        for group in dataclasses.fields(Parameters)
        for setting in dataclasses.fields(getattr(Parameters(), group.name))
    }
    assert settings <= listed, settings - listed


def test_every_key_of_a_roles_file_is_described() -> None:
    described = "".join(block.text for block in blocks(COMMAND_LINE, "yaml"))
    assert [key for key in ROLE_KEYS if not re.search(rf"^{key}:", described, re.MULTILINE)] == [
        "duplicates",
        "unmatched",
    ]
    assert "`duplicates` and `unmatched`" in COMMAND_LINE.read_text(encoding="utf-8")


def test_the_limit_and_the_distances_of_t_closeness_are_described() -> None:
    text = (
        (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8").partition("**t-closeness**")[2].partition("\n\n")[0]
    )
    assert f"{Parameters().t_closeness.t} by default" in " ".join(text.split())
    assert all(f"*{distance}*" in text for distance in GroundDistance)


def test_what_the_documentation_imports_is_in_the_reference() -> None:
    """What is imported from a module of the package, in a block of Python or in a notebook, or named in full."""
    listed = re.findall(r"^::: (\S+)$", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.MULTILINE)
    texts = [block.text for file in FILES for block in blocks(file, "python")]
    for path in (ROOT / "examples").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts += ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    used = {
        f"{node.module}.{name.name}"
        for text in texts
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("metrics.")
        for name in node.names
    }
    for file in FILES:
        if file.name not in ("architecture.md", "CONTRIBUTING.md", "CHANGELOG.md"):
            used |= set(re.findall(r"`(metrics(?:\.\w+){2,})\b", file.read_text(encoding="utf-8")))
    unlisted = [name for name in sorted(used) if not any(f"{name}.".startswith(f"{part}.") for part in listed[1:])]
    assert unlisted == []


def test_the_overview_links_every_page() -> None:
    linked = {path for path, _ in LINK.findall((ROOT / "docs" / "index.md").read_text(encoding="utf-8"))}
    assert {file.name for file in (ROOT / "docs").glob("*.md")} - linked == {"index.md"}


def test_the_site_shows_every_page() -> None:
    listed = re.findall(r"\b([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(file.name for file in (ROOT / "docs").glob("*.md"))


def test_the_picture_shows_the_layers_that_are_checked() -> None:
    layers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    packages = {
        path.stem
        for path in (ROOT / "metrics").glob("[a-z]*")
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    drawn = re.findall(r"font-weight='600'>(\w+)<", PICTURE.read_text(encoding="utf-8"))
    assert drawn[:2] == layers[0]["layers"][:2]
    assert sorted(drawn[2:]) == sorted(packages)
    assert PICTURE.read_text(encoding="utf-8") == picture(), "Run `python -m maintenance.architecture`"


def test_the_citation_names_the_version() -> None:
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == VERSION


def test_the_workflow_calls_the_commands_of_the_readme() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))
    steps = [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]
    assert {"python3 -m dashboard test", "python3 -m dashboard test -m slow"} <= set(steps)
    assert any(step.startswith("python3 -m dashboard --no-browser") for step in steps)
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
