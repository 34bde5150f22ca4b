"""Finds files of a folder by words of their names: prints what matches each line that you type."""

import os
import sys
import threading

from integration_gateway import GatewayClient, ProviderError

FIELDS = "id,name,mimeType,trashed,parents"
FOLDER = os.environ["FOLDER_ID"]
CONNECTION = os.environ["CONNECTION_ID"]
gateway = GatewayClient(os.environ["GATEWAY_BASE_URL"], os.environ["GATEWAY_SECRET_KEY"])
drive = gateway.connection("google-drive", CONNECTION)
index = {}


def add_below(folder):
    where = f"'{folder}' in parents and trashed = false"
    params = {"corpora": "allDrives", "includeItemsFromAllDrives": True, "supportsAllDrives": True, "q": where}
    params["fields"] = f"nextPageToken,files({FIELDS})"
    for file in drive.items("/drive/v3/files", params=params):
        add(file)


def add(file, moved=True):
    has_below = file["mimeType"].endswith(".folder") and (moved or file["id"] not in index)
    if file["id"] != FOLDER:
        index[file["id"]] = file
    if has_below:
        add_below(file["id"])


def is_below(file):
    return file["id"] == FOLDER or any(parent == FOLDER or parent in index for parent in file.get("parents", []))


def drop(id):
    index.pop(id, None)
    for file in list(index.values()):
        if id in file.get("parents", []):
            drop(file["id"])


def read(id):
    params = {"supportsAllDrives": True, "fields": FIELDS}
    try:
        return drive.get(f"/drive/v3/files/{id}", params=params).json()
    except ProviderError as error:
        if error.status == 404:
            return None
        raise


def search():
    for word in sys.stdin:
        for file in list(index.values()):
            if word.strip() in file["name"]:
                print("found", file["id"], file["name"], flush=True)


watched = {"provider_config_key": "google-drive", "connection_id": CONNECTION, "resource": f"folder:{FOLDER}"}
feed = gateway.feeds.create(**watched)
while feed["state"] == "starting":
    feed = gateway.feeds.pull(feed["id"])
add_below(FOLDER)
print("indexed", len(index), flush=True)
threading.Thread(target=search, daemon=True).start()

for batch in gateway.changes(feed["id"], after=feed["last_sequence"]):
    if batch["kind"] == "gap":
        index.clear()
        add_below(FOLDER)
    for change in batch["changes"]:
        file = None if change["removed"] else read(change["id"])
        if file is not None and not file["trashed"] and is_below(file):
            add(file, change.get("subtree", False))
        else:
            drop(change["id"])
        print(change["id"], index.get(change["id"], {"name": "is gone"})["name"], flush=True)
