"""Client of the integration gateway: calls to Google Drive and Google Calendar as your end users.

from integration_gateway import GatewayClient

with GatewayClient("https://gateway.example.com/v1", "sk_...") as gateway:
    drive = gateway.connection("google-drive", "user-1")
    for file in drive.items("/drive/v3/files"):
        print(file["name"])
"""

from . import wire
from ._answers import Answer, QuotaStanding
from ._async_client import AsyncConnectionClient, AsyncGatewayClient, AsyncItems, AsyncPages, AsyncStreamedAnswer
from ._aws import AwsCredentials, AwsCredentialsSource
from ._client import ConnectionClient, GatewayClient, Items, Pages, StreamedAnswer
from ._paging import Page
from ._requests import VERSION as __version__
from ._requests import CallOptions, QueryParams, QueryValue, RequestData
from ._uploads import AsyncUploadSource, UploadProgress, UploadSource
from .errors import (
    ConnectionDiagnosis,
    GatewayError,
    GatewayTimeoutError,
    IntegrationGatewayError,
    LikelyCause,
    NetworkError,
    Problem,
    ProviderError,
    ReauthorizationRequiredError,
    UnexpectedAnswerError,
    UploadError,
    WaitingApproval,
    WebhookVerificationError,
)
from .google import GoogleTransport, google_api
from .webhooks import verify_webhook

__all__ = [
    "Answer",
    "AsyncConnectionClient",
    "AsyncGatewayClient",
    "AsyncItems",
    "AsyncPages",
    "AsyncStreamedAnswer",
    "AsyncUploadSource",
    "AwsCredentials",
    "AwsCredentialsSource",
    "CallOptions",
    "ConnectionClient",
    "ConnectionDiagnosis",
    "GatewayClient",
    "GatewayError",
    "GatewayTimeoutError",
    "GoogleTransport",
    "IntegrationGatewayError",
    "Items",
    "LikelyCause",
    "NetworkError",
    "Page",
    "Pages",
    "Problem",
    "ProviderError",
    "QueryParams",
    "QueryValue",
    "QuotaStanding",
    "ReauthorizationRequiredError",
    "RequestData",
    "StreamedAnswer",
    "UnexpectedAnswerError",
    "UploadError",
    "UploadProgress",
    "UploadSource",
    "WaitingApproval",
    "WebhookVerificationError",
    "__version__",
    "google_api",
    "verify_webhook",
    "wire",
]
