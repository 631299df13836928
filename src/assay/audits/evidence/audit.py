"""Everything an audit measured, as findings see it."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.audits.evidence.contamination import ContaminationEvidence
from assay.audits.evidence.difficulty import DifficultyEvidence
from assay.audits.evidence.discrimination import DiscriminationEvidence
from assay.audits.evidence.forecast import ForecastEvidence
from assay.audits.evidence.information import InformationEvidence
from assay.audits.evidence.leaderboard import LeaderboardEvidence
from assay.audits.evidence.profile import PartSize, ProfileEvidence
from assay.audits.evidence.splits import SplitsEvidence
from assay.audits.evidence.task import TaskEvidence
from assay.base.marks import NAME, OWN
from assay.base.results import Result
from assay.judges import JudgeAudit
from assay.models.quick import QuickStudy
from assay.votes import VoteRatings


@dataclass(frozen=True)
class DataSummary(Result):
    """What the audited data is."""

    name: str = field(metadata=NAME)
    rows: int
    task: str = field(metadata=OWN)
    fingerprint: str = field(metadata=OWN)
    parts: tuple[PartSize, ...]
    n_labels: int
    notes: tuple[str, ...] = field(default=(), metadata=NAME)
    file: str | None = field(default=None, metadata=NAME)
    first_line: int | None = None  # of the first item in the file, where every item is one line


@dataclass(frozen=True)
class AuditEvidence(Result):
    """The evidence of every section that was measured; None where a section was not."""

    data: DataSummary
    profile: ProfileEvidence | None = None
    task: TaskEvidence | None = None
    splits: SplitsEvidence | None = None
    model: QuickStudy | None = None
    difficulty: DifficultyEvidence | None = None
    information: InformationEvidence | None = None
    discrimination: DiscriminationEvidence | None = None
    forecast: ForecastEvidence | None = None
    leaderboard: LeaderboardEvidence | None = None
    votes: VoteRatings | None = None
    judges: JudgeAudit | None = None
    contamination: ContaminationEvidence | None = None
