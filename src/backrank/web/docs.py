"""`/docs`: the description of the API as a page, made here: the usual viewers load their scripts from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from importlib.resources import files
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, Response

from backrank.web.files import TYPES, tagged

router = APIRouter(include_in_schema=False)

_ORDER = ("get", "post", "put", "patch", "delete")


@router.api_route("/docs", methods=["GET", "HEAD"])
def page(request: Request) -> Response:
    """Return the description of the API for people."""
    app: FastAPI = request.app
    return HTMLResponse(rendered(app.openapi()), headers={"Cache-Control": "no-cache"})


@router.api_route("/docs.css", methods=["GET", "HEAD"])
def style(request: Request) -> Response:
    """Return the style sheet of that page."""
    return tagged(files("backrank.web").joinpath("docs.css").read_bytes(), TYPES["css"], request)


def rendered(document: Mapping[str, Any]) -> str:
    """Return an OpenAPI document as an HTML page.

    Examples
    --------
    >>> page = rendered({"info": {"title": "<T>", "version": "1"}, "paths": {}})
    >>> "<h1>&lt;T&gt; 1</h1>" in page
    True
    """
    info = document["info"]
    title = escape(f"{info['title']} {info['version']}")
    about = escape(info.get("description", ""))
    operations = list(_operations(document))
    links = "\n".join(f'<li><a href="#{key}"><b>{verb}</b> {path}</a></li>' for key, verb, path, _ in operations)
    bodies = "\n".join(body for *_, body in operations)
    schemas = document.get("components", {}).get("schemas", {})
    shapes = "\n".join(_shape(name, schemas[name]) for name in sorted(schemas))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="/docs.css">
</head>
<body>
<header><h1>{title}</h1><p>{about}</p><p><a href="/openapi.json">openapi.json</a> · <a href="/">the app</a></p></header>
<nav aria-label="Operations"><ul>{links}</ul></nav>
<main>{bodies}
<h2>Shapes</h2>
{shapes}
</main>
</body>
</html>
"""


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """Yield the anchor, the method, the path and the section of every operation."""
    for path, methods in document["paths"].items():
        for method in sorted(methods, key=_ORDER.index):
            operation = methods[method]
            key, verb, shown = escape(operation["operationId"]), method.upper(), escape(path)
            parts = [f'<section id="{key}"><h2><b>{verb}</b> {shown}</h2>']
            parts.append(f"<p>{escape(operation.get('description', ''))}</p>")
            parts += [
                f"<p><code>{escape(each['name'])}</code> ({each['in']}): {_type(each.get('schema', {}))}</p>"
                for each in operation.get("parameters", [])
            ]
            if "requestBody" in operation:
                parts.append(f"<p>Send {_contents(operation['requestBody'])}</p>")
            for status, answer in operation.get("responses", {}).items():
                parts.append(f"<p>{escape(status)}: {_contents(answer) or escape(answer.get('description', ''))}</p>")
            yield key, verb, shown, "".join(parts) + "</section>"


def _contents(described: Mapping[str, Any]) -> str:
    kinds = described.get("content", {}).items()
    return ", ".join(f"<code>{escape(media)}</code> {_type(each.get('schema', {}))}" for media, each in kinds)


def _shape(name: str, schema: Mapping[str, Any]) -> str:
    needed = schema.get("required", [])
    rows = [
        f"<tr><th><code>{escape(field)}</code></th><td>{_type(each)}</td><td>{_note(each, field in needed)}</td></tr>"
        for field, each in schema.get("properties", {}).items()
    ]
    about = escape(schema.get("description", ""))
    table = f"<h3>{escape(name)}</h3><p>{about}</p><table>{''.join(rows)}</table>"
    return f'<section id="shape-{escape(name)}">{table}</section>'


def _note(schema: Mapping[str, Any], needed: bool) -> str:
    words = [escape(schema["description"])] if "description" in schema else []
    if "default" in schema:
        words.append(f"<code>{escape(json.dumps(schema['default']))}</code> if not given")
    elif needed:
        words.append("always")
    return "; ".join(words)


def _type(schema: Mapping[str, Any]) -> str:
    """Return a schema in a few words, with links to the shapes it names."""
    if "$ref" in schema:
        name = escape(str(schema["$ref"]).rpartition("/")[2])
        return f'<a href="#shape-{name}">{name}</a>'
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(map(_type, schema[several]))
    if "enum" in schema:
        return " or ".join(f"<code>{escape(json.dumps(value))}</code>" for value in schema["enum"])
    if "const" in schema:
        return f"<code>{escape(json.dumps(schema['const']))}</code>"
    kind = str(schema.get("type", "anything"))
    return f"list of {_type(schema.get('items', {}))}" if kind == "array" else escape(kind)
