"""The wheel in an environment that holds nothing else, used as a stranger would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from conftest import LocalGateway
from integration_gateway._requests import VERSION

PACKAGE_FOLDER = Path(__file__).resolve().parents[1]

PROGRAM = """
import asyncio, os
from integration_gateway import AsyncGatewayClient, GatewayClient, google_api

address = os.environ["GATEWAY_BASE_URL"], os.environ["GATEWAY_SECRET_KEY"]


def files() -> int:
    with GatewayClient(*address) as gateway:
        drive = gateway.connection("google-drive-writer", os.environ["CONNECTION_ID"])
        session = gateway.connect_sessions.create(end_user={"id": "user-1"})
        assert session["connect_link"].startswith("http")
        return len(drive.get("/drive/v3/files", params={"pageSize": 3}).data["files"])


async def same() -> int:
    async with AsyncGatewayClient(*address) as gateway:
        drive = gateway.connection("google-drive-writer", os.environ["CONNECTION_ID"])
        return len([file async for file in drive.items("/drive/v3/files", max_items=3)])


print(files(), asyncio.run(same()))
try:
    google_api(base_url=address[0], secret_key=address[1], provider_config_key="a", connection_id="b")
except ImportError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this folder."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(PACKAGE_FOLDER)]
    subprocess.run(command, check=True, capture_output=True)
    [found] = out.iterdir()
    return found


@pytest.fixture(scope="module")
def stranger(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    # Downloaded beforehand where the network may be gone; else from the package index.
    downloads = os.environ.get("PYTHON_PACKAGES_FOLDER")
    source = [] if downloads is None else ["--no-index", "--find-links", downloads]
    command = [str(python), "-m", "pip", "install", "--quiet", *source, str(wheel)]
    subprocess.run(command, check=True, capture_output=True)
    return python


def test_the_wheel_holds_the_package_and_its_types(wheel: Path) -> None:
    assert wheel.name == f"integration_gateway_client-{VERSION}-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    assert {"integration_gateway/py.typed", "integration_gateway/wire.py"} <= set(names)
    assert {name.split("/")[0] for name in names} == {
        "integration_gateway",
        f"integration_gateway_client-{VERSION}.dist-info",
    }


def test_a_program_runs_on_the_wheel_alone(stranger: Path, local_gateway: LocalGateway, tmp_path: Path) -> None:
    listed = subprocess.run(
        [str(stranger), "-m", "pip", "list", "--format=json"], check=True, capture_output=True, text=True
    ).stdout
    needed = {"anyio", "certifi", "exceptiongroup", "h11", "httpcore", "httpx", "idna", "typing-extensions"}
    own = {"integration-gateway-client", "pip", "setuptools"}
    assert {str(one["name"]).replace("_", "-") for one in json.loads(listed)} <= needed | own
    environment = {
        "PATH": os.environ["PATH"],
        "GATEWAY_BASE_URL": local_gateway.base_url,
        "GATEWAY_SECRET_KEY": local_gateway.secret_key,
        "CONNECTION_ID": local_gateway.drive_id,
    }
    ran = subprocess.run(
        [str(stranger), "-I", "-W", "error", "-c", PROGRAM],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "3 3\ngoogle_api needs Google's client: pip install google-api-python-client\n"


def test_a_strangers_types_are_checked(stranger: Path, tmp_path: Path) -> None:
    def check(text: str) -> subprocess.CompletedProcess[str]:
        program = tmp_path / "program.py"
        program.write_text(text)
        options = ["--strict", "--python-executable", str(stranger), "--cache-dir", str(tmp_path / "cache")]
        command = [sys.executable, "-m", "mypy", *options, str(program)]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)

    right = check(PROGRAM)
    assert right.returncode == 0, right.stdout
    wrong = check(
        PROGRAM.replace('{"id": "user-1"}', '{"ident": "user-1"}').replace('"pageSize": 3', '"pageSize": object()')
    )
    assert wrong.stdout.count("error:") == 2, wrong.stdout
    assert 'Argument "end_user"' in wrong.stdout
