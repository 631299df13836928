"""Audits where people already work: after a run of an evaluation harness, and in the hands of a coding agent."""
