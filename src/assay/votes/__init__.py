"""Ratings of systems from votes between two answers: Bradley–Terry with intervals, ranks and stability."""

from assay.base.lazy import name_function
from assay.votes.bradley_terry import fit_strengths
from assay.votes.ratings import Rating, VoteRatings, rate_votes
from assay.votes.stability import SystemStability, VoteStability
from assay.votes.tables import Votes, read_votes

__all__ = [
    "Rating",
    "SystemStability",
    "VoteRatings",
    "VoteStability",
    "Votes",
    "fit_strengths",
    "rate_votes",
    "read_votes",
]

name_function(__name__, "rate_votes")
