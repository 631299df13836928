"""Files and tables in, a `Dataset` out: immutable, with its roles, parts and fingerprint."""

from assay.data.dataset import Dataset
from assay.data.reading import read
from assay.data.tables import read_table

__all__ = ["Dataset", "read", "read_table"]
