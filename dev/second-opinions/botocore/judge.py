"""AWS's own client for Python signs, writes and reads what the lean client did, and prints what it did otherwise: one JSON object a line."""

import base64
import json
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import botocore.session
from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials
from botocore.parsers import create_parser
from botocore.serialize import create_serializer

SESSION = botocore.session.Session()
# What a request may carry unsigned: it is Node's own, or changed on the way.
UNSIGNED = {"authorization", "connection", "user-agent", "x-amzn-trace-id"}
# Members that the document clients of both sides translate, and lists and maps of them.
ITEMS = {"Key", "Item", "ExpressionAttributeValues", "ExclusiveStartKey", "Attributes", "LastEvaluatedKey"}
LISTS_OF_ITEMS = {"Keys", "Items"}
# Whose calls are made up to see where they go.
ANYBODY = {"aws_access_key_id": "a", "aws_secret_access_key": "b"}
CALLS = {
    "dynamodb": ("get_item", {"TableName": "gateway", "Key": {"pk": {"S": "a"}}}),
    "kms": ("decrypt", {"CiphertextBlob": b"a"}),
    "secretsmanager": ("get_secret_value", {"SecretId": "a"}),
}
CLOCKS_DIFFER_BY = timedelta(seconds=60)


def natives(value):
    """The tags that stand for what JSON does not have, taken off."""
    if isinstance(value, list):
        return [natives(one) for one in value]
    if not isinstance(value, dict):
        return Decimal(str(value)) if type(value) in (int, float) else value
    if set(value) == {"$bytes"}:
        return base64.b64decode(value["$bytes"])
    if set(value) == {"$set"}:
        return set(natives(value["$set"]))
    return {name: natives(one) for name, one in value.items()}


def numbers(value):
    """Decimals of a request that are not of an item, such as a limit, as the numbers that they are."""
    if isinstance(value, dict):
        return {name: numbers(one) for name, one in value.items()}
    if isinstance(value, list):
        return [numbers(one) for one in value]
    return int(value) if isinstance(value, Decimal) else value


def translated(value, translate, is_answer=False):
    """A request or an answer with its items translated by boto3."""
    if isinstance(value, list):
        return [translated(one, translate, is_answer) for one in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for name, one in value.items():
        if name in ITEMS:
            result[name] = {key: translate(attribute) for key, attribute in one.items()}
        elif name in LISTS_OF_ITEMS:
            result[name] = [{key: translate(attribute) for key, attribute in item.items()} for item in one]
        elif name == "Responses" and is_answer:
            result[name] = {
                table: [{key: translate(attribute) for key, attribute in item.items()} for item in items]
                for table, items in one.items()
            }
        else:
            result[name] = translated(one, translate, is_answer)
    return result


def deserialized(attribute):
    """As JavaScript has it: bytes are bytes."""
    value = TypeDeserializer().deserialize(attribute)

    def plain(one):
        if isinstance(one, Binary):
            return one.value
        if isinstance(one, list):
            return [plain(element) for element in one]
        return {name: plain(element) for name, element in one.items()} if isinstance(one, dict) else one

    return plain(value)


def signature_problems(call, request):
    """What botocore's signer says of one request."""
    access_key, secret_key, token = call["credentials"]
    headers = request["headers"]
    service = call["service"]
    sent = AWSRequest(
        method=request["method"],
        url=f"http://{headers['host']}{request['path']}",
        headers={name: value for name, value in headers.items() if name not in UNSIGNED},
        data=base64.b64decode(request["body"]),
    )
    sent.context["timestamp"] = headers["x-amz-date"]
    signer = SigV4Auth(Credentials(access_key, secret_key, token or None), service, call["region"])
    canonical = signer.canonical_request(sent)
    expected = (
        f"AWS4-HMAC-SHA256 Credential={signer.scope(sent)}, "
        f"SignedHeaders={signer.signed_headers(signer.headers_to_sign(sent))}, "
        f"Signature={signer.signature(signer.string_to_sign(sent, canonical), sent)}"
    )
    if headers["authorization"] != expected:
        yield f"is signed otherwise: {headers['authorization']} instead of {expected}"
    if headers.get("x-amz-security-token", "") != token:
        yield "has another session token"


def date_problems(call):
    """The last request of a call has the service's time."""
    last = call["requests"][-1]
    expected = datetime.fromtimestamp((last["receivedAtMs"] + call["skewMs"]) / 1000, timezone.utc)
    signed_at = datetime.strptime(last["headers"]["x-amz-date"], "%Y%m%dT%H%M%SZ")
    if abs(signed_at.replace(tzinfo=timezone.utc) - expected) > CLOCKS_DIFFER_BY:
        yield f"is dated {signed_at}, and it is {expected}"
    wanted = 1 if call["skewMs"] == 0 else 2
    if len(call["requests"]) != wanted:
        yield f"was sent {len(call['requests'])} times, not {wanted}"


def request_problems(call, model, operation, request):
    """What botocore would have sent for the same."""
    parameters = natives(call["input"])
    if call["service"] == "dynamodb":
        parameters = translated(parameters, TypeSerializer().serialize)
    expected = create_serializer(model.protocol).serialize_to_request(numbers(parameters), operation)
    body = json.loads(base64.b64decode(request["body"]))
    if unordered(body) != unordered(json.loads(expected["body"])):
        yield f"has another body: {json.dumps(body)[:500]} instead of {expected['body'][:500]!r}"
    for name, value in expected["headers"].items():
        if request["headers"].get(name.lower()) != value:
            yield f"has {name}: {request['headers'].get(name.lower())} instead of {value}"
    if (request["method"], request["path"]) != (expected["method"], expected["url_path"]):
        yield f"is {request['method']} {request['path']}"


def unordered(value):
    """Elements of sets come in any order."""
    if isinstance(value, dict):
        return {name: sorted(one) if name in ("SS", "NS", "BS") else unordered(one) for name, one in value.items()}
    return [unordered(one) for one in value] if isinstance(value, list) else value


def answer_problems(call, model, operation):
    """What botocore makes of the same answer."""
    response = {"status_code": 200, "headers": {}, "body": json.dumps(call["answer"]).encode()}
    parsed = create_parser(model.protocol).parse(response, operation.output_shape)
    parsed.pop("ResponseMetadata")
    expected = translated(parsed, deserialized, is_answer=True) if call["service"] == "dynamodb" else parsed
    output = natives(call["output"])
    if output != expected:
        yield f"reads {output} where botocore reads {expected}"


def call_problems(call):
    """All that botocore would have done otherwise in one call."""
    model = SESSION.get_service_model(call["service"])
    operation = model.operation_model(call["operation"])
    for request in call["requests"]:
        yield from signature_problems(call, request)
        yield from request_problems(call, model, operation, request)
    yield from date_problems(call)
    yield from answer_problems(call, model, operation)


class Refused(Exception):
    """Ends a call of botocore instead of sending it."""


def endpoint_problems(one):
    """Where botocore would send a call of the service."""
    sent_to = []

    def refuse(request, **_):
        sent_to.append("/".join(request.url.split("/")[:3]))
        raise Refused

    flags = {"use_fips_endpoint": one["fips"], "use_dualstack_endpoint": one["dualStack"]}
    config = Config(**flags, retries={"total_max_attempts": 1})
    client = SESSION.create_client(one["service"], one["region"], config=config, **ANYBODY)
    client.meta.events.register("before-send", refuse)
    operation, parameters = CALLS[one["service"]]
    try:
        getattr(client, operation)(**parameters)
    except Refused:
        pass
    if sent_to != [one["url"]]:
        yield f"is {one['url']}, and botocore's is {sent_to}"


def main():
    """Judges each line of the file that is named."""
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            one = json.loads(line)
            if one["kind"] == "call":
                what, problems = one["name"], call_problems(one)
            else:
                flags = " with FIPS" * one["fips"] + " with dual stack" * one["dualStack"]
                what, problems = f"the address of {one['service']} in {one['region']}{flags}", endpoint_problems(one)
            print(json.dumps({"check": what, "problems": list(problems)}))


main()
