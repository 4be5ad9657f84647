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
    changed = perturbed_columns_of(card.aggregates)
    assumed = card.parameters.attack.known or card.aggregates.roles.quasi_identifiers
    known = tuple(name for name in assumed if name not in changed)
    ignored = [name for name in assumed if name in changed]
    if not ignored or not known:
        return None
    parameters = card.parameters.with_settings({"attack.known": known})
    sentences = []
    for identifier in _ATTACKS:
        current, unprotected = card[identifier].result, _result(identifier, card, parameters)
        if not isinstance(current, RatedAttack) or unprotected is None:
            continue
        value = unprotected.class_unknown.value
        if value < current.class_unknown.value + NOTICEABLE:
            continue
        if isinstance(unprotected, AttributeInference):
            sentences.append(
                text("attack.ignoring.inference", columns=ignored, column=unprotected.most_exposed, value=value)
            )
            sentences.extend(_certain(unprotected))
        else:
            sentences.append(text("attack.ignoring.linkage", columns=ignored, value=value))
    return " ".join(sentences) or None


def _certain(inference: AttributeInference) -> Iterator[str]:
    """How often that guess is certain, and how often it is then right."""
    excluding = inference.suppressed_ruled_out
    guess = (excluding or inference).inferred[inference.most_exposed]
    certain = guess.certain + guess.misled
    if not guess.certain:
        return
    column, right = inference.most_exposed, guess.certain / certain
    if excluding is None:
        yield text("attack.ignoring.certain", column=column, certain=certain, right=right)
    else:
        yield text("attack.ignoring.certain_excluding", column=column, certain=certain, right=right)


def _result(identifier: str, card: Scorecard, parameters: Parameters) -> RatedAttack | None:
    def compute() -> RatedAttack | None:
        try:
            result = score_metric(BY_ID[identifier], card.aggregates, parameters).result
        except InputError:
            return None
        return result if isinstance(result, RatedAttack) else None

    return card.aggregates.memoize(f"{identifier} ignoring changes, {parameters.attack}", compute)
