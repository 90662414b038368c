"""The lab: engines, heuristics, depths or agents compared on many levels, measured, kept, and shown.

levels = lab.choose_levels(game, "report-*")
plan = lab.plan_searches(game, levels, engines=["a-star"], guides=["manhattan"])
measured = [(each, result) for each, result, is_new in lab.measure_all(plan, ResultStore(file))]
print(lab.tables_for(game, measured, levels)[0].as_text())

What the store has is not measured again. `plots.draw` makes a picture of the same results.
"""

from ludion.lab import plots, statistics
from ludion.lab.measurements import Measurement, measure, measure_all
from ludion.lab.plans import (
    REPORT_REPEAT,
    choose_levels,
    default_depths,
    default_engines,
    plan_report,
    plan_runs,
    plan_searches,
)
from ludion.lab.tables import tables_for

__all__ = [
    "REPORT_REPEAT",
    "Measurement",
    "choose_levels",
    "default_depths",
    "default_engines",
    "measure",
    "measure_all",
    "plan_report",
    "plan_runs",
    "plan_searches",
    "plots",
    "statistics",
    "tables_for",
]
