"""Responses of systems: the state they are in, the answer they commit to, and where points are lost."""

from assay.base.lazy import name_function
from assay.responses.auditing import audit_responses
from assay.responses.grading import GradedResponse
from assay.responses.reading.forms import AnswerForm
from assay.responses.reading.states import Reading, read_response
from assay.responses.results import (
    AgentRuns,
    CandidateTask,
    RankChange,
    RankSwap,
    ResponseAudit,
    SubjectLosses,
    SystemLosses,
    TrialRow,
)

__all__ = [
    "AgentRuns",
    "AnswerForm",
    "CandidateTask",
    "GradedResponse",
    "RankChange",
    "RankSwap",
    "Reading",
    "ResponseAudit",
    "SubjectLosses",
    "SystemLosses",
    "TrialRow",
    "audit_responses",
    "read_response",
]

name_function(__name__, "audit_responses")
