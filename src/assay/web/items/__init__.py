"""The items of a version: written once after the audit, then filtered, searched and sorted on the server."""
