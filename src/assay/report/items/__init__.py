"""The items on the page: as a compressed table for its script, and as examples of findings."""

from assay.report.items.index import ItemIndex, index_items
from assay.report.items.packing import PackedItems, pack_items

__all__ = ["ItemIndex", "PackedItems", "index_items", "pack_items"]
