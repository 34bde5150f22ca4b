"""Reads a file of Terraform's language and prints as JSON what it declares, what it refers to, and what its stack is given.

    python judge.py main.tf
"""

import json
import re
import sys
from typing import Any

import hcl2

REFERENCE = re.compile(r"(?:\bdata\.)?\baws_\w+\.\w+|\b(?:var|local)\.\w+(?:\.\w+)?")


def plain(name: str) -> str:
    return name.strip('"')


def blocks(kind: str) -> list[tuple[str, Any]]:
    """Blocks of a kind, such as `resource "aws_iam_role" "service"`, by their labels with dots."""
    found: list[tuple[str, Any]] = []
    for one in document.get(kind, []):
        for label, body in one.items():
            if kind == "variable":
                found.append((plain(label), body))
            else:
                found += [(f"{plain(label)}.{plain(name)}", inner) for name, inner in body.items()]
    return found


def texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    return [value] if isinstance(value, str) else []


with open(sys.argv[1]) as source:
    document = hcl2.load(source)
document.pop("__comments__", None)

declared = [name for name, _ in blocks("resource")]
declared += [f"data.{name}" for name, _ in blocks("data")]
declared += [f"var.{name}" for name, _ in blocks("variable")]
declared += [f"local.{name}" for one in document.get("locals", []) for name in one if not name.startswith("__")]
# Texts in quotes that are no expression, such as a description, refer to nothing.
expressions = [text for text in texts(document) if "${" in text]
stacks = [body for name, body in blocks("resource") if name.startswith("aws_cloudformation_stack.")]
print(
    json.dumps(
        {
            "declared": declared,
            "references": sorted({one for text in expressions for one in REFERENCE.findall(text)}),
            "parameters": [sorted(plain(name) for name in stack["parameters"]) for stack in stacks],
            "templates": [stack["template_body"] for stack in stacks],
        }
    )
)
