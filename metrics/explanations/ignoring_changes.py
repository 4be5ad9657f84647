"""Success of an attacker who ignores the columns whose values were changed instead of generalized."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.attacks.inferred_attributes import AttributeInference
from metrics.attacks.rates import NOTICEABLE, RatedAttack
from metrics.config.parameters import Parameters
from metrics.errors import InputError
from metrics.scoring.catalog import BY_ID
from metrics.scoring.compared_records import perturbed_columns_of
from metrics.scoring.scorecard import Scorecard, score_metric
from metrics.texts import text

_ATTACKS = ("attribute_inference_attack", "record_linkage_attack")


def ignoring_changes(card: Scorecard) -> str | None:
    """Say how often that attacker succeeds, in a sentence for each attack.

    Parameters
    ----------
    card : Scorecard
        Scores of one candidate.

    Returns
    -------
    str or None
        None where no values were changed, every known column was, or that attacker succeeds no more often.
    """
    changed_columns = perturbed_columns_of(card.aggregates)
    assumed_columns = card.parameters.attack.known or card.aggregates.roles.quasi_identifiers
    known_columns = tuple(name for name in assumed_columns if name not in changed_columns)
    ignored_columns = [name for name in assumed_columns if name in changed_columns]
    if not ignored_columns or not known_columns:
        return None
    parameters = card.parameters.with_settings({"attack.known": known_columns})
    sentences = []
    for metric_id in _ATTACKS:
        usual, ignoring = card[metric_id].result, _result(metric_id, card, parameters)
        if not isinstance(usual, RatedAttack) or ignoring is None:
            continue
        value = ignoring.class_unknown.value
        if value < usual.class_unknown.value + NOTICEABLE:
            continue
        if isinstance(ignoring, AttributeInference):
            sentences.append(
                text("attack.ignoring.inference", columns=ignored_columns, column=ignoring.most_exposed, value=value)
            )
            sentences.extend(_certain(ignoring))
        else:
            sentences.append(text("attack.ignoring.linkage", columns=ignored_columns, value=value))
    return " ".join(sentences) or None


def _certain(inference: AttributeInference) -> Iterator[str]:
    """How often that guess is certain, and how often it is then right."""
    excluding_suppressed = inference.suppressed_ruled_out
    guess = (excluding_suppressed or inference).inferred[inference.most_exposed]
    n_certain = guess.certain + guess.misled
    if not guess.certain:
        return
    column, share_right = inference.most_exposed, guess.certain / n_certain
    if excluding_suppressed is None:
        yield text("attack.ignoring.certain", column=column, certain=n_certain, right=share_right)
    else:
        yield text("attack.ignoring.certain_excluding", column=column, certain=n_certain, right=share_right)


def _result(metric_id: str, card: Scorecard, parameters: Parameters) -> RatedAttack | None:
    def compute() -> RatedAttack | None:
        try:
            result = score_metric(BY_ID[metric_id], card.aggregates, parameters).result
        except InputError:
            return None
        return result if isinstance(result, RatedAttack) else None

    return card.aggregates.memoize(f"{metric_id} ignoring changes, {parameters.attack}", compute)
