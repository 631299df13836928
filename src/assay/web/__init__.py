"""The local web page: files in, audits out, all on this machine."""

from assay.web.server import Server, serve

__all__ = ["Server", "serve"]
