"""Asks moto's server as any client would, many calls in one process: what each answers, as a JSON array.

    python ask.py ENDPOINT REGION '[["s3", "head_object", {"Bucket": "...", "Key": "..."}], ...]'

A call that fails gives {"Error": "its code"}.
"""

import json
import sys
from typing import Any

import boto3
from botocore.exceptions import ClientError

endpoint, region, calls = sys.argv[1:]


def answer(service: str, operation: str, parameters: dict[str, Any]) -> Any:
    client = boto3.client(
        service,
        region_name=region,
        endpoint_url=endpoint,
        aws_access_key_id="AKIDEXAMPLE",
        aws_secret_access_key="secret",
    )
    try:
        answered = getattr(client, operation)(**parameters)
    except ClientError as error:
        return {"Error": error.response["Error"]["Code"]}
    answered.pop("ResponseMetadata", None)
    if "Body" in answered:
        answered["Body"] = answered["Body"].read().decode()
    return answered


print(json.dumps([answer(*call) for call in json.loads(calls)], default=str))
