"""Candidates beside each other: by metric, by dominance, by weights, and record by record."""

from metrics.candidates.compare.comparison import Answer, Answers, CandidateComparison, Change, Ranked, answers, compare

__all__ = ["Answer", "Answers", "CandidateComparison", "Change", "Ranked", "answers", "compare"]
