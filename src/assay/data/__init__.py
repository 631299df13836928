"""Tables from files and memory, and the `Dataset` that every measure takes: immutable, with roles and fingerprint."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_exports, name_function

if TYPE_CHECKING:
    from assay.data.dataset import Dataset
    from assay.data.hold_out import PartRows
    from assay.data.left_out import LeftOut
    from assay.data.readers.files import read_table

__all__ = ["Dataset", "LeftOut", "PartRows", "read_table"]

__getattr__, __dir__ = lazy_exports(__name__)

name_function(__name__, "read")
