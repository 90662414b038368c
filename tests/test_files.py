"""Folders that code is loaded from belong to the user alone."""

import os
import tempfile
from pathlib import Path

import pytest

from ludion.core import files, sources


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """No cache folder can be made; the fallback is in this temporary directory."""
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.delenv("LUDION_CACHE_DIR", raising=False)
    monkeypatch.setattr(
        files.platformdirs, "user_cache_dir", lambda *a, **k: str(tmp_path / "file" / "cache")
    )
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    files.data_folder.cache_clear()
    yield tmp_path
    files.data_folder.cache_clear()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="users have numbers on POSIX only")
def test_the_fallback_is_private(temporary):
    expected = temporary / f"ludion-{os.getuid()}"
    assert files.data_folder() == expected
    assert expected.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="users have numbers on POSIX only")
@pytest.mark.parametrize("trap", ["others may write", "a link"])
def test_a_folder_that_others_can_write_to_is_not_used(temporary, trap):
    planted = temporary / f"ludion-{os.getuid()}"
    if trap == "a link":
        (temporary / "elsewhere").mkdir(mode=0o700)
        planted.symlink_to(temporary / "elsewhere")
    else:
        planted.mkdir()
        planted.chmod(0o777)
    folder = files.data_folder()
    assert folder != planted
    assert folder.is_dir()
    assert Path(folder).stat().st_mode & 0o077 == 0


def test_code_of_sources_that_were_edited_meanwhile_is_not_shared(tmp_path, monkeypatch):
    """A process that imported the old source must not keep its machine code under the name of the new one."""
    monkeypatch.setattr(sources, "PACKAGE", tmp_path)
    file = tmp_path / "rules.py"
    file.write_text("x = 1")
    os.utime(file, (sources.STARTED - 10, sources.STARTED - 10))
    before = sources._hash([file])
    assert sources._hash([file]) == before
    os.utime(file, (sources.STARTED + 10, sources.STARTED + 10))
    assert sources._hash([file]) != before
