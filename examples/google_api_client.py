"""Google's own Python client (google-api-python-client) through an integration gateway.

    drive = gateway_service("drive", "v3", base_url=..., secret_key=..., integration_id=..., connection_id=...)
    drive.files().list(pageSize=10).execute()

Every request the client makes, uploads and batches included, goes to the gateway; a request to any other address is
refused before anything is sent. Needs: pip install google-api-python-client
"""

import json

import httplib2
from googleapiclient.discovery import build_from_document
from googleapiclient.discovery_cache import get_static_doc

# One request through the gateway carries about 4.5 MB. The client's own default of 100 MB is refused with 413.
CHUNK_SIZE = 4 * 1024 * 1024


class GatewayHttp(httplib2.Http):
    """An httplib2.Http that identifies a connection, and speaks to nobody but its gateway."""

    def __init__(self, base_url, secret_key, integration_id, connection_id, **options):
        super().__init__(**options)
        self._root = base_url.rstrip("/") + "/proxy/"
        self._identity = {
            "authorization": f"Bearer {secret_key}",
            "provider-config-key": integration_id,
            "connection-id": connection_id,
        }
        # A followed redirect would carry the secret key to another host; 308 means "send more" in an upload.
        self.follow_redirects = False
        self.redirect_codes = frozenset()

    def request(self, uri, method="GET", body=None, headers=None, **options):
        if not uri.startswith(self._root):
            raise ValueError(f"{uri.split('?')[0]} is not below {self._root}: nothing was sent")
        given = {name.lower(): value for name, value in (headers or {}).items()}
        return super().request(uri, method, body, {**given, **self._identity}, **options)


def gateway_service(name, version, *, base_url, secret_key, integration_id, connection_id):
    """A service object whose root address is the gateway's proxy; `name` and `version` as for googleapiclient's build()."""
    document = json.loads(get_static_doc(name, version))
    # The address of every kind of call is made from these. client_options.api_endpoint would move plain calls only:
    # batches would go on to Google, with the gateway's secret key inside.
    document["rootUrl"] = base_url.rstrip("/") + "/proxy/"
    document["baseUrl"] = document["rootUrl"] + document["servicePath"]
    document.pop("mtlsRootUrl", None)
    http = GatewayHttp(base_url, secret_key, integration_id, connection_id, timeout=180)
    return build_from_document(document, http=http)
