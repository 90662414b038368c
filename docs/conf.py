"""How the documentation is built: `make docs`."""

from importlib.metadata import version as installed

project = "ludion"
author = "the ludion developers"
version = release = installed("ludion")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.doctest"]
myst_enable_extensions = ["deflist", "dollarmath", "colon_fence"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "ludion"
exclude_patterns = ["_build"]
suppress_warnings = ["toc.empty_glob", "misc.highlighting_failure"]
autodoc_typehints = "description"
nitpicky = False
