"""Items: analysis, negative discrimination, item response model, reliability, votes against the gold label."""

from assay.discrimination.items.failures import OutcomeCell, SharedFailures, map_outcomes, measure_shared_failures
from assay.discrimination.items.gold import (
    BelowBaseline,
    NegativeItems,
    SystemAgreement,
    find_below_baseline,
    measure_gold_agreement,
    tabulate_items,
)
from assay.discrimination.items.item_analysis import analyse_items
from assay.discrimination.items.item_response import fit_item_response
from assay.discrimination.items.item_summary import ItemSummary, summarise_items
from assay.discrimination.items.negative_discrimination import find_negative_discrimination
from assay.discrimination.items.reliability import Reliability, count_items_needed, measure_reliability

__all__ = [
    "BelowBaseline",
    "ItemSummary",
    "NegativeItems",
    "OutcomeCell",
    "Reliability",
    "SharedFailures",
    "SystemAgreement",
    "analyse_items",
    "count_items_needed",
    "find_below_baseline",
    "find_negative_discrimination",
    "fit_item_response",
    "map_outcomes",
    "measure_gold_agreement",
    "measure_reliability",
    "measure_shared_failures",
    "summarise_items",
    "tabulate_items",
]
