"""Success of an attacker who ignores the columns whose values were changed instead of generalized."""

from __future__ import annotations

from metrics.aggregates import Aggregates
from metrics.aggregates.memo import Memo
from metrics.attacks.knowledge.scenario import known_to_attacker
from metrics.attacks.rates import NOTICEABLE, RatedAttack
from metrics.config.parameters import Parameters
from metrics.errors import InputError
from metrics.formatting import join_names
from metrics.scoring.catalog import BY_ID
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Scorecard, score_metric
from metrics.texts import text

_ATTACKS = ("attribute_inference_attack", "record_linkage_attack")


def ignoring_changes(card: Scorecard) -> str | None:
    """Say how often that attacker succeeds by each attack, and where all possible records agree on the guess.

    None where no values were changed, every known column was, or that attacker succeeds no more often.
    """
    ignored_columns, results = successes_ignoring_changes(card)
    if not results:
        return None
    successes = [result.achievement for result in results.values()]
    sentence = text("attack.ignoring.attacker", columns=ignored_columns, successes=join_names(successes))
    return " ".join([sentence, *filter(None, (result.agreement for result in results.values()))])


def successes_ignoring_changes(card: Scorecard) -> tuple[list[str], dict[str, RatedAttack]]:
    """Attack without the columns whose values were changed.

    The known columns that this attacker ignores. By id of the metric, the attacks that succeed more often so.
    """
    changed_columns = perturbed_columns_of(card.aggregates)
    assumed_columns = known_to_attacker(card.parameters.attack, card.aggregates.roles)
    known_columns = tuple(name for name in assumed_columns if name not in changed_columns)
    ignored_columns = [name for name in assumed_columns if name in changed_columns]
    if not ignored_columns or not known_columns:
        return ignored_columns, {}
    parameters = card.parameters.with_settings({"attack.known": known_columns})
    results: dict[str, RatedAttack] = {}
    for metric_id in _ATTACKS:
        usual, ignoring = card[metric_id].attack, _result(metric_id, card, parameters)
        if usual is None or ignoring is None:
            continue
        if ignoring.class_unknown.value >= usual.class_unknown.value + NOTICEABLE:
            results[metric_id] = ignoring
    return ignored_columns, results


def _result(metric_id: str, card: Scorecard, parameters: Parameters) -> RatedAttack | None:
    def compute() -> RatedAttack | None:
        try:
            return score_metric(BY_ID[metric_id], card.aggregates, parameters).attack
        except InputError:
            return None

    return card.aggregates.memoize(_results)((metric_id, parameters.attack), compute)


def _results(aggregates: Aggregates) -> Memo:
    """The results for these aggregates, by metric and what the attacker knows."""
    return Memo()
