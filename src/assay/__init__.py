"""Tell how far a text benchmark can be trusted."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_attributes

if TYPE_CHECKING:
    from assay.audits import audit
    from assay.data import Dataset, read
    from assay.features.profile import profile

__version__ = "0.1.0"
__all__ = ["Dataset", "__version__", "audit", "profile", "read"]

_HOMES = {"audit": "audits", "Dataset": "data", "read": "data", "profile": "features.profile"}
__getattr__ = lazy_attributes(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
