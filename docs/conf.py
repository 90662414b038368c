"""How the documentation is built: `make docs`."""

import sys
from importlib.metadata import version as installed
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

project = "ludion"
author = "the ludion developers"
version = release = installed("ludion")
extensions = ["myst_parser"]
myst_enable_extensions = ["deflist", "dollarmath", "colon_fence"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "ludion"
html_css_files = ["wide.css"]
html_static_path = ["_static"]
exclude_patterns = ["_build"]
suppress_warnings = ["toc.empty_glob", "misc.highlighting_failure"]
nitpicky = False


def setup(app: Sphinx) -> None:
    """The pages of reference/ are written from the code before they are read."""
    import generate

    generate.write(HERE / "reference")
