"""The lab: engines x heuristics x instances, measured, kept, and shown as tables and plots.

trials = plan(card, levels, engines=["a-star"], guides=["manhattan"])
rows = list(conduct(trials, Store(file)))      # what the store has already is not measured again
print(by_trial(rows).as_text())
"""
