"""Google's service-account client for Python works on a simulator, with a key and no setting of its own but the key's file."""

import json
import os

from google.auth.transport.requests import Request
from google.oauth2 import service_account

INFO = json.loads(os.environ["KEY_FILE"])
SCOPES = ["https://www.googleapis.com/auth/drive"]


def check(name, credentials):
    """One line for a refresh that must bring a token."""
    try:
        credentials.refresh(Request())
        problem = None if credentials.token else "no token came"
    except Exception as error:  # noqa: BLE001: whatever the client says is the finding
        problem = str(error)
    print(json.dumps({"check": name, "problem": problem}), flush=True)


base = service_account.Credentials.from_service_account_info(INFO, scopes=SCOPES)
check("google-auth for Python: the account itself", base)
check("google-auth for Python: a user of the domain", base.with_subject(os.environ["SUBJECT"]))
