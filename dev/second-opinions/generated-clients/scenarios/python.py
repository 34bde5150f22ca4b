"""The client in Python that openapi-generator makes, on a gateway; one line of JSON for each check."""

import json
import os
import sys
from datetime import datetime

import openapi_client as generated

LIMITED = "google-drive"
configuration = generated.Configuration(host=os.environ["BASE_URL"], access_token=os.environ["SECRET_KEY"])
client = generated.ApiClient(configuration)
connections = generated.ConnectionsApi(client)
feeds = generated.FeedsApi(client)
integrations = generated.IntegrationsApi(client)
keys = generated.SecretKeysApi(client)
sessions = generated.ConnectSessionsApi(client)
state: dict = {}


def health():
    assert generated.ServiceApi(client).health().status == "ok"


def list_integrations():
    listed = [one.unique_key for one in integrations.list_integrations().data]
    assert LIMITED in listed, listed


def get_integration():
    assert integrations.get_integration(LIMITED).data.provider == "google-drive"


def create_session():
    body = generated.CreateConnectSessionBody(
        end_user=generated.CreateConnectSessionBodyEndUser(id="python"), allowed_integrations=[LIMITED]
    )
    created = sessions.create_connect_session(body, idempotency_key='"python-session"').data
    again = sessions.create_connect_session(body, idempotency_key='"python-session"').data
    assert created.token.startswith("cs_") and again.token == created.token, again
    assert isinstance(created.expires_at, datetime), created


def list_connections():
    page = connections.list_connections(provider_config_key=LIMITED, limit=1)
    assert len(page.connections) == 1, page
    state["id"] = page.connections[0].connection_id


def set_metadata():
    name = generated.SetMetadataBodyConnectionId(state["id"])
    connections.set_metadata(
        generated.SetMetadataBody(
            connection_id=name, provider_config_key=LIMITED, metadata={"made_by": "python", "count": 2}
        )
    )


def get_connection():
    connection = connections.get_connection(state["id"], LIMITED)
    assert connection.metadata == {"made_by": "python", "count": 2}, connection.metadata
    assert connection.status == "active" and connection.cause is None, connection


def create_feed():
    body = generated.CreateFeedBody(provider_config_key=LIMITED, connection_id=state["id"], resource="drive")
    state["feed"] = feeds.create_feed(body).data.id


def list_feeds():
    listed = [one.id for one in feeds.list_feeds(provider_config_key=LIMITED).data]
    assert listed == [state["feed"]], listed


def delete_feed():
    assert feeds.delete_feed(state["feed"]).success is True


def create_key():
    limits = generated.CreateAgentBodyLimits(mode="enforce", allow=["drive:metadata"])
    made = keys.create_secret_key(generated.CreateSecretKeyBody(name="python", right="proxy", limits=limits)).data
    assert made.secret_key.startswith("sk_"), made.right
    state["key"] = made.id


def revoke_key():
    assert keys.revoke_secret_key(state["key"]).success is True
    revoked = [one.revoked_at for one in keys.list_secret_keys().data if one.id == state["key"]]
    assert len(revoked) == 1 and isinstance(revoked[0], datetime), revoked


def list_events():
    listed = generated.ServiceApi(client).list_events(limit=50).data
    assert any(one.type == "SecretKeyRevoked" for one in listed), [one.type for one in listed]


def refusal():
    try:
        connections.get_connection("none", LIMITED)
    except generated.exceptions.NotFoundException as refused:
        assert refused.data.error.code == "unknown_connection", refused.data
    else:
        raise AssertionError("a connection that does not exist was found")


def proxy_path():
    try:
        generated.ProxyApi(client).proxy_get("drive/v3/files", LIMITED, state["id"])
    except generated.exceptions.ForbiddenException as refused:
        assert "%2F" in json.loads(refused.body)["error"]["message"], refused.body
    else:
        raise AssertionError("encoded slashes were taken")


def proxy_query():
    # A separate client: its paths keep slashes, and take the query with them.
    settings = {"host": os.environ["BASE_URL"], "access_token": os.environ["SECRET_KEY"]}
    keeping = generated.Configuration(**settings, safe_chars_for_path_param="/?&=")
    path = "drive/v3/files?pageSize=1&fields=kind,files(kind)"
    proxy = generated.ProxyApi(generated.ApiClient(keeping))
    answer = proxy.proxy_get_without_preload_content(path, LIMITED, state["id"])
    assert json.loads(answer.data) == {"kind": "drive#fileList", "files": [{"kind": "drive#file"}]}, answer.data


CHECKS = [
    health,
    list_integrations,
    get_integration,
    create_session,
    list_connections,
    set_metadata,
    get_connection,
    create_feed,
    list_feeds,
    delete_feed,
    create_key,
    revoke_key,
    list_events,
    refusal,
    proxy_path,
    proxy_query,
]
for check in CHECKS:
    try:
        check()
        problem = None
    except Exception as failed:  # each check says what it found
        problem = f"{type(failed).__name__}: {failed}"
    sys.stdout.write(json.dumps({"check": check.__name__, "problem": problem}) + "\n")
