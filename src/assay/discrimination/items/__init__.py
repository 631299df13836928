"""Items: analysis, negative discrimination, item response model, reliability, votes against the gold label."""

from assay.discrimination.items.item_analysis import ItemAnalysis, analyse_items
from assay.discrimination.items.item_response import ItemResponse, fit_item_response
from assay.discrimination.items.item_summary import ItemResponseGain, ItemSummary, summarise_items
from assay.discrimination.items.negative_discrimination import NegativeDiscrimination, find_negative_discrimination
from assay.discrimination.items.reliability import Reliability, count_items_needed, measure_reliability
from assay.discrimination.items.votes import VoteLead, find_outvoted_items, measure_vote_lead

__all__ = [
    "ItemAnalysis",
    "ItemResponse",
    "ItemResponseGain",
    "ItemSummary",
    "NegativeDiscrimination",
    "Reliability",
    "VoteLead",
    "analyse_items",
    "count_items_needed",
    "find_negative_discrimination",
    "find_outvoted_items",
    "fit_item_response",
    "measure_reliability",
    "measure_vote_lead",
    "summarise_items",
]
