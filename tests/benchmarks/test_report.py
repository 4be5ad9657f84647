"""One command: what it keeps, what it tells, and the page on speed that it writes."""

from pathlib import Path

import pytest

import benchmarks.__main__ as command
from benchmarks import chart, explore, growth, report, score, speed_page, uniqueness
from benchmarks.report import Line, Point, Run, Section
from dashboard.environment import ROOT

MACHINE: dict[str, str | int] = {"cores": 2, "python": "3.11.7"}


def run_of(*points: Point, lines: tuple[Line, ...] = ()) -> Run:
    return Run(MACHINE, [Section("Title", "How.", lines, points)])


def peer(name: str, seconds: float, records: int = 1_000_000) -> Point:
    figures = {"classes": 4110.0, "runs": 5, "score": seconds / 2, "ratio": seconds / 0.25, "megabytes": 200.0}
    return {"peer": name, "records": records, "seconds": seconds, **figures}


def grown(variant: str, records: int, classes: float, seconds: float) -> Point:
    figures = {"read": seconds * 0.75, "score": seconds / 4, "limit": seconds / 2, "megabytes": 300.0}
    return {"variant": variant, "records": records, "classes": classes, "seconds": seconds, **figures}


RUNS = {
    "peers": run_of(peer("Quasi", 0.25), peer("pyCANON", 100.0), peer("pyCANON", 9.0, records=100_000)),
    "growth": run_of(
        grown("few", 10_000_000, 4110, 4.7),
        grown("few", 100_000, 2132, 0.1),
        grown("few", 1_000_000, 4110, 0.5),
        grown("many", 1_000_000, 306_542, 1.0),
        grown("many", 10_000_000, 306_542, 9.0),
    ),
    "start": run_of({"import_ms": 312.4, "ready_s": 2.04}),
    "fresh": run_of({"nothing_s": 48.2, "pip_s": 39.1, "ready_s": 2.3}),
}


def test_files_keep_the_figures_of_what_was_not_run(tmp_path: Path) -> None:
    out = tmp_path / "results" / "today"
    command.keep({"growth": RUNS["growth"]}, out)
    command.keep({"peers": RUNS["peers"]}, out)
    assert list(report.read(out.with_suffix(".json"))) == ["peers", "growth"]
    newer = run_of(lines=(Line("figure", 12.0, "s", 10.0),))
    command.keep({"growth": newer}, out)
    kept = report.read(out.with_suffix(".json"))
    assert report.points(kept, "peers") == report.points(RUNS, "peers")
    assert kept["growth"].sections[0].lines == list(newer.sections[0].lines)
    assert "| figure | 12    | s    | ≤ 10   | MISSED |" in out.with_suffix(".md").read_text(encoding="utf-8")


def test_machines_are_named_once_each() -> None:
    other = Run({"cores": 4}, RUNS["peers"].sections)
    text = report.markdown({"peers": RUNS["peers"], "growth": RUNS["growth"], "start": other})
    assert [line for line in text.splitlines() if line.startswith("Measured")] == [
        "Measured with cores 2, python 3.11.7.",
        "Measured with cores 4.",
    ]


def test_a_benchmark_that_fails_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> list[Section]:
        raise RuntimeError("broken")

    asked = []
    monkeypatch.setattr(
        command,
        "BENCHMARKS",
        {
            "score": fail,
            "explore": lambda: [Section("Explored", "How.", (Line("figure", 1.0, "s", 2.0),))],
            "load": lambda: asked.append("load") or [],
        },
    )
    assert command.main(["--out", str(tmp_path / "all")]) == 1
    printed = capsys.readouterr()
    assert "### Explored" in printed.out
    assert "RuntimeError: broken" in printed.err
    assert "score failed" in printed.err
    assert list(report.read(tmp_path / "all.json")) == ["explore"]
    assert asked == []
    assert command.main(["explore", "load"]) == 0
    assert asked == ["load"]


def test_a_missed_target_is_the_exit_status(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, status in ((2.0, 0), (2.1, 1), (float("nan"), 1)):
        section = Section("Explored", "How.", (Line("figure", value, "s", 2.0),))
        monkeypatch.setitem(command.BENCHMARKS, "explore", lambda found=section: [found])
        assert command.main(["explore"]) == status


def test_an_unknown_name_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["speed"])
    assert ended.value.code == 2
    assert "there is no benchmark speed" in capsys.readouterr().err


def test_the_page_on_speed_gets_its_figures_and_keeps_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "speed.md"
    path.write_text(f"before\n\n{speed_page.BEGIN}\nold\n{speed_page.END}\n\nafter\n", encoding="utf-8")
    speed_page.update(path, RUNS)
    text = path.read_text(encoding="utf-8")
    assert text.startswith(f"before\n\n{speed_page.BEGIN}\n\n{speed_page.CHART}\n\n|")
    assert text.endswith(f"\n\n{speed_page.END}\n\nafter\n")
    assert "old" not in text
    assert "| pyCANON | 100 s | 400 | 200 MB |" in text
    assert "| pyCANON | 9 s" not in text
    printed = " ".join(text.split())
    assert "1,000,000 records: 0.5 s and 300 MB, 2 times the read." in printed
    assert "10,000,000 records: 4.7 s and 300 MB, 2 times the read." in printed
    assert (
        "`import metrics` takes 312 ms. A dashboard whose environment is ready answers after 2.04 s. From a" in printed
    )
    assert "fresh clone to the dashboard it takes 48.2 s, of which pip 39.1 s." in printed
    speed_page.update(path, RUNS)
    assert path.read_text(encoding="utf-8") == text


def test_the_page_on_speed_has_a_place_for_the_figures(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    assert text.count(speed_page.BEGIN) == text.count(speed_page.END) == 1
    (tmp_path / "speed.md").write_text(text.replace(speed_page.END, ""), encoding="utf-8")
    with pytest.raises(ValueError, match="lacks"):
        speed_page.update(tmp_path / "speed.md", RUNS)


def test_the_titles_of_the_benchmark_chart_state_the_findings() -> None:
    drawn = chart.figure(RUNS)
    titles = [annotation.text for annotation in drawn.layout.annotations]
    assert titles == [
        "k, l and t of 4,110 classes, 1,000,000 records: pyCANON takes 400 times as long as Quasi",
        "10 times the records take 9.4 times as long",
        "75 times the classes take 2 times as long to score",
    ]
    assert list(drawn.data[0].x) == [100.0, 0.25]
    assert list(drawn.data[1].x) == [100_000, 1_000_000, 10_000_000]
    assert list(drawn.data[1].y) == [0.1, 0.5, 4.7]


def test_chart_needs_peers_and_growth() -> None:
    with pytest.raises(ValueError, match="run both"):
        chart.figure({"peers": RUNS["peers"]})


PUBLISHED = report.read(ROOT / "docs" / "benchmarks.json")


def test_published_targets_are_those_of_the_benchmarks_and_stand_nowhere_else() -> None:
    def targets(benchmark: str, part: str) -> set[float | None]:
        lines = [line for section in PUBLISHED[benchmark].sections for line in section.lines if part in line.what]
        return {line.target for line in lines if line.target is not None}

    default = f"CSV, {score.CALLS['default']}: Quasi / pyarrow"
    assert targets("score", default) == {
        score.TIMES_THE_READ["default"],
        score.TIMES_THE_READ_OF_MANY_CLASSES["default"],
    }
    assert targets("score", f"CSV, {score.CALLS['every']}: Quasi reads") == {score.SECONDS["every"]}
    assert targets("explore", "8 quasi-identifiers: 4,320 of 4,320 nodes") == {explore.SECONDS}
    assert targets("explore", "9 quasi-identifiers: 12,960 of 12,960 nodes") == {explore.SECONDS_OF_NINE}
    assert targets("growth", "Quasi / pyarrow's read") == {growth.TIMES_THE_READ}
    assert "at most" not in (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8").partition("## Targets")[2]


def test_the_published_page_shows_the_figures_that_are_kept() -> None:
    assert (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8") == report.markdown(PUBLISHED)
    speed = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    assert speed.partition(speed_page.BEGIN)[2].partition(speed_page.END)[0].strip() == speed_page.part(PUBLISHED)


def test_published_estimates_are_those_of_models_that_exist() -> None:
    titles = {
        line.what.partition(": ")[2].partition(" (no")[0]
        for section in PUBLISHED["uniqueness"].sections
        for line in section.lines
    }
    assert titles == set(uniqueness.MODELS.values())


def test_the_page_on_speed_has_one_figure_for_a_million_records() -> None:
    text = " ".join((ROOT / "docs" / "speed.md").read_text(encoding="utf-8").split())
    (million,) = (
        point
        for point in report.points(PUBLISHED, "growth")
        if point["variant"] == "few" and point["records"] == growth.MILLION
    )
    assert f"{growth.MILLION:,} records: {report.shown(million['seconds'])} s" in text
    assert text.count(f"{growth.MILLION:,} records: ") == 1
