from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memory_mcp.errors import Busy, Unavailable
from memory_mcp.store import git_repo, git_run, steps
from memory_mcp.store.git_import import import_commit
from memory_mcp.store.git_repo import GitRepo


@contextmanager
def at_step(step, action, times: int = 1) -> Iterator[None]:
    """Run `action` when the product reaches `step`, the first `times` times."""
    left = [times]

    def listen(reached: str) -> None:
        if reached == step and left[0] > 0:
            left[0] -= 1
            action()

    steps.listeners.append(listen)
    try:
        yield
    finally:
        steps.listeners.remove(listen)


def hold_index_lock(person) -> Path:
    lock = person.root / ".git" / "index.lock"
    lock.write_bytes(b"")
    return lock


def test_commit_holds_exactly_its_paths_and_leaves_a_clean_status(person, tool):
    commit = tool.write({"acme/importer/new.md": "new\n", "b.md": "b2\n", "a.md": None})
    assert person.git("rev-parse", "HEAD") == commit
    assert person.git("show", "--name-status", "--format=", "HEAD").splitlines() == [
        "D\ta.md",
        "A\tacme/importer/new.md",
        "M\tb.md",
    ]
    assert person.status() == ""
    assert person.git("branch", "--show-current") == "main"


def test_commit_of_what_head_holds_already_makes_none(person, tool):
    before = person.git("rev-parse", "HEAD")
    assert tool.write({"a.md": "a\n", "never-there.md": None}) is None
    assert person.git("rev-parse", "HEAD") == before


def test_commit_leaves_out_the_paths_that_did_not_change(person, tool):
    tool.write({"a.md": "a\n", "b.md": "b2\n"})
    assert person.git("show", "--name-only", "--format=", "HEAD") == "b.md"


def test_author_is_the_client_and_committer_the_product(person, tool):
    tool.write({"a.md": "a2\n"})
    assert person.git("log", "-1", "--format=%an <%ae>|%cn|%at|%s") == (
        "codex <codex@memory-mcp.invalid>|memory-mcp|1796040000|write-page: a.md"
    )


def test_staged_and_unstaged_edits_of_other_paths_stay_what_they_are(person, tool):
    person.put("b.md", "staged\n")
    person.git("add", "b.md")
    person.put("b.md", "staged and edited\n")
    person.put("untracked.md", "mine\n")
    tool.write({"a.md": "a2\n"})
    assert person.status() == "MM b.md\n?? untracked.md"
    person.git("commit", "-qm", "mine")
    assert person.git("show", "HEAD:b.md") == "staged"
    assert person.git("show", "HEAD:a.md") == "a2"


def test_next_commit_of_the_person_does_not_take_the_tools_change_back(person, tool):
    tool.write({"a.md": "a2\n", "new.md": "n\n", "b.md": None})
    person.git("commit", "-q", "--allow-empty", "-m", "mine")
    assert person.git("show", "HEAD:a.md") == "a2"
    assert person.git("show", "HEAD:new.md") == "n"
    assert person.git("ls-tree", "--name-only", "HEAD").split() == ["a.md", "new.md"]


def test_the_same_path_staged_by_the_person_stays_staged(person, tool):
    person.put("a.md", "theirs\n")
    person.git("add", "a.md")
    commit = tool.write({"a.md": "ours\n"})
    assert person.git("show", ":a.md") == "theirs"
    assert person.git("show", f"{commit}:a.md") == "ours"
    assert person.read("a.md") == "ours\n"


def test_a_mode_staged_by_the_person_survives_and_the_text_is_ours(person, tool):
    person.git("update-index", "--chmod=+x", "a.md")
    tool.write({"a.md": "ours\n"})
    assert person.git("show", ":a.md") == "ours"
    assert person.git("ls-files", "-s", "a.md").startswith("100755")


def test_an_intent_to_add_does_not_make_the_persons_next_commit_delete_the_page(person, tool):
    person.put("new.md", "draft\n")
    person.git("add", "-N", "new.md")
    tool.write({"new.md": "ours\n"})
    assert person.status() == ""
    person.git("commit", "-q", "--allow-empty", "-m", "mine")
    assert person.git("show", "HEAD:new.md") == "ours"


def test_an_executable_file_stays_executable(person, tool):
    person.git("update-index", "--chmod=+x", "a.md")
    person.git("commit", "-qm", "x")
    tool.write({"a.md": "a2\n"})
    assert person.git("ls-tree", "HEAD", "a.md").startswith("100755")


def test_a_file_takes_the_place_of_a_folder_and_the_reverse(person, tool):
    tool.write({"x/y.md": "1\n"})
    tool.commit({"x/y.md": None, "x": b"file\n", "a.md": None, "a.md/z.md": b"2\n"})
    assert person.git("ls-tree", "-r", "--name-only", "HEAD").split() == ["a.md/z.md", "b.md", "x"]


def test_index_lock_is_left_and_the_index_mended_later(person, tool):
    lock = hold_index_lock(person)
    commit = tool.write({"a.md": "a2\n"})
    assert lock.exists()
    assert person.git("rev-parse", "HEAD") == commit
    assert not tool.repo.may_need_repair()
    assert not tool.repo.mend_index()
    lock.unlink()
    assert tool.repo.may_need_repair()
    assert tool.repo.mend_index()
    assert person.status() == ""
    assert not tool.repo.may_need_repair()


def test_next_commit_mends_what_a_lock_held_up_in_several_commits(person, tool):
    lock = hold_index_lock(person)
    tool.write({"a.md": "a2\n"})
    tool.write({"a.md": "a3\n", "new.md": "1\n"})
    lock.unlink()
    tool.write({"b.md": "b2\n"})
    assert person.status() == ""
    assert not tool.repo.may_need_repair()


def test_mending_leaves_what_the_person_staged_meanwhile(person, tool):
    lock = hold_index_lock(person)
    tool.write({"a.md": "a2\n", "b.md": "b2\n"})
    lock.unlink()
    person.put("a.md", "theirs\n")
    person.git("add", "a.md")
    tool.repo.mend_index()
    assert person.git("show", ":a.md") == "theirs"
    assert person.status() == "M  a.md"


def test_kill_between_the_commit_and_the_index_is_mended_by_the_next_process(person, tool):
    def die() -> None:
        raise KeyboardInterrupt

    with at_step("git.ref-moved", die), pytest.raises(KeyboardInterrupt):
        tool.write({"a.md": "a2\n"})
    assert person.status() == "MM a.md"
    again = GitRepo(person.root)
    assert again.may_need_repair()
    assert again.commit({"a.md": b"a2\n"}, "x\n", None) is None
    assert person.status() == ""


def test_a_torn_line_of_the_note_is_passed_over(person, tool):
    lock = hold_index_lock(person)
    tool.write({"a.md": "a2\n"})
    lock.unlink()
    with (person.root / ".git/memory-mcp/index-mend").open("a", encoding="utf-8") as note:
        note.write('{"path": "b.m')
    assert tool.repo.mend_index()
    assert person.status() == ""


def test_head_that_moves_meanwhile_is_built_upon(person, tool):
    with at_step("git.imported", lambda: person.save("b.md", "by hand\n")):
        tool.write({"a.md": "a2\n"})
    assert person.git("show", "HEAD:b.md") == "by hand"
    assert person.git("show", "HEAD:a.md") == "a2"
    assert person.git("log", "-2", "--format=%s").splitlines() == ["write-page: a.md", "save b.md"]
    assert person.status() == ""


def test_a_branch_switched_meanwhile_takes_the_commit(person, tool):
    with at_step("git.imported", lambda: person.git("checkout", "-qb", "other")):
        commit = tool.write({"a.md": "a2\n"})
    assert person.git("rev-parse", "other") == commit
    assert person.git("rev-parse", "main") != commit


def test_a_head_that_never_rests_is_reported_as_busy(person, tool):
    counter = iter(range(100))
    move = lambda: person.git("commit", "-q", "--allow-empty", "-m", str(next(counter)))  # noqa: E731
    with at_step("git.imported", move, times=100), pytest.raises(Busy, match="but expected"):
        tool.commit({"a.md": b"a2\n"})
    assert person.git("show", "HEAD:a.md") == "a"


def test_a_ref_lock_left_by_a_killed_git_is_named(person, tool, monkeypatch):
    monkeypatch.setattr(git_repo, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(git_repo, "_TRIES", 2)
    (person.root / ".git/refs/heads/main.lock").write_bytes(b"")
    with pytest.raises(Busy, match=r"main\.lock"):
        tool.commit({"a.md": b"a2\n"})


HOOKS = (
    "pre-commit",
    "commit-msg",
    "post-commit",
    "reference-transaction",
    "post-index-change",
    "pre-auto-gc",
)


def test_hooks_signing_and_editors_of_the_person_neither_run_nor_fail_the_commit(person, tool, tmp_path):
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in HOOKS:
        (hooks / name).write_text(f"#!/bin/sh\necho {name} >> {tmp_path}/ran\nexit 1\n", encoding="utf-8")
        (hooks / name).chmod(0o755)
    person.config.write_text(
        f"[core]\n\thooksPath = {hooks}\n\teditor = false\n\tfsmonitor = false\n"
        "[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = false\n[user]\n\tuseConfigOnly = true\n"
        "[log]\n\tshowSignature = true\n\tfollow = true\n[credential]\n\thelper = false\n",
        encoding="utf-8",
    )
    for name in HOOKS:
        target = person.root / ".git" / "hooks" / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes((hooks / name).read_bytes())
        target.chmod(0o755)
    assert tool.write({"a.md": "a2\n"})
    assert tool.repo.log(["a.md"], 1)[0].subject == "write-page: a.md"
    assert not (tmp_path / "ran").exists()
    assert person.git("show", "HEAD:a.md") == "a2"


def test_a_broken_configuration_of_the_person_does_not_fail_the_commit(person, tool):
    person.config.write_text("[core\nnonsense", encoding="utf-8")
    assert tool.write({"a.md": "a2\n"})


def test_variables_about_another_repository_do_not_reach_git(person, tool, tmp_path, monkeypatch):
    other = tmp_path / "other"
    subprocess.run(["git", "init", "-q", other], check=True)
    for name, value in {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / "index"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git/objects"),
        "GIT_COMMON_DIR": str(other / ".git"),
        "GIT_NAMESPACE": "elsewhere",
        "GIT_QUARANTINE_PATH": str(other),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.bare",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
        "GIT_GLOB_PATHSPECS": "1",
        "GIT_AUTHOR_NAME": "Somebody Else",
        "GIT_PREFIX": "sub/",
    }.items():
        monkeypatch.setenv(name, value)
    fresh = GitRepo(person.root)
    commit = fresh.commit({"a.md": b"a2\n"}, "write: a.md\n", _signature())
    for name in list(os.environ):
        if name.startswith("GIT_") and name not in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
            monkeypatch.delenv(name)
    assert person.git("rev-parse", "HEAD") == commit
    assert person.git("log", "-1", "--format=%an") == "codex"
    person.put("a.md", "a2\n")
    assert person.status() == ""
    assert not (other / "index").exists()


def _signature():
    from datetime import datetime, timezone

    from memory_mcp.model.actor import Actor
    from memory_mcp.store.commit_message import actor_signature

    return actor_signature(Actor("codex"), datetime(2026, 11, 30, tzinfo=timezone.utc))


def test_packed_refs_are_read(person, tool):
    person.git("pack-refs", "--all", "--prune")
    assert not (person.root / ".git/refs/heads/main").exists()
    assert tool.repo.head().commit == person.git("rev-parse", "HEAD")
    assert tool.write({"a.md": "a2\n"})
    assert person.status() == ""


@pytest.mark.parametrize("kind", ["worktree", "separate"])
def test_a_git_file_instead_of_a_folder_works(person, tool, tmp_path, kind, config):
    root = tmp_path / kind
    if kind == "worktree":
        person.git("worktree", "add", "-q", "-b", "side", str(root))
    else:
        person.git(
            "clone", "-q", "--separate-git-dir", str(tmp_path / "store.git"), str(person.root), str(root)
        )
    assert (root / ".git").is_file()
    other = type(person)(root, config)
    beside = type(tool)(GitRepo(root))
    lock = Path(other.git("rev-parse", "--absolute-git-dir")) / "index.lock"
    lock.write_bytes(b"")
    commit = beside.write({"a.md": "there\n"})
    lock.unlink()
    beside.write({"new.md": "n\n"})
    assert other.git("rev-parse", "HEAD~1") == commit
    assert other.status() == ""
    assert person.status() == ""
    assert person.git("show", "HEAD:a.md") == "a"


@pytest.mark.parametrize(
    "path",
    [
        "with space/and 'quotes'.md",
        'double "quotes".md',
        "back\\slash.md",
        "頁面/メモ.md",
        "-dash.md",
        "--help",
        ":(glob)magic*.md",
        "star*[x]?.md",
        "new\nline.md",
        "tab\there.md",
        "e\u0301 and \xe9.md",
        "\U0001f44d.md",
        "not-utf8-\udcff.md",
        "x" * 200 + ".md",
    ],
)
def test_odd_paths_are_committed_read_and_listed(person, tool, path):
    file = person.root / os.fsdecode(path.encode("utf-8", "surrogateescape"))
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"odd\n")
    assert tool.repo.uncommitted("") == [path]
    assert tool.repo.differs_from_head([path]) == [path]
    tool.commit({path: b"odd\n"})
    assert person.status() == ""
    assert tool.repo.differs_from_head([path]) == []
    assert tool.repo.log([path], 5)[0].paths == (path,)
    assert path in tool.repo.at_head("")
    tool.commit({path: None})
    assert path not in tool.repo.at_head("")


def test_an_empty_repository_takes_its_first_commit(tmp_path, config, person, tool):
    root = tmp_path / "empty"
    repo = GitRepo.init(root)
    assert repo.head().commit is None
    assert repo.head().branch == "refs/heads/main"
    assert repo.blobs(["a.md"]) == {"a.md": None}
    assert (repo.log(["a.md"], 5), repo.recent_changes("", 5), repo.at_head("")) == ([], {}, set())
    assert (repo.uncommitted(""), repo.conflicted(""), repo.differs_from_head(["a.md"])) == ([], [], [])
    assert repo.last_holder("a.md") is None
    commit = type(tool)(repo).write({"a.md": "a\n"})
    assert type(person)(root, config).status() == ""
    assert repo.head().commit == commit


def test_init_is_idempotent_and_takes_no_hooks(tmp_path, config):
    template = tmp_path / "template/hooks"
    template.mkdir(parents=True)
    (template / "pre-commit").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    config.write_text(
        f"[init]\n\ttemplateDir = {template.parent}\n\tdefaultBranch = trunk\n", encoding="utf-8"
    )
    repo = GitRepo.init(tmp_path / "w")
    GitRepo.init(tmp_path / "w")
    assert repo.head().branch == "refs/heads/main"
    assert not (tmp_path / "w/.git/hooks").exists()


def test_a_sha256_repository_works(tmp_path, config, person, tool):
    root = tmp_path / "sha256"
    subprocess.run(["git", "init", "-q", "-b", "main", "--object-format=sha256", root], check=True)
    other = type(person)(root, config)
    beside = type(tool)(GitRepo(root))
    assert len(beside.write({"a.md": "a\n"})) == 64
    assert beside.write({"a.md": "a\n"}) is None
    beside.write({"a.md": "a2\n", "b.md": "b\n"})
    beside.write({"b.md": None})
    assert other.status() == ""
    assert beside.repo.differs_from_head(["a.md", "b.md"]) == []
    other.git("fsck", "--strict")


def test_no_git_on_the_path_is_one_sentence(person, tmp_path, monkeypatch):
    repo = GitRepo(person.root)
    assert repo.head().commit
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="git is not installed"):
        repo.blobs(["a.md"])


def test_a_git_that_hangs_is_stopped(person, tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").write_text("#!/bin/sh\nexec sleep 30\n", encoding="utf-8")
    (tmp_path / "bin/git").chmod(0o755)
    repo = GitRepo(person.root)
    repo.blobs(["a.md"])
    monkeypatch.setattr(git_run, "TIMEOUT_SECONDS", 0.2)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    with pytest.raises(Unavailable, match="did not finish"):
        repo.blobs(["b.md"])


def test_no_git_at_import_is_the_same_sentence(person, tmp_path):
    script = (
        "from pathlib import Path; from memory_mcp.errors import Unavailable\n"
        "from memory_mcp.store.git_repo import GitRepo\n"
        f"repo = GitRepo(Path({str(person.root)!r}))\n"
        "for _ in range(2):\n"
        "    try: repo.blobs(['a.md'])\n"
        "    except Unavailable as error: print(error)\n"
    )
    done = _python(script, PATH=str(tmp_path))
    assert done.count("git is not installed") == 2


def test_importing_the_repository_modules_does_not_import_gitpython(person):
    script = (
        "import sys\nfrom pathlib import Path\nimport memory_mcp.store.wiki_repos as w\n"
        f"repos = w.WikiRepos(Path({str(person.root)!r}))\n"
        "repos.may_need_repair(); repos.repo_of('acme/p/x.md')[0].head()\n"
        "print('git' in sys.modules)\n"
    )
    assert _python(script) == "False\n"


def _python(script: str, **environment: str) -> str:
    import sys

    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(Path(git_repo.__file__).parents[2]), **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_folder_that_is_no_repository_is_one_sentence(tmp_path):
    with pytest.raises(Unavailable, match="git repository"):
        GitRepo(tmp_path).commit({"a.md": b""}, "x\n", _signature())


def test_a_repository_around_the_wiki_is_never_written_to(person, tmp_path):
    inner = person.root / "wiki"
    (inner / ".git").mkdir(parents=True)
    with pytest.raises(Unavailable):
        GitRepo(inner).commit({"a.md": b"x"}, "x\n", _signature())
    assert person.git("log", "--format=%s") == "first"


def test_a_reftable_is_refused_with_the_way_out(person):
    (person.root / ".git/HEAD").write_text("ref: refs/heads/.invalid\n", encoding="utf-8")
    with pytest.raises(Unavailable, match="refs migrate"):
        GitRepo(person.root).head()


def test_a_full_disk_for_objects_is_reported_and_leaves_no_crash_file(person, tool, monkeypatch):
    objects = person.root / ".git/objects/pack"
    before = person.git("rev-parse", "HEAD")
    for each in objects.iterdir():
        each.unlink()
    objects.rmdir()
    objects.write_bytes(b"")
    with pytest.raises(Unavailable, match="git refused"):
        tool.commit({"a.md": b"a2\n"})
    assert person.git("rev-parse", "HEAD") == before
    assert not list((person.root / ".git").glob("fast_import_crash*"))


def test_a_refused_import_leaves_no_crash_report(person, tool):
    with pytest.raises(Unavailable, match="git refused"):
        import_commit(tool.repo.run, "f" * 40, {"a.md": b"x"}, {}, "m\n", _signature(), 40)
    assert not list((person.root / ".git").glob("fast_import_crash*"))


def test_an_unresolved_conflict_in_the_index_stays_the_persons(person, tool):
    person.git("checkout", "-qb", "side")
    person.save("b.md", "side\n")
    person.git("checkout", "-q", "main")
    person.git("rm", "-q", "b.md")
    person.git("commit", "-qm", "gone")
    person.fails("merge", "side")
    tool.write({"b.md": "ours\n"})
    assert tool.repo.conflicted("") == ["b.md"]


def test_thousands_of_paths_fit_in_one_commit(person, tool):
    pages = {f"acme/p{i % 50}/page-{i}.md": b"%d\n" % i for i in range(2000)}
    assert tool.commit(pages)
    assert tool.repo.at_head("acme/p7") == {path for path in pages if path.startswith("acme/p7/")}
    assert tool.commit(pages) is None
    person.git("checkout", "-q", "--", ".")
    assert person.status() == ""
