"""The Drive half of the written scenario, with Google's Python client against a simulator; prints one JSON line a step."""

import io
import json
import os
import uuid

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError
from googleapiclient.http import MediaIoBaseDownload, MediaIoBaseUpload

BASE_URL = os.environ["SIMULATOR_URL"]
FOLDER = "application/vnd.google-apps.folder"
DOCUMENT = "application/vnd.google-apps.document"
OWNER, COLLEAGUE, OUTSIDER = (os.environ[name] for name in ("OWNER", "COLLEAGUE", "OUTSIDER"))

calls = 0


def client(token):
    """Addresses of the packaged discovery document, led to the simulator."""
    service = build("drive", "v3", credentials=Credentials(token), static_discovery=True, cache_discovery=False)
    send = service._http.request

    def counted(uri, *args, **kwargs):
        global calls
        calls += 1
        return send(uri.replace("https://www.googleapis.com", BASE_URL), *args, **kwargs)

    service._http.request = counted
    return service


owner, colleague, outsider = (client(os.environ[f"{name}_TOKEN"]) for name in ("OWNER", "COLLEAGUE", "OUTSIDER"))
ids = {}


def refused(request):
    try:
        answer = request.execute()
    except HttpError as error:
        return error.resp.status, json.loads(error.content)["error"]["errors"][0]["reason"]
    raise AssertionError(f"it was answered: {answer}")


def equal(actual, expected):
    assert actual == expected, f"{actual!r} is not {expected!r}"


def media(data, mime_type, resumable=False):
    return MediaIoBaseUpload(io.BytesIO(data), mime_type, chunksize=256 * 1024, resumable=resumable)


def introduces_itself():
    about = owner.about().get(fields="user,canCreateDrives,exportFormats").execute()
    equal((about["user"]["emailAddress"], about["canCreateDrives"]), (OWNER, True))
    assert len(about["exportFormats"][DOCUMENT]) > 8
    equal(refused(owner.about().get()), (400, "required"))
    ids["start"] = owner.changes().getStartPageToken().execute()["startPageToken"]
    ids["colleague start"] = colleague.changes().getStartPageToken().execute()["startPageToken"]


def writes_a_file_twice():
    ids["folder"] = owner.files().create(body={"name": "Launch", "mimeType": FOLDER}).execute()["id"]
    generated = owner.files().generateIds(count=1).execute()["ids"][0]
    body = {"id": generated, "name": "notes.txt", "parents": [ids["folder"]]}
    ids["notes"] = owner.files().create(body=body, media_body=media(b"one", "text/plain")).execute()["id"]
    equal(ids["notes"], generated)
    equal(refused(owner.files().create(body={"id": generated})), (409, "fileIdInUse"))
    large = os.urandom(300_000)
    changed = owner.files().update(
        fileId=generated, media_body=media(large, "application/octet-stream", resumable=True), fields="size"
    )
    equal(changed.execute(), {"size": "300000"})
    out = io.BytesIO()
    loader, done = MediaIoBaseDownload(out, owner.files().get_media(fileId=generated), chunksize=200_000), False
    while not done:
        _, done = loader.next_chunk()
    equal(out.getvalue(), large)


def keeps_revisions():
    listed = owner.revisions().list(fileId=ids["notes"], fields="revisions(id,size)").execute()["revisions"]
    equal([one["size"] for one in listed], ["3", "300000"])
    first, head = (one["id"] for one in listed)
    of_first = {"fileId": ids["notes"], "revisionId": first}
    equal(owner.revisions().get_media(**of_first).execute(), b"one")
    equal(owner.revisions().update(**of_first, body={"keepForever": True}, fields="keepForever").execute(), {"keepForever": True})
    equal(owner.revisions().get(**of_first, fields="originalFilename").execute(), {"originalFilename": "notes.txt"})
    equal(refused(owner.revisions().delete(fileId=ids["notes"], revisionId=head))[0], 403)
    equal(owner.revisions().delete(**of_first).execute(), "")


def converts_and_exports():
    body = {"name": "Plan", "mimeType": DOCUMENT, "parents": [ids["folder"]]}
    created = owner.files().create(body=body, media_body=media(b"<p>Plan of the launch</p>", "text/html"), fields="id,exportLinks")
    made = created.execute()
    ids["plan"] = made["id"]
    assert "text/markdown" in made["exportLinks"]
    assert b"Plan of the launch" in owner.files().export(fileId=ids["plan"], mimeType="text/plain").execute()
    assert owner.files().export(fileId=ids["plan"], mimeType="application/pdf").execute().startswith(b"%PDF")
    equal(refused(owner.files().export(fileId=ids["notes"], mimeType="text/plain")), (403, "fileNotExportable"))
    ids["copy"] = owner.files().copy(fileId=ids["plan"], body={"name": "Plan B"}).execute()["id"]
    operation = owner.files().download(fileId=ids["notes"]).execute()
    assert owner.operations().get(name=operation["name"]).execute()["done"] is True
    target = {"name": "Way", "mimeType": "application/vnd.google-apps.shortcut", "shortcutDetails": {"targetId": ids["plan"]}}
    equal(owner.files().create(body=target, fields="shortcutDetails").execute()["shortcutDetails"]["targetMimeType"], DOCUMENT)


def shares_step_by_step():
    plan, folder = ids["plan"], ids["folder"]
    equal(refused(colleague.files().get(fileId=plan)), (404, "notFound"))
    person = {"type": "user", "role": "reader", "emailAddress": COLLEAGUE}
    ids["permission"] = owner.permissions().create(fileId=folder, body=person).execute()["id"]
    seen = colleague.files().get(fileId=plan, fields="ownedByMe,capabilities/canEdit").execute()
    equal(seen, {"ownedByMe": False, "capabilities": {"canEdit": False}})
    equal(refused(colleague.files().update(fileId=plan, body={"name": "Mine"})), (403, "insufficientFilePermissions"))
    equal(refused(colleague.permissions().list(fileId=plan)), (403, "insufficientFilePermissions"))
    raised = owner.permissions().update(fileId=folder, permissionId=ids["permission"], body={"role": "commenter"})
    equal(raised.execute()["role"], "commenter")
    details = owner.permissions().get(fileId=plan, permissionId=ids["permission"], fields="permissionDetails").execute()
    equal((details["permissionDetails"][0]["inherited"], details["permissionDetails"][0]["inheritedFrom"]), (True, folder))
    shared = colleague.files().list(q="sharedWithMe = true", fields="files(id,sharingUser/emailAddress)").execute()["files"]
    assert {"id": folder, "sharingUser": {"emailAddress": OWNER}} in shared, shared
    link = owner.permissions().create(fileId=ids["copy"], body={"type": "anyone", "role": "reader"}).execute()
    equal(link["id"], "anyoneWithLink")
    equal(outsider.files().get(fileId=ids["copy"], fields="name").execute(), {"name": "Plan B"})


def discusses():
    plan = {"fileId": ids["plan"]}
    equal(refused(colleague.comments().create(**plan, body={"content": "When?"})), (400, "required"))
    comment = colleague.comments().create(**plan, body={"content": "When?"}, fields="*").execute()
    of_comment = {**plan, "commentId": comment["id"]}
    reply = owner.replies().create(**of_comment, body={"content": "Monday"}, fields="*").execute()
    owner.replies().update(**of_comment, replyId=reply["id"], body={"content": "Tuesday"}, fields="id").execute()
    colleague.replies().create(**of_comment, body={"action": "resolve"}, fields="id").execute()
    equal(owner.comments().get(**of_comment, fields="resolved").execute(), {"resolved": True})
    equal(owner.replies().get(**of_comment, replyId=reply["id"], fields="content").execute(), {"content": "Tuesday"})
    equal(len(owner.replies().list(**of_comment, fields="replies(id)").execute()["replies"]), 2)
    equal(refused(owner.comments().update(**of_comment, body={"content": "x"}, fields="id"))[0], 403)
    equal(owner.replies().delete(**of_comment, replyId=reply["id"]).execute(), "")
    equal(colleague.comments().delete(**of_comment).execute(), "")
    equal(owner.comments().list(**plan, fields="comments(id)").execute(), {"comments": []})


def searches():
    def names(q, **more):
        return [file["name"] for file in owner.files().list(q=q, fields="files(name)", **more).execute()["files"]]

    owner.files().update(fileId=ids["plan"], body={"properties": {"stage": "final"}, "starred": True}).execute()
    equal(names("properties has { key='stage' and value='final' }"), ["Plan"])
    equal(names(f"shortcutDetails.targetId = '{ids['plan']}'"), ["Way"])
    equal(names("visibility = 'anyoneWithLink' and 'me' in owners"), ["Plan B"])
    equal(names(f"'{ids['folder']}' in parents and not starred = true", orderBy="name desc"), ["Plan B", "notes.txt"])
    equal(refused(owner.files().list(q="name ~ 'x'")), (400, "invalid"))
    equal(refused(owner.files().list(corpora="drive")), (403, "includeTeamDriveItemsRequired"))
    equal(refused(owner.files().list(orderBy="colour")), (400, "invalid"))


def labels_and_approves():
    plan = {"fileId": ids["plan"]}
    change = {"labelId": "review", "fieldModifications": [{"fieldId": "due", "setDateValues": ["2027-01-31"]}]}
    owner.files().modifyLabels(**plan, body={"labelModifications": [change]}).execute()
    equal(owner.files().listLabels(**plan).execute()["labels"][0]["fields"]["due"]["dateString"], ["2027-01-31"])
    approval = owner.approvals().start(**plan, body={"reviewerEmails": [COLLEAGUE]}).execute()
    of_approval = {**plan, "approvalId": approval["approvalId"]}
    equal(refused(owner.approvals().decline(**of_approval, body={}))[0], 403)
    equal(colleague.approvals().decline(**of_approval, body={"message": "not yet"}).execute()["status"], "DECLINED")
    equal(owner.approvals().get(**of_approval).execute()["status"], "DECLINED")


def runs_a_shared_drive():
    drive = owner.drives().create(requestId=str(uuid.uuid4()), body={"name": "Works"}).execute()["id"]
    equal(refused(outsider.drives().create(requestId="x", body={"name": "X"}))[0], 403)
    member = {"type": "user", "role": "fileOrganizer", "emailAddress": COLLEAGUE}
    owner.permissions().create(fileId=drive, supportsAllDrives=True, body=member).execute()
    moved = owner.files().update(fileId=ids["notes"], supportsAllDrives=True, addParents=drive, removeParents=ids["folder"], fields="driveId")
    equal(moved.execute(), {"driveId": drive})
    equal(refused(colleague.files().get(fileId=ids["notes"])), (404, "notFound"))
    inside = {"corpora": "drive", "driveId": drive, "includeItemsFromAllDrives": True, "supportsAllDrives": True}
    equal(len(colleague.files().list(**inside).execute()["files"]), 1)
    equal(colleague.drives().hide(driveId=drive, fields="hidden").execute(), {"hidden": True})
    equal(len(colleague.drives().list(q="hidden = true").execute()["drives"]), 1)
    equal(refused(owner.drives().delete(driveId=drive))[0], 403)
    colleague.files().update(fileId=ids["notes"], supportsAllDrives=True, body={"trashed": True}).execute()
    equal(owner.files().emptyTrash(driveId=drive).execute(), "")
    equal(owner.drives().delete(driveId=drive).execute(), "")
    equal(refused(owner.drives().get(driveId=drive)), (404, "notFound"))


def tells_what_changed_and_cleans_up():
    changes = owner.changes().list(pageToken=ids["start"]).execute()
    assert "newStartPageToken" in changes and ids["plan"] in [one.get("fileId") for one in changes["changes"]]
    owner.permissions().delete(fileId=ids["folder"], permissionId=ids["permission"]).execute()
    left = colleague.changes().list(pageToken=ids["colleague start"]).execute()["changes"]
    equal([one["removed"] for one in left if one.get("fileId") == ids["plan"]], [True])
    batch, answers = owner.new_batch_http_request(), {}
    for name in ("plan", "copy"):
        batch.add(owner.files().get(fileId=ids[name]), callback=lambda _id, answer, error: answers.update({answer["name"]: error}))
    batch.execute()
    equal(answers, {"Plan": None, "Plan B": None})
    owner.files().delete(fileId=ids["folder"]).execute()
    equal(refused(owner.files().get(fileId=ids["plan"])), (404, "notFound"))


STEPS = [
    introduces_itself,
    writes_a_file_twice,
    keeps_revisions,
    converts_and_exports,
    shares_step_by_step,
    discusses,
    searches,
    labels_and_approves,
    runs_a_shared_drive,
    tells_what_changed_and_cleans_up,
]

for step in STEPS:
    name = f"simulated Drive {step.__name__.replace('_', ' ')}"
    try:
        step()
        print(json.dumps({"check": name, "problem": None}))
    except Exception as error:  # every problem is one line of the report
        print(json.dumps({"check": name, "problem": f"{type(error).__name__}: {error}"}))
problem = None if calls >= 75 else f"only {calls} calls were made"
print(json.dumps({"check": "simulated Drive answers at least 75 calls", "problem": problem}))
