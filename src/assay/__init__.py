"""Tell how far a text benchmark can be trusted."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.audits.audit import audit
    from assay.data import Dataset, read
    from assay.features.profile import profile

__version__ = "0.1.0"
__all__ = ["Dataset", "__version__", "audit", "profile", "read"]

# Loaded when first asked for, so that `import assay` and `assay --help` stay instant.
_HOMES = {
    "audit": "assay.audits",
    "Dataset": "assay.data",
    "read": "assay.data",
    "profile": "assay.features.profile",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
