"""The README as the package's description: in a package index its relative links and pictures would lead nowhere."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE = r"\((?!\w+:)[^)]*\)"


def without_relative_links(text: str) -> str:
    """The text of a Markdown file without its own pictures; of links to files of the project only the words stay."""
    text = re.sub(rf"^(!\[[^\]]*\]|\*\[[^\]]*\]){RELATIVE}\*?\n\n", "", text, flags=re.MULTILINE)
    return re.sub(rf"\[([^\]]*)\]{RELATIVE}", r"\1", text)


class Description(MetadataHookInterface):
    """Called by hatchling for `dynamic = ["readme"]` of pyproject.toml."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": without_relative_links(text)}
