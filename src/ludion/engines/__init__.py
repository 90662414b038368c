"""The engines, each written once for all games of its kind: one module per algorithm, `catalogue` names them all.

budget.py  what a search may use, how it is watched       limits.py  how Python keeps a running kernel to it
store.py   positions seen, in flat arrays                 finish.py  from the end of a kernel to an Answer
"""
