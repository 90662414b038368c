"""The lab: compares engines, heuristics, depths or agents on many levels, and saves and shows the measurements.

levels = lab.choose_levels(game, "report-*")
plan = lab.plan_searches(game, levels, engines=["a-star"], guides=["manhattan"])
measured = [(each, result) for each, result, is_new in lab.measure_all(plan, ResultStore(file))]
print(lab.tables_for(game, measured, levels)[0].as_text())

A search is repeated until its time is known precisely enough; stored results are not measured again. `plots.draw` plots
the same results, `page.write` writes a page of HTML.
"""

from ludion.lab import page, plots, statistics
from ludion.lab.measurements import Measurement, Repeats, measure, measure_all
from ludion.lab.plans import (
    choose_levels,
    default_depths,
    default_engines,
    plan_report,
    plan_runs,
    plan_searches,
)
from ludion.lab.tables import tables_for

__all__ = [
    "Measurement",
    "Repeats",
    "choose_levels",
    "default_depths",
    "default_engines",
    "measure",
    "measure_all",
    "page",
    "plan_report",
    "plan_runs",
    "plan_searches",
    "plots",
    "statistics",
    "tables_for",
]
