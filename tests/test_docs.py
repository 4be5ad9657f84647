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
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

import metrics
from dashboard.__main__ import dashboard_options
from dashboard.environment import ROOT
from dashboard.navigation import PAGES
from maintenance import metric_pages
from maintenance.architecture import PICTURE, picture
from metrics.candidates.repair import repair_to
from metrics.cli import main as run_command
from metrics.config.parameters import GROUPS, GroundDistance, Parameters
from metrics.config.roles_file import SETTINGS as ROLE_KEYS
from metrics.config.roles_file import parse_roles
from metrics.explanations.findings import findings
from metrics.formatting import format_number, percent
from metrics.policy.built_in_policies import read_policy
from metrics.policy.policy import Policy
from metrics.recipes.parsing import parse_recipe
from metrics.scoring.catalog import METRICS
from metrics.version import VERSION
from tests.support.sample import SAMPLE

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


def test_the_gallery_shows_what_its_examples_print(sample_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    gallery = ROOT / "docs" / "gallery.md"
    for code, printed in zip(blocks(gallery, "python"), blocks(gallery, "text"), strict=True):
        run_python(code.text, names)
        assert capsys.readouterr().out == printed.text


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
            text = target.read_text(encoding="utf-8")
            headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
            anchors = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
            assert anchor[1:] in [*anchors, *re.findall(r'<a id="(\w+)">', text)], path + anchor


def test_a_wrong_value_in_a_comment_of_the_documentation_is_detected() -> None:
    run_python("number = 3\nnumber + 1  # 4\nnumber  # a remark\n", {})
    with pytest.raises(AssertionError):
        run_python("number = 3\nnumber + 1  # 5\n", {})


def test_the_readme_is_one_page() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def test_every_metric_is_described() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in [metric_pages.OVERVIEW, *metric_pages.PAGES.values()]}
    listed = re.findall(r"^\| .+ \| `(\w+)` \|", texts[metric_pages.OVERVIEW], re.MULTILINE)
    assert [metric.id for metric in METRICS] == listed
    assert texts == metric_pages.pages(), "Run `python -m maintenance.metric_pages`"


def test_a_metric_without_notes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics_left = {name: note for name, note in metric_pages.NOTES["metrics"].items() if name != "k_map"}
    monkeypatch.setattr(metric_pages, "NOTES", {**metric_pages.NOTES, "metrics": metrics_left})
    with pytest.raises(SystemExit, match=r"write its section \[metrics\.k_map\]"):
        metric_pages.pages()


def test_what_is_noted_of_metrics_is_used() -> None:
    """Each metric has its notes, every symbol that several share is explained to somebody, and no note is left over."""
    notes = metric_pages.NOTES["metrics"]
    assert [metric.id for metric in METRICS] == list(notes)
    used = {symbol for note in notes.values() for symbol in note["symbols"]}
    assert set(metric_pages.NOTES["symbols"]) <= used
    assert [symbol for symbol in used - set(metric_pages.NOTES["symbols"]) if "$" not in symbol] == []


def test_the_pages_cite_papers_peers_and_sources() -> None:
    links = {link for file in FILES for link in re.findall(r"\]\((https://[^\s)]+)", file.read_text(encoding="utf-8"))}
    assert len(links) >= 40
    assert {*metric_pages.PEERS.values()} - links == {"petworks.md"}


def test_every_page_of_the_dashboard_is_described() -> None:
    text = (ROOT / "docs" / "dashboard.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\S.*?) \| ", text.partition("## Pages")[2], re.MULTILINE)
    assert ["Data", *rows[1:]] == [page.title for page in PAGES]


def test_the_errors_of_the_models_of_uniqueness_are_those_measured() -> None:
    """The table of docs/uniqueness.md, row by row, in the order of the models."""
    text = (ROOT / "docs" / "uniqueness.md").read_text(encoding="utf-8")
    measured = json.loads((ROOT / "docs" / "benchmarks.json").read_text(encoding="utf-8"))["uniqueness"]["sections"]
    lines = [line for line in measured[0]["lines"] if " sampled: " in line["what"]]
    rows = re.findall(r"^\| [\d.]+% \| (.+) \|$", text, re.MULTILINE)
    shown = [float(cell.partition(" ")[0]) for row in rows for cell in row.split(" | ")]
    assert len(shown) == len(lines)
    assert [
        (line["what"], line["value"])
        for line, value in zip(lines, shown, strict=True)
        if abs(line["value"] - value) > 0.05001
    ] == []


def test_every_setting_is_among_those_that_the_command_line_accepts() -> None:
    rows = re.findall(r"^\| .*? \| (`[a-z0-9_]+\.\S.*) \|$", COMMAND_LINE.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {
        f"{group}.{name}"
        for group, row in ((re.findall(r"`(\w+)\.", row)[0], row) for row in rows)
        for name in re.findall(r"`(?:\w*\.)?(\w+)(?:\.COLUMN)?`", row)
    }
    settings = {
        f"{group}.{setting.name}" for group in GROUPS for setting in dataclasses.fields(getattr(Parameters(), group))
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
    text = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8").partition("## Distance between values")[2]
    assert f"{Parameters().t_closeness.t} by default" in " ".join(text.split())
    assert all(f"*{distance}*" in text for distance in GroundDistance)


def test_the_weights_and_the_limit_of_p29_are_described() -> None:
    text = (ROOT / "docs" / "p29.md").read_text(encoding="utf-8")
    settings = Parameters().p29
    assert f"by default {settings.w_k}, {settings.w_l} and {settings.w_t}" in text
    assert f"at most {settings.t_max} in every class (`p29.t_max`)" in text


def test_the_tutorial_gives_the_figures_of_the_sample() -> None:
    """The figures in the text are those of the sample, and the path ends as it says."""
    text = " ".join((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8").replace("**", "").split())
    roles, hierarchies = (
        metrics.read_roles(SAMPLE / "roles.yaml").roles,
        metrics.read_hierarchies(SAMPLE / "hierarchies"),
    )
    score = partial(metrics.score, original=metrics.read_table(SAMPLE / "hospital.csv"), hierarchies=hierarchies)
    tables = {name: metrics.read_table(SAMPLE / f"candidate_{name}.csv") for name in ("light", "balanced", "strict")}
    cards = {name: score(table, roles) for name, table in tables.items()}
    policy = read_policy("internal-sharing")
    assert [policy.check(card).status for card in cards.values()] == ["fails", "meets", "meets"]
    for name, card in cards.items():
        k, t, p29, kept = (
            card[metric].value for metric in ("k_anonymity", "t_closeness", "p29", "non_uniform_entropy")
        )
        assert f"| `candidate_{name}.csv` | {k} | {format_number(t)} | {format_number(p29)} | {percent(kept)} |" in text
    light = cards["light"]
    said = {
        "fails {} of 4 limits": r"(\d) of 4 limits are not met",
        "{} records are unique": r"(\d+) records .* unique in the quasi-identifiers",
        "in {} classes, all records have": r"In (.*) classes, all records share one value",
        "finds the records of {} of people": r"finds the records of (.*?) of people",
        "guessed for {}, without the table for 10.5%": r"diagnosis correctly for (.*?) of people, compared with 10.5%",
        "in {} classes, the diagnoses differ": r"^P_29 is 0: (\d+ of \d+) classes .* exceed its own limit",
    }
    sentences = [policy.check(light).summary(), *(finding.sentence for finding in findings(light, policy))]
    sentences += [score.summary() for card in (light, cards["balanced"]) for score in card]
    for words, pattern in said.items():
        found = next(match[1] for sentence in sentences if (match := re.search(pattern, sentence)))
        assert words.format(found) in text

    limits = {metric: limit for metric, limit in policy.limits.items() if metric != "reidentification_risk"}
    repair = repair_to(light.aggregates, limits, "merge")
    repaired = score(repair.table, roles)
    assert policy.check(repaired).status == "meets"
    kept = percent(repaired["non_uniform_entropy"].value)
    assert f"It changes {repair.records_changed:,} records, and the result meets all 4 limits and keeps {kept}" in text


def test_what_the_documentation_imports_is_in_the_reference() -> None:
    """What is imported from a module of the package, in a block of Python or in a notebook, or named in full."""
    reference = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("api*.md"))
    listed = set(re.findall(r"^::: (\S+)$", reference, re.MULTILINE)) - {"metrics"}
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
    unlisted = [name for name in sorted(used) if not any(f"{name}.".startswith(f"{part}.") for part in listed)]
    assert unlisted == []
    members = re.findall(r"^        - (\w+)$", reference, re.MULTILINE)
    assert sorted(members) == sorted({*metrics.__all__} - {metric.id for metric in METRICS})


def test_the_overview_links_every_page() -> None:
    linked = {path for path, _ in LINK.findall((ROOT / "docs" / "index.md").read_text(encoding="utf-8"))}
    assert {file.name for file in (ROOT / "docs").glob("*.md")} - linked == {"index.md"}


def test_the_site_shows_every_page() -> None:
    listed = re.findall(r"\b([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    unlisted = {file.name for file in (ROOT / "docs").glob("*.md")} - set(listed)
    assert unlisted == {"licences.md"}, "a table for reference, which the page on the licence links"


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


def test_the_citation_and_the_site_name_the_version() -> None:
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == VERSION
    assert f"\ncopyright: Quasi {VERSION}," in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    citing = (ROOT / "docs" / "citing.md").read_text(encoding="utf-8")
    assert f"version {VERSION}," in citing
    assert f"version = {{{VERSION}}}" in citing


def test_the_workflow_calls_the_commands_of_the_readme() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))
    steps = [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]
    assert {"python3 -m dashboard test", "python3 -m dashboard test -m slow"} <= set(steps)
    assert any(step.startswith("python3 -m dashboard --no-browser") for step in steps)
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md"])
def test_what_everybody_reads_has_lines_that_an_editor_shows_whole(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 120 and not line.startswith("|")] == []
