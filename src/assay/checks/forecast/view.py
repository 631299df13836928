"""How the page shows the forecast."""

from assay.checks.base import CHECKS
from assay.forecast.view import show_forecast

CHECKS["forecast"].view(show_forecast)
