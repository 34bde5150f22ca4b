"""The dashboard's first call in Python, run as it is pasted."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from conftest import PROJECT_ROOT, LocalGateway

PRINT = """
import { snippets } from './packages/dashboard/src/model/snippets.ts';
const [baseUrl, connectionId] = process.argv.slice(1);
const firstCall = '/drive/v3/files?pageSize=5';
const facts = { baseUrl, proxyUrl: baseUrl, connectionId, firstCall, integrationId: 'google-drive-writer' };
console.log(snippets(facts).find(({ id }) => id === 'python').code);
"""


def test_the_first_call_of_the_dashboard_runs(local_gateway: LocalGateway) -> None:
    node = str(PROJECT_ROOT / "node_modules" / ".bin" / "node")
    ids = (local_gateway.base_url, local_gateway.drive_id)
    snippet = subprocess.run(
        [node, "--input-type=module", "-e", PRINT, *ids], cwd=PROJECT_ROOT, check=True, capture_output=True, text=True
    ).stdout
    environment = {**os.environ, "GATEWAY_SECRET_KEY": local_gateway.secret_key}
    ran = subprocess.run([sys.executable, "-c", snippet], env=environment, check=True, capture_output=True, text=True)
    assert len(json.loads(ran.stdout)["files"]) > 0
