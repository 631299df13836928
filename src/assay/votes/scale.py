"""The scale on which strengths are shown: 400 points are odds of ten to one, and the mean system has 1000."""

from __future__ import annotations

import math

MEAN_RATING = 1000.0
RATING_UNIT = 400.0 / math.log(10)
