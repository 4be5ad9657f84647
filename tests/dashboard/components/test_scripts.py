"""A session is shown as a script in Python and as commands, which give the session's own figures."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import metrics
from dashboard.environment import ROOT
from dashboard.settings import original_order_file, settings_of
from metrics import make_candidate
from metrics.aggregates import TableAggregates
from metrics.candidates.methods.randomized_response import RandomizedResponse
from metrics.recipes.recipe import recipe_of_method
from metrics.recipes.scripts import Script, Version
from metrics.tables.matching_rule import MatchingRule
from metrics.texts import text
from tests.dashboard.application import (
    ORIGINAL,
    SAMPLE_DATA,
    go,
    press,
    sample_workspace,
    start,
    state_of,
    upload,
)
from tests.support.arx_projects import with_result, write
from tests.support.reference_data import reference

Run = Callable[[str, str], str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a script of a session in the folder of its tables, which has a metrics.py of its own; what it prints."""
    (tmp_path / "metrics.py").write_text("raise SystemExit('another metrics')\n", encoding="utf-8")

    def run(script: str, language: str) -> str:
        command = [sys.executable, "-P", "-c", script] if language == "python" else ["bash", "-c", script]
        variables = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
        assert done.stderr.strip() in ("", text("recipes.draws_anew")), done.stderr
        return done.stdout

    return run


def scripts(app: AppTest, page: str) -> dict[str, str]:
    """The scripts on a page, by language."""
    go(app, page).session_state["section_script"] = True
    app.run()
    return {shown.language: shown.value for shown in app.code}


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")
@pytest.mark.parametrize("page", ["verdict", "report"])
def test_the_script_of_a_loaded_version_gives_its_scores(run: Run, tmp_path: Path, page: str) -> None:
    app = press(start(), "load_sample")
    for table in SAMPLE_DATA.glob("*.csv"):
        shutil.copy(table, tmp_path)
    shown = scripts(app, page)
    state = state_of(app)
    card = state.with_analyses(state.card("candidate_light.csv"))
    printed = run(shown["python"], "python").splitlines()
    for metric in ("k_anonymity", "p29", "analyses"):
        assert f"{metric} {card[metric].value}" in printed
    assert printed[-1] == state.policy.current.check(card).summary()
    report = tmp_path / "report.html"
    assert report.is_file() == (page == "report")
    if page == "report":
        assert "candidate_strict.csv" in report.read_text(encoding="utf-8")
    report.unlink(missing_ok=True)
    assert state.policy.current.check(card).summary() in run(shown["bash"], "bash")
    assert ("candidate_strict.csv" in report.read_text(encoding="utf-8")) == (page == "report")


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")
def test_the_script_of_a_search_finds_its_best_and_makes_the_levels_tried(run: Run, tmp_path: Path) -> None:
    app = press(upload(start(), "upload_original", {"c0.csv": ORIGINAL}), "confirm_roles")
    (tmp_path / "c0.csv").write_bytes(ORIGINAL)
    state_of(app).policy.choose(metrics.Policy("Two", {"k_anonymity": 2}))
    shown = scripts(app, "explore")
    printed = run(shown["python"], "python").splitlines()
    assert printed[0].startswith("best levels: {")
    state = state_of(app)
    inputs = state.search_inputs()
    made = state.search.table(inputs)
    assert f"k_anonymity {_smallest_class(made, inputs.roles)}" in printed
    assert "Best: " in run(shown["bash"], "bash")


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")
def test_the_script_of_a_version_made_here_makes_it_again(run: Run, tmp_path: Path) -> None:
    app = press(upload(start(), "upload_original", {"c0.csv": ORIGINAL}), "confirm_roles")
    (tmp_path / "c0.csv").write_bytes(ORIGINAL)
    press(go(app, "explore"), "explore_keep")
    label = next(iter(state_of(app).tables.versions))
    shown = scripts(app, "report")
    card = state_of(app).card(label)
    assert f"k_anonymity {card['k_anonymity'].value}" in run(shown["python"], "python").splitlines()
    assert state_of(app).policy.current.check(card).summary() in run(shown["bash"], "bash")


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")
def test_the_script_of_an_arx_project_reads_the_project(run: Run, tmp_path: Path) -> None:
    app = upload(start(), "upload_original", {"small.deid": with_result([1, 2, 3])})
    write(tmp_path, with_result([1, 2, 3]))
    shown = scripts(app, "verdict")
    card = state_of(app).card("small_anonymized.parquet")
    assert f"k_anonymity {card['k_anonymity'].value}" in run(shown["python"], "python").splitlines()
    assert state_of(app).policy.current.check(card).summary() in run(shown["bash"], "bash")


@pytest.mark.reference
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")
def test_the_script_of_adult_gives_its_scores(run: Run, tmp_path: Path) -> None:
    app = start()
    for key, name in (("upload_original", "adult.csv"), ("upload_anonymized", "adult_anonymized.csv")):
        content = reference("petworks", "adult", name).read_bytes()
        (tmp_path / name).write_bytes(content)
        upload(app, key, {name: content})
    press(app, "confirm_roles")
    shown = scripts(app, "verdict")
    card = state_of(app).card("adult_anonymized.csv")
    assert f"k_anonymity {card['k_anonymity'].value}" in run(shown["python"], "python").splitlines()


def _smallest_class(table: metrics.Table, roles: metrics.Roles) -> int:
    return int(TableAggregates(table, roles).class_sizes.smallest)


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")
def test_the_script_of_a_randomized_version_says_that_it_draws_anew_and_scores_its_epsilon(
    run: Run, tmp_path: Path
) -> None:
    state = sample_workspace()
    inputs = state.search_inputs()
    for name in ("hospital.csv", "hospital_holdout.csv"):
        shutil.copy(SAMPLE_DATA / name, tmp_path)
    method = RandomizedResponse(1.5)
    made = make_candidate(inputs.original, method.name, inputs.roles, inputs.hierarchies, epsilon=1.5)
    recipe = recipe_of_method(method, inputs.original, inputs.roles, inputs.hierarchies, seed=None)
    label = state.keep("drawn", made, MatchingRule(), recipe)
    script = Script(settings_of(state), original_order_file(label), recipe)
    for content, language in ((script.python(), "python"), (script.commands(), "bash")):
        assert "# This draws anew" in content
        printed = run(content, language)
        assert "local_dp 1.5" in printed or "ε = 1.5 for diagnosis" in printed


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")
def test_the_report_of_a_script_knows_how_a_version_it_compares_was_drawn(run: Run, tmp_path: Path) -> None:
    state = sample_workspace()
    inputs = state.search_inputs()
    for name in ("hospital.csv", "hospital_holdout.csv", "candidate_light.csv"):
        shutil.copy(SAMPLE_DATA / name, tmp_path)
    recipe = recipe_of_method(RandomizedResponse(1.5), inputs.original, inputs.roles, inputs.hierarchies, seed=None)
    others = (Version("drawn", "drawn.csv", recipe),)
    commands = Script(settings_of(state), "candidate_light.csv", others=others).commands()
    assert "# Quasi is not installed here" in commands
    assert "--compared drawn.csv --randomization none recipe-2.yaml" in commands
    run(commands, "bash")
    assert "drawn.csv" in (tmp_path / "report.html").read_text(encoding="utf-8")
