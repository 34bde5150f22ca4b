"""Runs one function in Python: takes calls from the Lambda Runtime API, one at a time, and returns what the handler returns.

AWS Lambda Developer Guide, "Using the Lambda runtime API for custom runtimes".
"""

import http.client
import importlib
import json
import os
import sys
import threading
import time
import traceback

API = os.environ["AWS_LAMBDA_RUNTIME_API"]
# Shows the API which process asks. The function's own code has no use for it.
TOKEN = os.environ.pop("LOCAL_RUNTIME_TOKEN", "")


class Context:
    """What a handler gets as its second argument."""

    function_name = os.environ["AWS_LAMBDA_FUNCTION_NAME"]
    function_version = os.environ["AWS_LAMBDA_FUNCTION_VERSION"]
    memory_limit_in_mb = os.environ["AWS_LAMBDA_FUNCTION_MEMORY_SIZE"]
    log_group_name = os.environ["AWS_LAMBDA_LOG_GROUP_NAME"]
    log_stream_name = os.environ["AWS_LAMBDA_LOG_STREAM_NAME"]
    identity = None
    client_context = None

    def __init__(self, headers):
        self.aws_request_id = headers["lambda-runtime-aws-request-id"]
        self.invoked_function_arn = headers["lambda-runtime-invoked-function-arn"]
        self._deadline_ms = int(headers["lambda-runtime-deadline-ms"])

    def get_remaining_time_in_millis(self):
        return max(0, self._deadline_ms - int(time.time() * 1000))


def ask(method, path, body=None):
    connection = http.client.HTTPConnection(API)
    try:
        headers = {"x-local-runtime-token": TOKEN, "content-type": "application/json"}
        connection.request(method, "/2018-06-01/runtime/" + path, body, headers)
        response = connection.getresponse()
        return response.headers, response.read()
    finally:
        connection.close()


def report(path, error):
    """Reports a failure of the function's code, and leaves its trace in the log."""
    traceback.print_exception(error)
    what = {
        "errorType": type(error).__name__,
        "errorMessage": str(error),
        "stackTrace": traceback.format_tb(error.__traceback__),
    }
    ask("POST", path, json.dumps(what))


def load_handler():
    module, _, name = os.environ["_HANDLER"].rpartition(".")
    sys.path.insert(0, os.environ["LAMBDA_TASK_ROOT"])
    return getattr(importlib.import_module(module.replace("/", ".")), name)


def end_with_runner():
    # The runner holds the other end of this pipe: when it is killed, a call in flight must not outlive it.
    os.read(3, 1)
    os._exit(1)


def main():
    threading.Thread(target=end_with_runner, daemon=True).start()
    try:
        handler = load_handler()
    except Exception as error:
        report("init/error", error)
        sys.exit(1)
    while True:
        headers, event = ask("GET", "invocation/next")
        context = Context(headers)
        invocation = "invocation/" + context.aws_request_id
        try:
            answer = json.dumps(handler(json.loads(event), context), ensure_ascii=False)
        except Exception as error:
            report(invocation + "/error", error)
        else:
            ask("POST", invocation + "/response", answer.encode())


main()
