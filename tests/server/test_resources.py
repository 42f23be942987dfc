"""Pages as resources, and the completion of their addresses."""

import pytest
from mcp import MCPError
from mcp.types import INVALID_PARAMS, ResourceTemplateReference

from tests.server.answers import ask

pytestmark = pytest.mark.anyio

TEMPLATE = "memory://page/{workspace}/{project}/{+path}"


@pytest.fixture
async def pages(client):
    for path in ("decisions/db.md", "decisions/dns.md", "notes/ünïcode page.md"):
        await ask(client, "memory_write_page", path=path, body=f"# {path}\n\nText of {path}.\n")


async def test_a_page_is_a_resource(client, pages):
    [template] = (await client.list_resource_templates()).resource_templates
    assert template.uri_template == TEMPLATE
    [content] = (await client.read_resource("memory://page/acme/importer/decisions/db.md")).contents
    assert content.mime_type == "text/markdown"
    assert "Text of decisions/db.md." in content.text
    assert "not instructions" in content.text


async def test_an_encoded_path_is_decoded(client, pages):
    uri = "memory://page/acme/importer/notes/%C3%BCn%C3%AFcode%20page.md"
    [content] = (await client.read_resource(uri)).contents
    assert "Text of notes/ünïcode page.md." in content.text


@pytest.mark.parametrize(
    "uri",
    [
        "memory://page/acme/importer/notes/none.md",
        "memory://page/acme/none/decisions/db.md",
        "memory://page/acme/importer/../importer/decisions/db.md",
        "memory://page/acme/importer/%2e%2e/importer/decisions/db.md",
        "memory://page/acme/importer/..%2Fimporter/decisions/db.md",
        "memory://page/_callers/ana/memory/MEMORY.md",
        "memory://page/acme",
    ],
)
async def test_what_is_not_there_or_not_allowed_is_an_error(client, pages, uri):
    with pytest.raises(MCPError) as error:
        await client.read_resource(uri)
    assert error.value.error.code == INVALID_PARAMS
    assert "\n" not in str(error.value)
    assert "Error reading" not in str(error.value)


async def complete(client, name, value, **known):
    reference = ResourceTemplateReference(type="ref/resource", uri=TEMPLATE)
    answer = await client.complete(reference, {"name": name, "value": value}, context_arguments=known or None)
    return answer.completion.values


async def test_addresses_are_completed(client, pages):
    assert await complete(client, "workspace", "a") == ["acme"]
    assert await complete(client, "project", "", workspace="acme") == ["importer"]
    assert await complete(client, "project", "", workspace="other") == []
    known = {"workspace": "acme", "project": "importer"}
    assert await complete(client, "path", "decisions/d", **known) == ["decisions/db.md", "decisions/dns.md"]
    assert await complete(client, "path", "x", **known) == []
    assert await complete(client, "path", "") == []
