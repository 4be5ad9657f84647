"""Projects of ARX become tables, roles, hierarchies, parameters and limits; damaged ones an error of one sentence."""

import io
import tracemalloc
import zipfile
from typing import Any

import pytest

import metrics
from metrics import InputError, read_arx_project
from metrics.candidates.limits.suppression import suppression_rule
from metrics.policy.limitable_measures import measured
from metrics.policy.policy import Policy
from tests.support.arx_projects import ROLES, arx_project, configuration, stream, with_result
from tests.support.reference_data import reference


def _definition(before: str, after: str) -> str:
    with zipfile.ZipFile(io.BytesIO(arx_project())) as archive:
        return archive.read("input/definition.xml").decode().replace(before, after)


def _declared(project: bytes, place: int, size: int) -> bytes:
    """The project with another size of data/input.csv in its directory: -26 the packed one, -22 the unpacked one."""
    start = project.rindex(b"data/input.csv") + place
    return project[:start] + size.to_bytes(4, "little") + project[start + 4 :]


_BOMB = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb">]><project><name>&b;</name></project>'


def test_a_project_has_tables_roles_hierarchies_and_limits() -> None:
    project = read_arx_project(
        arx_project(("2-anonymity", "distinct-2-diversity for attribute 'disease'")), name="a.deid"
    )
    assert (project.original.rows, project.original.names, project.anonymized) == (5, tuple(ROLES), None)
    assert project.roles.quasi_identifiers == ("age", "sex")
    assert (project.roles.sensitive, project.roles.identifiers) == (("disease",), ("name",))
    assert (project.roles.column_weights, project.roles.highest_levels) == ({"age": 0.8}, {"sex": 1})
    assert [len(hierarchy.rows) for hierarchy in project.hierarchies.values()] == [5, 2]
    assert project.policy.name == "Small"
    assert dict(project.policy.limits) == {"k_anonymity": 2, "distinct_l_diversity": 2, "suppression": 0.4}
    assert (project.measure, project.notes()) == ("loss", [])


def test_a_result_is_read_with_its_suppressed_records() -> None:
    project = read_arx_project(with_result())
    assert project.anonymized is not None
    assert project.anonymized.head(5) == [
        ["*", "*", "*", "flu"],
        ["*", "3*", "M", "flu"],
        ["*", "3*", "M", "ulcer"],
        ["*", "3*", "M", "cold"],
        ["*", "*", "*", "cold"],
    ]
    card = metrics.score(project.anonymized, project.roles, original=project.original, hierarchies=project.hierarchies)
    assert card["k_anonymity"].value == 3
    assert project.policy.check(card).status == "meets"


def test_of_a_research_sample_only_the_records_are_the_original() -> None:
    whole = read_arx_project(with_result([1, 2, 3]))
    assert whole.anonymized is not None
    assert (whole.original.rows, whole.anonymized.rows, whole.population) == (5, 5, None)
    assert "3 records of 5" in whole.notes()[0]
    project = whole.research_sample()
    assert project.research_sample() is project
    assert project.anonymized is not None
    assert project.population is not None
    assert (project.original.rows, project.anonymized.rows, project.population.rows) == (3, 3, 5)
    assert "3 records of 5" in project.notes()[0]


@pytest.mark.parametrize(
    ("model", "limits", "settings"),
    [
        ("(3)-map", {"k_map": 3}, {}),
        ("(0.4)-avg-reidentification-risk", {"average_risk": 0.4}, {}),
        ("entropy-2.5-diversity for attribute 'disease'", {"entropy_l_diversity": 2.5}, {}),
        ("shannon-entropy-2.5-diversity for attribute 'disease'", {"entropy_l_diversity": 2.5}, {}),
        (
            "recursive-(4.0,3)-diversity for attribute 'disease'",
            {"recursive_cl_diversity": pytest.approx(4)},
            {"recursive_cl_diversity.l": 3},
        ),
        (
            "0.3-closeness with ordered distance for attribute 'disease'",
            {"t_closeness": 0.3},
            {"t_closeness.t": 0.3, "t_closeness.distance": {"disease": "ordered"}},
        ),
        ("1.5-disclosure privacy for attribute 'disease'", {"delta_disclosure": pytest.approx(1.5)}, {}),
        ("basic-2.0-likeness for attribute 'disease'", {"basic_beta_likeness": 2}, {}),
        ("enhanced-2.0-likeness for attribute 'disease'", {"enhanced_beta_likeness": 2}, {}),
        ("(0.0,0.5)-presence", {"delta_presence": 0.5}, {}),
        ("(0.1)-sample-uniqueness", {"sample_uniqueness": 0.1}, {}),
        ("(0.1)-population-uniqueness (dankar)", {"population_uniqueness": 0.1}, {}),
        ("(2.0,1.0E-5)-DP", {"safepub": 1e-5}, {"safepub.epsilon": 2, "safepub.delta": 1e-5}),
        (
            "profitability (prosecutor)[benefit=90.0, loss=80.0, gain=70.0, cost=6.0]",
            {"profitability": True},
            {
                "profitability.publisher_benefit": 90,
                "profitability.adversary_cost": 6,
                "profitability.information_loss": True,
            },
        ),
        ("no-attack-profitability (prosecutor)", {"no_attack": True}, {}),
    ],
)
def test_privacy_models_become_limits_and_parameters(
    model: str, limits: dict[str, Any], settings: dict[str, Any]
) -> None:
    project = read_arx_project(arx_project([model]))
    assert dict(project.policy.limits) == {**limits, "suppression": 0.4}
    parameters = project.parameters.to_dict()
    for key, value in settings.items():
        group, _, name = key.partition(".")
        assert parameters[group][name] == value
    assert project.not_taken == ()


def test_a_bound_that_arx_excludes_is_not_met() -> None:
    limit = read_arx_project(arx_project(["1.5-disclosure privacy for attribute 'disease'"])).policy.limits
    assert limit["delta_disclosure"] < 1.5


def test_the_average_risk_is_that_of_the_kept_records() -> None:
    project = read_arx_project(with_result())
    assert project.anonymized is not None
    card = metrics.score(project.anonymized, project.roles, original=project.original)
    assert measured("average_risk", card).value == pytest.approx(1 / 3)
    assert Policy("own", {"average_risk": 0.33}).check(card).failed[0].metric == "average_risk"


def test_a_highest_level_above_the_hierarchy_restricts_nothing() -> None:
    project = read_arx_project(arx_project(entries={"input/definition.xml": _definition("<max>1<", "<max>99<")}))
    assert project.roles.highest_levels == {}


def test_of_two_bounds_the_strictest_holds() -> None:
    assert read_arx_project(arx_project(["3-anonymity", "5-anonymity"])).policy.limits["k_anonymity"] == 5


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"criteria": ["distinct-2-diversity for attribute 'shoe size'"]}, "whose attribute is not sensitive"),
        ({"criteria": ["0.3-closeness with ordered distance for attribute 'age'"]}, "whose attribute is not sensitive"),
        ({"criteria": ["1.2.3-anonymity"]}, "1.2.3-anonymity"),
        ({"criteria": ["recursive-(3,2.2.2)-diversity for attribute 'disease'"]}, "recursive-(3,2.2.2)-diversity"),
        ({"criteria": [f"recursive-(3,{'9' * 400})-diversity for attribute 'disease'"]}, "recursive-(3,999"),
        ({"criteria": ["(2.0,--)-DP"]}, "(2.0,--)-DP"),
        ({"metric": "Classification accuracy"}, "Classification accuracy"),
        ({"metric": "Loss (0.1/1.0/0.2)"}, "Loss (0.1/1.0/0.2)"),
        ({"definition": "<microaggregationFunction>Mean</microaggregationFunction>"}, "microaggregation of age"),
        ({"entries": {"input/config.dat": b"\xac\xed"}}, "research sample"),
    ],
)
def test_what_has_no_counterpart_is_named(arguments: dict[str, Any], part: str) -> None:
    project = read_arx_project(arx_project(**arguments))
    [note] = project.notes()
    assert part in note
    # The name is said with every verdict, so that nobody takes the policy for the whole of ARX's.
    assert project.policy.name.endswith(", without 1 privacy model") is ("criteria" in arguments)


def test_a_result_that_cannot_be_read_is_named() -> None:
    output = {f"output/{name}": entry for name, entry in _input_entries().items()}
    project = read_arx_project(arx_project(entries={**output, "data/output.dat": stream(b"\x73\x71\x00\x7e\x00\x09")}))
    assert project.anonymized is None
    assert "export it from ARX as CSV" in project.notes()[0]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"name;age", "not a ZIP archive"),
        (arx_project()[:-40], "not a ZIP archive"),
        (arx_project(without=["project.xml"]), "the project has no project.xml"),
        (arx_project(without=["data/input.csv"]), "the project has no data/input.csv"),
        (arx_project(entries={"project.xml": _BOMB}), "declares a document type"),
        (arx_project(entries={"project.xml": "<project>"}), "project.xml is not valid XML"),
        (arx_project(entries={"project.xml": "<project>" + " " * (9 << 20) + "</project>"}), "larger than 8 MB"),
        (arx_project(entries={"project.xml": "<a>" * 33 + "</a>" * 33}), "nested more than 32 deep"),
        (arx_project(entries={"input/definition.xml": _definition("<max>1<", "<max>-1<")}), "correct it in ARX and"),
        (arx_project(entries={"input/definition.xml": _definition(">sex<", ">shoe<")}), 'disease"; correct it in ARX'),
        (_declared(arx_project(entries={"data/input.csv": "x" * (129 << 20)}), -26, 20 << 20), "unpacks to"),
        (arx_project(entries={"../../etc/cron": "x"}), "a name that ARX does not write"),
        (arx_project(entries={"/etc/cron": "x"}), "a name that ARX does not write"),
        (arx_project(entries={"input/hierarchies/age.csv": b"\xff\xfe"}), "is not UTF-8 text"),
        (arx_project(entries={"input/hierarchies/age.csv": "31;3*\n32"}), "the row has 1 levels"),
        (
            arx_project(entries={"input/config.xml": "<config><relativeMaxOutliers>x</relativeMaxOutliers></config>"}),
            "number",
        ),
        (arx_project(["0-anonymity"]), "out of range"),
        (arx_project(entries={"data/input.csv": "name;age\n" + "x" * (129 << 20)}), "unpacks to"),
        (arx_project(entries={"input/definition.xml": "<definition><assigment/></definition>"}), "has no type"),
        (arx_project(entries={"input/config.dat": configuration([7])}), None),
    ],
)
def test_damaged_and_hostile_projects_are_refused_in_one_sentence(content: bytes, problem: str | None) -> None:
    if problem is None:
        assert "research sample" in read_arx_project(content, name="small.deid").notes()[0]
        return
    with pytest.raises(InputError, match=r"^small\.deid[^\n]*;[^\n]*\.$") as error:
        read_arx_project(content, name="small.deid")
    assert problem in str(error.value)


def test_no_more_of_an_entry_is_unpacked_than_it_declares() -> None:
    project = _declared(arx_project(entries={"data/input.csv": b"x" * (64 << 20)}), -22, 1000)
    tracemalloc.start()
    with pytest.raises(InputError, match=r"data/input\.csv is damaged"):
        read_arx_project(project)
    assert tracemalloc.get_traced_memory()[1] < 8 << 20
    tracemalloc.stop()


def test_every_truncated_stream_of_objects_is_an_error_or_a_note() -> None:
    whole = zipfile.ZipFile(io.BytesIO(with_result()))
    entries = {name: whole.read(name) for name in whole.namelist()}
    result = entries["data/output.dat"]
    for length in range(0, len(result) - 200, 41):
        project = read_arx_project(arx_project(entries={**entries, "data/output.dat": result[:length]}))
        assert project.anonymized is None


@pytest.mark.reference
def test_the_search_finds_the_optimum_that_arx_stored() -> None:
    project = read_arx_project(reference("arx_projects", "example.deid")).research_sample()
    limits = dict(project.policy.limits)
    rule = suppression_rule(limits, project.parameters)
    inputs = (project.original, project.roles, project.hierarchies)
    found = metrics.explore(*inputs, rule=rule, limits=limits, measure=project.measure).to_dict()["best"]
    assert found["levels"] == [0, 2, 0, 1, 2, 1, 1, 1, 0]
    assert found["loss"] == pytest.approx(0.28323663476678274, rel=1e-9)


@pytest.mark.reference
def test_the_result_that_arx_stored_meets_its_own_model() -> None:
    project = read_arx_project(reference("arx_projects", "example5.deid")).research_sample()
    assert project.anonymized is not None
    card = metrics.score(project.anonymized, project.roles, original=project.original, metrics=["k_anonymity"])
    assert (card["k_anonymity"].value, project.anonymized.rows) == (5, 5692)
    assert project.parameters.classification_accuracy.target == "salary-class"


@pytest.mark.reference
def test_a_project_of_thirty_quasi_identifiers_is_read() -> None:
    project = read_arx_project(reference("arx_projects", "example2.deid"))
    assert (project.original.rows, len(project.roles.quasi_identifiers), len(project.hierarchies)) == (68725, 30, 30)


def _input_entries() -> dict[str, bytes]:
    archive = zipfile.ZipFile(io.BytesIO(arx_project()))
    prefix = "input/"
    return {name.removeprefix(prefix): archive.read(name) for name in archive.namelist() if name.startswith(prefix)}
