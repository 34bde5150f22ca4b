"""What a client without options reads, as the environment of a function has it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from ._aws import AwsCredentialsSource
from ._secret import SecretText


@dataclass(frozen=True)
class _RoleCredentials:
    """Credentials of the role that Lambda puts into the environment; their secrets do not show themselves."""

    access_key: str
    secret_key: str = field(repr=False)
    token: str | None = field(repr=False)


@dataclass(frozen=True)
class Caller:
    """The address of a gateway, and who calls it."""

    base_url: str
    secret_key: SecretText | None
    aws_credentials: AwsCredentialsSource | None
    aws_region: str | None


def caller_of(
    base_url: str | None,
    secret_key: SecretText | None,
    aws_credentials: AwsCredentialsSource | None,
    aws_region: str | None,
) -> Caller:
    """The given options, or without any those of the environment.

    They are `GATEWAY_BASE_URL`, and `GATEWAY_SECRET_KEY` where it is set. Otherwise requests are signed, as in a
    function that `grantCall` of the construct lets call: with its `GATEWAY_REGION` and the credentials of its role.
    Raises ValueError that names the missing option or variable.
    """
    if base_url is not None:
        return Caller(base_url, secret_key, aws_credentials, aws_region)
    if secret_key is not None or aws_credentials is not None or aws_region is not None:
        raise ValueError("base_url is required with other options; a client without any reads the environment.")
    address = os.environ.get("GATEWAY_BASE_URL")
    if not address:
        raise ValueError(
            "A client without options reads GATEWAY_BASE_URL, which is not set: set it and GATEWAY_SECRET_KEY, give "
            "base_url and secret_key, or grantCall the function."
        )
    key = os.environ.get("GATEWAY_SECRET_KEY")
    if key:
        return Caller(address, SecretText(key), None, None)
    return Caller(address, None, _role_credentials, os.environ.get("GATEWAY_REGION") or None)


def _role_credentials() -> _RoleCredentials:
    return _RoleCredentials(
        os.environ.get("AWS_ACCESS_KEY_ID", ""),
        os.environ.get("AWS_SECRET_ACCESS_KEY", ""),
        os.environ.get("AWS_SESSION_TOKEN") or None,
    )
