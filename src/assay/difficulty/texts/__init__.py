"""Single texts: how near each lies to training texts of its own and of another label."""

from assay.difficulty.texts.dataset import TextDifficulty, text_difficulty
from assay.difficulty.texts.neighbours import nearest_texts

__all__ = ["TextDifficulty", "nearest_texts", "text_difficulty"]
