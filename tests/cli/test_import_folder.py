"""`import`."""

import pytest


@pytest.fixture
def vault(place):
    folder = place / "vault"
    (folder / ".obsidian").mkdir(parents=True)
    (folder / "sub").mkdir()
    (folder / "one.md").write_bytes(b"\xef\xbb\xbf---\r\nodd: [\r\n---\r\n# One\r\n")
    (folder / "sub" / "two.md").write_bytes(b"# Two\n\nkey ghp_" + b"a1B2" * 9 + b"\n")
    (folder / "bad.md").write_bytes(b"\xff\xfe")
    (folder / "con.md").write_bytes(b"# Device\n")
    (folder / "image.png").write_bytes(b"\x89PNG")
    (folder / ".obsidian" / "x.md").write_bytes(b"# No\n")
    return folder


def test_a_vault_is_taken_byte_for_byte_and_the_rest_is_listed(memory, vault, wiki):
    report = memory("import", str(vault), "--json").json
    assert report["imported"] == ["one.md", "sub/two.md"]
    assert [skipped["path"] for skipped in report["skipped"]] == ["con.md", "bad.md"]
    assert [(found["path"], found["line"]) for found in report["secrets"]] == [("sub/two.md", 3)]
    for name in report["imported"]:
        assert (wiki / "default" / "app" / name).read_bytes() == (vault / name).read_bytes()
    assert [hit["path"] for hit in memory("search", "two", "--json").json["hits"]] == ["sub/two.md"]


def test_people_see_what_was_skipped_and_what_looks_like_a_secret_but_not_the_secret(memory, vault):
    done = memory("import", str(vault))
    assert "skipped bad.md: it is not UTF-8 (byte 0): convert it first.\n" in done.out
    assert "secret? sub/two.md:3: looks like a " in done.out
    assert "a1B2" not in done.out + done.err
    assert done.out.splitlines()[-1].startswith("imported 2 pages into default/app")


def test_a_dry_run_changes_nothing(memory, vault, unchanged):
    memory("init")
    unchanged()
    assert memory("import", str(vault), "--dry-run").out.splitlines()[-1].startswith("would import 2 pages")


def test_a_second_import_takes_what_changed_and_only_with_replace(memory, vault, wiki):
    memory("import", str(vault))
    (vault / "one.md").write_bytes(b"# One, newer\n")
    report = memory("import", str(vault), "--json").json
    assert (report["imported"], report["unchanged"]) == ([], ["sub/two.md"])
    assert [
        "--replace" in skipped["reason"] for skipped in report["skipped"] if skipped["path"] == "one.md"
    ] == [True]
    assert memory("import", str(vault), "--replace", "--json").json["imported"] == ["one.md"]
    assert (wiki / "default" / "app" / "one.md").read_bytes() == b"# One, newer\n"


@pytest.mark.parametrize("folder", ["/nowhere", "wiki"])
def test_a_folder_that_cannot_be_imported_is_a_sentence(memory, wiki, unchanged, folder):
    memory("init")
    unchanged()
    done = memory("import", str(wiki) if folder == "wiki" else folder)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: FOLDER = ")
