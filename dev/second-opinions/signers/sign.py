"""botocore signs each request of the file that is named, and prints its address and headers: one JSON object a line."""

import json
import sys

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials


def main():
    """Signs each line."""
    with open(sys.argv[1], encoding="utf-8") as lines:
        given = json.load(lines)
    credentials = Credentials(given["accessKeyId"], given["secretAccessKey"], given["sessionToken"])
    signer = SigV4Auth(credentials, "execute-api", given["region"])
    for one in given["requests"]:
        body = one["body"].encode()
        request = AWSRequest(method=one["method"], url=one["url"], headers=dict(one["headers"]), data=body)
        signer.add_auth(request)
        prepared = request.prepare()
        print(json.dumps({"url": prepared.url, "headers": dict(prepared.headers.items())}))


main()
