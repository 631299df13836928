"""Commands about a whole benchmark: audits, their comparison, checklists, forecasts."""
