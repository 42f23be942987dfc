"""Which scope a call means, from its arguments, markers, repositories and folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_mcp.errors import InvalidInput, NotFound, UserError
from memory_mcp.model.scope import GLOBAL, ResolvedScope, Scope
from memory_mcp.wiki.marker import MARKER_NAME
from memory_mcp.wiki.scope_resolve import ScopeResolver

CALLER = "default"


class Places:
    """A home folder, a folder outside it, and a wiki."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home/ana"
        self.outside = root / "srv"
        self.wiki = root / "data/wiki"
        for folder in (self.home, self.outside, self.wiki):
            folder.mkdir(parents=True)

    def folder(self, path: Path) -> Path:
        path.mkdir(parents=True, exist_ok=True)
        return path

    def repository(self, path: Path) -> Path:
        (path / ".git").mkdir(parents=True)
        (path / ".git/HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        return path

    def worktree(self, main: Path, path: Path) -> Path:
        private = main / ".git/worktrees" / path.name
        private.mkdir(parents=True)
        (private / "commondir").write_text("../..\n", encoding="utf-8")
        self.folder(path)
        (path / ".git").write_text(f"gitdir: {private}\n", encoding="utf-8")
        return path

    def mark(self, folder: Path, text: str) -> None:
        (self.folder(folder) / MARKER_NAME).write_text(text, encoding="utf-8")

    def scopes(self, *names: str) -> None:
        for name in names:
            self.folder(self.wiki / name)

    def resolver(self, start: Path) -> ScopeResolver:
        return ScopeResolver(self.wiki, start, self.home, CALLER)

    def read(self, start: Path) -> str:
        return str(self.resolver(start).resolve_read().scope)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path)


# Nothing explicit, no marker.


def test_a_repository_gives_its_name_to_all_its_subfolders_and_worktrees(places: Places) -> None:
    main = places.repository(places.home / "code/Pangolin Importer")
    linked = places.worktree(main, places.outside / "fix-1")
    expected = ResolvedScope(Scope("default", "pangolin-importer"), "repository", str(main))
    for start in (main, places.folder(main / "src/deep"), linked, places.folder(linked / "src")):
        assert places.resolver(start).resolve_read() == expected
        assert places.resolver(start).resolve_write() == expected


def test_outside_a_checkout_the_folder_itself_is_the_project(places: Places) -> None:
    start = places.folder(places.outside / "data/Notes 2026")
    assert places.resolver(start).resolve_write() == ResolvedScope(
        Scope("default", "notes-2026"), "folder", str(start)
    )


def test_home_and_root_are_never_projects(places: Places) -> None:
    for start in (places.home, places.home.parent, Path("/")):
        resolver = places.resolver(start)
        assert resolver.resolve_read() == ResolvedScope(GLOBAL, "home", str(start))
        with pytest.raises(InvalidInput, match=f"the folder {start} is no project: pass project"):
            resolver.resolve_write()
        assert resolver.resolve_write(project="x").scope == Scope("default", "x")
        assert resolver.resolve_write(global_=True).scope == GLOBAL


def test_without_a_home_only_the_root_is_no_project(places: Places) -> None:
    assert ScopeResolver(places.wiki, Path("/"), None, CALLER).resolve_read().source == "home"
    resolver = ScopeResolver(places.wiki, places.home, None, CALLER)
    assert str(resolver.resolve_write().scope) == "default/ana"


def test_a_home_folder_that_is_a_repository_makes_no_project_of_its_subfolders(places: Places) -> None:
    places.repository(places.home)
    assert places.resolver(places.home).resolve_read().source == "home"
    assert places.resolver(places.folder(places.home / "stuff")).resolve_read().source == "folder"
    assert places.read(places.home / "stuff") == "default/stuff"
    assert places.read(places.repository(places.home / "code/real")) == "default/real"
    assert (
        places.read(places.worktree(places.home, places.outside / "dotfiles-fix")) == "default/dotfiles-fix"
    )


def test_a_symbolic_link_to_a_folder_is_that_folder(places: Places) -> None:
    main = places.repository(places.home / "code/proj")
    (places.outside / "shortcut").symlink_to(places.folder(main / "src"))
    assert places.read(places.outside / "shortcut") == "default/proj"
    (places.outside / "myhome").symlink_to(places.home)
    assert places.resolver(places.outside / "myhome").resolve_read().source == "home"


def test_a_home_behind_a_symbolic_link_is_home(places: Places) -> None:
    link = places.outside / "link"
    link.symlink_to(places.home)
    assert ScopeResolver(places.wiki, places.home, link, CALLER).resolve_read().source == "home"


def test_nothing_is_created_by_resolving(places: Places) -> None:
    resolver = places.resolver(places.repository(places.home / "proj"))
    resolver.resolve_read()
    resolver.resolve_write("acme", "new")
    resolver.resolve_write(project="other")
    assert list(places.wiki.iterdir()) == []


# Markers.


def test_the_nearest_marker_up_to_home_decides_and_none_is_merged(places: Places) -> None:
    places.mark(places.home, 'workspace = "private"\nproject = "all"\n[recall]\ndefault_global = true\n')
    places.mark(places.home / "work", 'workspace = "acme"\nproject = "tools"\n')
    start = places.repository(places.home / "work/a/b")
    resolved = places.resolver(start).resolve_read()
    assert resolved == ResolvedScope(
        Scope("acme", "tools"), "marker", str(places.home / "work" / MARKER_NAME)
    )
    marker = places.resolver(start).marker()
    assert marker and not marker.recall_default_global
    assert places.read(places.folder(places.home / "other/x")) == "private/all"
    assert places.read(places.home) == "private/all"


def test_the_walk_does_not_go_above_home(places: Places) -> None:
    places.mark(places.home.parent, 'workspace = "acme"\nproject = "x"\n')
    assert places.read(places.folder(places.home / "a")) == "default/a"


def test_outside_home_the_walk_ends_at_the_checkouts_root(places: Places) -> None:
    places.mark(places.outside, 'workspace = "acme"\nproject = "x"\n')
    main = places.repository(places.outside / "proj")
    assert places.read(places.folder(main / "src")) == "default/proj"
    places.mark(main, 'workspace = "acme"\n')
    assert places.read(main / "src") == "acme/proj"


def test_outside_home_and_checkouts_only_the_folder_itself_is_looked_at(places: Places) -> None:
    places.mark(places.outside, 'workspace = "acme"\nproject = "x"\n')
    assert places.read(places.outside) == "acme/x"
    assert places.read(places.folder(places.outside / "sub")) == "default/sub"


def test_a_marker_for_others_is_passed_by(places: Places) -> None:
    places.mark(places.home / "work", 'workspace = "acme"\n')
    start = places.repository(places.home / "work/proj")
    places.mark(start, '[capture]\nignore_paths = ["x"]\n[wiki]\nformat = 1\n[lint]\nselect = []\n')
    assert places.read(start) == "acme/proj"


@pytest.mark.parametrize("strategy", ["", 'project_strategy = "repo-root"\n'])
def test_a_marker_without_a_project_leaves_it_to_the_repository(places: Places, strategy: str) -> None:
    places.mark(places.home / "work", f'workspace = "acme"\n{strategy}')
    main = places.repository(places.home / "work/proj")
    linked = places.worktree(main, places.home / "work/trees/fix")
    for start in (places.folder(main / "src"), linked):
        assert places.read(start) == "acme/proj"


def test_a_marker_without_a_project_outside_a_checkout_gives_its_folders_name(places: Places) -> None:
    places.mark(places.home / "Big Notes", 'workspace = "acme"\n')
    assert places.read(places.folder(places.home / "Big Notes/a/b")) == "acme/big-notes"


def test_a_marker_in_home_without_a_project_never_makes_home_one(places: Places) -> None:
    places.mark(places.home, 'workspace = "acme"\n')
    assert places.read(places.folder(places.home / "stuff")) == "acme/stuff"
    assert places.resolver(places.home).resolve_read() == ResolvedScope(GLOBAL, "home", str(places.home))
    with pytest.raises(InvalidInput, match="is no project"):
        places.resolver(places.home).resolve_write()
    assert places.resolver(places.home).resolve_write(project="x").scope == Scope("default", "x")


def test_a_worktree_without_a_marker_takes_that_of_its_main_worktree(places: Places) -> None:
    main = places.repository(places.home / "work/proj")
    places.mark(places.home / "work", 'workspace = "acme"\n')
    linked = places.worktree(main, places.outside / "fix")
    assert places.read(linked) == places.read(main) == "acme/proj"
    places.mark(linked, 'workspace = "own"\n')
    assert places.read(linked) == "own/proj"


def test_a_marker_written_meanwhile_counts_at_once(places: Places) -> None:
    start = places.repository(places.home / "proj")
    resolver = places.resolver(start)
    assert resolver.marker() is None
    places.mark(start, 'workspace = "acme"\n[briefing]\nmax_chars = 2000\n')
    assert str(resolver.resolve_read().scope) == "acme/proj"
    marker = resolver.marker()
    assert marker and marker.briefing_max_chars == 2000


def test_a_broken_marker_fails_what_needs_it_and_nothing_else(places: Places) -> None:
    start = places.repository(places.home / "proj")
    places.mark(start, "workspace = \n")
    places.scopes("acme/x")
    resolver = places.resolver(start)
    for resolve in (resolver.resolve_read, resolver.resolve_write, resolver.marker):
        with pytest.raises(InvalidInput, match="not valid TOML"):
            resolve()
    assert resolver.resolve_read("acme", "x").scope == Scope("acme", "x")
    with pytest.raises(NotFound):
        resolver.resolve_read("acme", "y")


# Explicit arguments.


def test_an_explicit_pair_is_exactly_that_scope(places: Places) -> None:
    places.scopes("acme/x", "default/x")
    resolver = places.resolver(places.home)
    expected = ResolvedScope(Scope("acme", "x"), "argument", "workspace and project")
    assert resolver.resolve_read(" acme ", "x") == expected
    assert resolver.resolve_write("acme", "x") == expected
    assert resolver.resolve_write("new", "y").scope == Scope("new", "y")


def test_reading_a_scope_that_is_not_there_names_the_nearest(places: Places) -> None:
    places.scopes("acme/importer", "other/zebra")
    resolver = places.resolver(places.home)
    with pytest.raises(NotFound, match=r"no scope acme/importr; nearest: acme/importer\."):
        resolver.resolve_read("acme", "importr")
    with pytest.raises(NotFound, match=r"no scope acme/zebra; nearest: other/zebra"):
        resolver.resolve_read("acme", "zebra")
    with pytest.raises(NotFound, match=r"no scope qqq/qqq; the first page written there creates it\."):
        resolver.resolve_read("qqq", "qqq")


def test_the_processs_own_scope_may_be_named_before_its_first_page(places: Places) -> None:
    resolver = places.resolver(places.repository(places.home / "proj"))
    assert resolver.resolve_read("default", "proj").scope == Scope("default", "proj")
    assert resolver.resolve_read(project="proj").scope == Scope("default", "proj")
    assert resolver.parse_scopes(["default/proj"]) == (Scope("default", "proj"),)


def test_a_project_alone_is_looked_for_in_the_active_workspace_then_in_default(places: Places) -> None:
    places.scopes("acme/both", "default/both", "default/fallback", "other/far", "third/far")
    start = places.repository(places.home / "proj")
    places.mark(start, 'workspace = "acme"\n')
    resolver = places.resolver(start)
    for resolve in (resolver.resolve_read, resolver.resolve_write):
        assert str(resolve(project="both")) == "acme/both (by argument: project, in workspace acme)"
        assert (
            str(resolve(project="fallback"))
            == "default/fallback (by argument: project, in workspace default)"
        )
    with pytest.raises(
        NotFound, match=r"project = 'far' exists as other/far, third/far: give workspace as well"
    ):
        resolver.resolve_read(project="far")
    with pytest.raises(NotFound, match="no scope acme/bot; nearest: acme/both"):
        resolver.resolve_read(project="bot")
    assert resolver.resolve_write(project="new").scope == Scope("acme", "new")


def test_blank_arguments_count_as_absent(places: Places) -> None:
    start = places.repository(places.home / "proj")
    assert places.resolver(start).resolve_read(" ", "\t").source == "repository"
    assert places.resolver(start).resolve_write("", " ").source == "repository"


def test_the_global_project_is_there_from_the_start_and_only_once(places: Places) -> None:
    resolver = places.resolver(places.home)
    assert resolver.resolve_read("default", "_global").scope == GLOBAL
    assert resolver.resolve_read(project="_global").scope == GLOBAL
    places.scopes("acme/_global")
    for resolve in (resolver.resolve_read, resolver.resolve_write):
        with pytest.raises(InvalidInput, match="'_global' exists in workspace 'default' only, not in 'acme'"):
            resolve("acme", "_global")
    with pytest.raises(InvalidInput, match="'_global' exists in workspace 'default' only"):
        resolver.parse_scopes(["acme/_global"])


@pytest.mark.parametrize(
    ("workspace", "project", "words"),
    [
        ("acme", "", "workspace = 'acme' without project: both must be given together"),
        ("", "acme/importer", "give workspace = 'acme' and project = 'importer' apart"),
        ("acme/importer", "", "give workspace = 'acme' and project = 'importer' apart"),
        ("_callers", "ana", "'_callers' is reserved for the memories of callers"),
        ("_callers", "", "'_callers' is reserved for the memories of callers"),
        ("", "_callers", "project = '_callers' is not a scope name"),
        ("_Callers", "ana", "workspace = '_Callers' is not a scope name"),
        ("..", "x", "workspace = '..' is not a scope name"),
        ("acme", "..", "project = '..' is not a scope name"),
        ("acme", "a/../b", "project = 'a/../b' is not a scope name"),
        ("acme", "/etc", "project = '/etc' is not a scope name"),
        ("acme", "a\nb", "is not a scope name"),
        ("acme", "a\0", "is not a scope name"),
        ("acme", "x" * 101, "at most 100 characters"),
        ("Acme", "x", "workspace = 'Acme' is not a scope name"),
        ("acme", "nul", "project = 'nul' is not a scope name"),
    ],
)
def test_names_that_no_scope_may_have_are_refused_for_reads_and_writes(
    places: Places, workspace: str, project: str, words: str
) -> None:
    places.scopes("_callers/ana")
    resolver = places.resolver(places.home)
    for resolve in (resolver.resolve_read, resolver.resolve_write):
        with pytest.raises(UserError) as refused:
            resolve(workspace, project)
        assert words in str(refused.value)


def test_global_and_a_project_exclude_each_other(places: Places) -> None:
    with pytest.raises(InvalidInput, match="excludes workspace and project"):
        places.resolver(places.home).resolve_write("acme", "x", global_=True)


# Lists of scopes.


def test_a_list_of_scopes_is_in_order_and_each_once(places: Places) -> None:
    places.scopes("acme/x", "acme/y")
    scopes = places.resolver(places.home).parse_scopes(["acme/y", "acme/x", "acme/y", "default/_global"])
    assert scopes == (Scope("acme", "y"), Scope("acme", "x"), GLOBAL)


def test_a_list_of_scopes_must_be_short_well_formed_and_real(places: Places) -> None:
    places.scopes("acme/x", "_callers/ana")
    resolver = places.resolver(places.home)
    with pytest.raises(InvalidInput, match="holds 26 entries; at most 25"):
        resolver.parse_scopes(["acme/x"] * 26)
    assert resolver.parse_scopes(["acme/x"] * 25) == (Scope("acme", "x"),)
    with pytest.raises(NotFound, match="no scope acme/xx; nearest: acme/x"):
        resolver.parse_scopes(["acme/x", "acme/xx"])
    for text in ("acme", "acme/", "/x", "a/b/c", ""):
        with pytest.raises(InvalidInput, match="is not of the form 'workspace/project'"):
            resolver.parse_scopes([text])
    with pytest.raises(InvalidInput, match="reserved for the memories of callers"):
        resolver.parse_scopes(["_callers/ana"])
