# Written by tools/python-client.ts from the API's document: change the gateway's routes, then run it again.
"""What the gateway's own routes take and answer, name for name as on the wire."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class AuditEvent(TypedDict):
    event_id: str
    type: Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing"]
    time: str
    actor: str | None
    """Key:, operator: or session:, then an id; null for the gateway’s own work."""
    actor_name: str | None
    """The operator’s e-mail address or the key’s name; null where it is not known."""
    provider_config_key: str | None
    connection_id: str | None
    end_user_id: str | None
    cause: str | None
    """What else it says: of a key, key: and its id."""
    request_id: str


class AuditPage(TypedDict):
    data: list[AuditEvent]
    next_cursor: str | None
    """Send as cursor for the next page; null at the end."""


class Call(TypedDict):
    """A proxied call, without query, headers, body and the ids of what it was about."""

    id: str
    """Sorts by when the call ended."""
    request_id: str
    time: str
    """When it began."""
    provider_config_key: str
    connection_id: str
    key_id: str
    """First 12 characters of the secret key’s id."""
    method: str
    path: str
    """Pattern of the path: each id is {}; {unmatched} for a path Google does not document."""
    status: int
    answered_by: Literal["provider", "gateway"]
    error_code: str | None
    """Code of the gateway’s own answer."""
    reason: str | None
    """Google’s reason of a failure."""
    head_ms: int | None
    """Until Google’s status line; null where none came."""
    total_ms: int
    """Until the last byte had left."""
    attempts: int
    """Requests sent to Google."""
    refreshed: bool
    """Whether the call waited for a new access token."""
    bytes_in: int
    bytes_out: int
    complete: bool
    """False where the answer broke off, at Google or at the caller."""
    stands_for: int
    """10 where only one call in ten left a row: beyond 10,000 rows a day."""


class CallAnswer(TypedDict):
    data: Call


class CallPage(TypedDict):
    data: list[Call]
    next_cursor: str | None
    """Send as cursor for the next page; null at the end."""
    log: CallPageLog


class CallPageLog(TypedDict):
    mode: Literal["off", "errors", "all"]
    """Which calls of this deployment leave a row."""
    retention_days: int
    recording_until: str | None
    """Until when every call of the connection leaves a row."""


class CallRecording(TypedDict):
    data: CallRecordingData


class CallRecordingData(TypedDict):
    recording_until: str | None


class ChangedIntegration(TypedDict):
    data: Integration
    warnings: list[Problem]


class ConfirmConnectionBody(TypedDict):
    handle: str
    end_user_id: str


class ConfirmedConnection(TypedDict):
    data: ConfirmedConnectionData


class ConfirmedConnectionData(TypedDict):
    id: int
    """Stable number below 2^53, unique in the account."""
    connection_id: str
    provider_config_key: str
    """The integration’s unique_key."""
    provider: Literal["google-drive", "google-calendar"]
    errors: list[ConfirmedConnectionDataError]
    """Not empty while the connection has to be authorized again, or confirmed first."""
    end_user: EndUser | None
    tags: dict[str, str]
    metadata: dict[str, Any] | None
    status: Literal["active", "reauthorization_required"]
    cause: str | None
    """Why it has to be authorized again."""
    provider_account: ConfirmedConnectionDataProviderAccount | None
    """The account at the provider; null where no identity was granted."""
    created: str
    missing_scopes: list[str]
    """Asked for and not granted; a reconnect session asks again."""
    is_reconnect: bool


class ConfirmedConnectionDataError(TypedDict):
    type: Literal["auth"]
    log_id: str


class _ConfirmedConnectionDataProviderAccountAlways(TypedDict):
    subject: str
    email: str | None


class ConfirmedConnectionDataProviderAccount(_ConfirmedConnectionDataProviderAccountAlways, total=False):
    hosted_domain: str | None
    """Google Workspace domain; null for an account without one, left out where it is not known."""


class Connection(TypedDict):
    id: int
    """Stable number below 2^53, unique in the account."""
    connection_id: str
    provider_config_key: str
    """The integration’s unique_key."""
    provider: Literal["google-drive", "google-calendar"]
    errors: list[ConnectionError]
    """Not empty while the connection has to be authorized again, or confirmed first."""
    end_user: EndUser | None
    tags: dict[str, str]
    metadata: dict[str, Any] | None
    status: Literal["active", "reauthorization_required", "pending_confirmation"]
    cause: str | None
    """Why it has to be authorized again."""
    provider_account: ConnectionProviderAccount | None
    """The account at the provider; null where no identity was granted."""
    connection_config: dict[str, Any]
    webhook_url_override: None
    created_at: str
    updated_at: str
    last_fetched_at: str | None
    credentials: Credentials
    death: ConnectionDiagnosis | None
    requested_scopes: list[str]
    granted_scopes: list[str]
    missing_scopes: list[str]
    """Asked for and not granted."""
    consented_at: str
    access_token_expires_at: str
    last_used_at: str | None
    last_refreshed_at: str | None
    health: ConnectionHealth
    shares_grant_with: int | None
    """Other connections that end together with this one’s grant; null when not known."""
    forecasts: ConnectionForecasts
    """What lies ahead of the grant."""


class ConnectionError(TypedDict):
    type: Literal["auth"]
    log_id: str


class _ConnectionProviderAccountAlways(TypedDict):
    subject: str
    email: str | None


class ConnectionProviderAccount(_ConnectionProviderAccountAlways, total=False):
    hosted_domain: str | None
    """Google Workspace domain; null for an account without one, left out where it is not known."""


class ConnectionForecasts(TypedDict):
    """What lies ahead of the grant."""

    testing_mode_ends_at: str | None
    access_ends_at: str | None
    refresh_token_limit: ConnectionForecastsRefreshTokenLimit | None


class ConnectionForecastsRefreshTokenLimit(TypedDict):
    live: int
    limit: int


class ConnectionCheck(TypedDict):
    data: ConnectionCheckData


class ConnectionCheckData(TypedDict):
    works: bool
    """Whether the provider accepts the connection’s token."""
    reason: str
    """Ok, or why not."""
    message: str
    who: Literal["end_user", "developer", "workspace_admin"] | None
    remedy: str | None
    upstream_status: int | None
    """Status of the provider, where it was asked."""
    connection: ConnectionDiagnosis | None


class ConnectionCounts(TypedDict):
    data: ConnectionCountsData


ConnectionCountsData = TypedDict("ConnectionCountsData", {
    "from": "str",
    "to": "str",
    "rows": "list[ConnectionCountsDataRow]",
    "total": "ConnectionCountsDataTotal",
})


class ConnectionCountsDataRow(TypedDict):
    day: str
    """UTC."""
    provider_config_key: str
    created: int
    deleted: int
    died: int
    """Those that began to need a new authorization."""
    died_by_cause: list[ConnectionCountsDataRowDiedByCause]
    """Most first."""
    mended: int
    """Those that came back from it."""
    refreshes: ConnectionCountsDataRowRefreshes
    """Attempts to refresh, by how they ended."""


class ConnectionCountsDataRowDiedByCause(TypedDict):
    cause: str
    count: int


class ConnectionCountsDataRowRefreshes(TypedDict):
    """Attempts to refresh, by how they ended."""

    renewed: int
    refused: int
    """The grant was found dead."""
    client_refused: int
    failed: int
    """Tried again later."""


class ConnectionCountsDataTotal(TypedDict):
    created: int
    deleted: int
    died: int
    """Those that began to need a new authorization."""
    died_by_cause: list[ConnectionCountsDataTotalDiedByCause]
    """Most first."""
    mended: int
    """Those that came back from it."""
    refreshes: ConnectionCountsDataTotalRefreshes
    """Attempts to refresh, by how they ended."""


class ConnectionCountsDataTotalDiedByCause(TypedDict):
    cause: str
    count: int


class ConnectionCountsDataTotalRefreshes(TypedDict):
    """Attempts to refresh, by how they ended."""

    renewed: int
    refused: int
    """The grant was found dead."""
    client_refused: int
    failed: int
    """Tried again later."""


class ConnectionDiagnosis(TypedDict):
    """Why a connection cannot be used and who can fix it."""

    status: Literal["reauthorization_required"]
    cause: str
    """The most likely cause, such as user_revoked; a guess unless certain."""
    certain: bool
    """Whether the provider or the stored facts name the cause beyond doubt."""
    what_happened: str
    """One sentence; begins with “Probably:” unless the cause is certain."""
    likely_causes: list[LikelyCause]
    remedy: str
    provider_error: str
    """The provider’s own code, such as invalid_grant."""
    can_be_checked_again: bool
    """Whether the same grant may work again without the user, once somebody has lifted a restriction: ask with POST /connections/{connectionId}/refresh."""
    since: str


class ConnectionEvent(TypedDict):
    event_id: str
    type: Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing"]
    sequence: int
    """Counts up per connection; 0 for what changed nothing."""
    time: str
    end_user_id: str | None
    cause: str | None
    remedy: str | None
    actor: str | None
    """Who asked for it; null for the gateway’s own work."""
    request_id: str


class ConnectionHealth(TypedDict):
    """Whether its calls work: failing after three in a row that Google refused for the connection’s sake, until one succeeds; ends_soon within two days."""

    status: Literal["active", "not_used_yet", "failing", "ends_soon", "client_refused", "dead"]
    reason: str | None
    """Cause of the death, Google’s reason of refused calls, its error about the OAuth client, or why the grant ends."""
    certain: bool | None
    """Of a death: false where the cause is only likely."""
    since: str | None
    ends_at: str | None
    """Of a grant that ends soon."""


class _ConnectionListAlways(TypedDict):
    connections: list[ConnectionListItem]
    next_cursor: str | None
    """Send as cursor for the next page; null at the end."""


class ConnectionList(_ConnectionListAlways, total=False):
    total: int | None
    """With include=total: how many connections the list has."""
    total_is_complete: bool
    """False where there are more than were counted."""


class _ConnectionListItemAlways(TypedDict):
    id: int
    """Stable number below 2^53, unique in the account."""
    connection_id: str
    provider_config_key: str
    """The integration’s unique_key."""
    provider: Literal["google-drive", "google-calendar"]
    errors: list[ConnectionListItemError]
    """Not empty while the connection has to be authorized again, or confirmed first."""
    end_user: EndUser | None
    tags: dict[str, str]
    metadata: dict[str, Any] | None
    status: Literal["active", "reauthorization_required"]
    cause: str | None
    """Why it has to be authorized again."""
    provider_account: ConnectionListItemProviderAccount | None
    """The account at the provider; null where no identity was granted."""
    created: str
    health: ConnectionHealth


class ConnectionListItem(_ConnectionListItemAlways, total=False):
    last_used_at: str | None
    """With include=last_used; to ten minutes."""


class ConnectionListItemError(TypedDict):
    type: Literal["auth"]
    log_id: str


class _ConnectionListItemProviderAccountAlways(TypedDict):
    subject: str
    email: str | None


class ConnectionListItemProviderAccount(_ConnectionListItemProviderAccountAlways, total=False):
    hosted_domain: str | None
    """Google Workspace domain; null for an account without one, left out where it is not known."""


class ConnectSession(TypedDict):
    data: ConnectSessionData


class ConnectSessionData(TypedDict):
    endUser: dict[str, Any] | None
    connectUISettings: dict[str, Any]
    allowed_integrations: list[str]
    integrations_config_defaults: dict[str, Any]
    isReconnecting: bool
    status: Literal["pending", "authorizing", "pending_confirmation", "connected", "cancelled", "refused", "failed", "expired"]
    connection_id: str | None
    provider_config_key: str | None
    error: ConnectSessionDataError | None
    missing_scopes: list[ConnectSessionDataMissingScope]
    pick: ConnectSessionDataPick | None
    picked: list[ConnectSessionDataPicked]
    language: str
    expires_at: str
    return_url: str | None
    for_whom: str | None
    app_name: str | None
    account_email: str | None
    integrations: list[ConnectSessionDataIntegration]


class ConnectSessionDataError(TypedDict):
    type: str
    message: str


class ConnectSessionDataMissingScope(TypedDict):
    scope: str
    meaning: str


class ConnectSessionDataPick(TypedDict):
    connection_id: str | None
    multiple: bool
    mime_types: list[str]
    file_ids: list[str]
    folders: bool


class ConnectSessionDataPicked(TypedDict):
    id: str
    mime_type: str | None
    confirmed: bool


class ConnectSessionDataIntegration(TypedDict):
    provider_config_key: str
    display_name: str
    provider: str
    provider_name: str
    server: ConnectSessionDataIntegrationServer
    available: bool
    scopes: list[ConnectSessionDataIntegrationScope]


class ConnectSessionDataIntegrationServer(TypedDict):
    id: str
    display_name: str


class ConnectSessionDataIntegrationScope(TypedDict):
    scope: str
    meaning: str
    granted: bool


class CreateConnectSessionBody(TypedDict, total=False):
    end_user: CreateConnectSessionBodyEndUser
    organization: CreateConnectSessionBodyOrganization | None
    allowed_integrations: list[str]
    integrations_config_defaults: dict[str, CreateConnectSessionBodyIntegrationsConfigDefaultsValue]
    overrides: dict[str, CreateConnectSessionBodyOverridesValue]
    webhook_url_override: str | None
    tags: dict[str, str]
    return_url: str
    language: Literal["en", "de", "fr", "es", "pt", "ja"]
    confirm: bool
    pick: CreateConnectSessionBodyPick


class _CreateConnectSessionBodyEndUserAlways(TypedDict):
    id: str


class CreateConnectSessionBodyEndUser(_CreateConnectSessionBodyEndUserAlways, total=False):
    email: str | None
    display_name: str | None
    tags: dict[str, str] | None


class _CreateConnectSessionBodyOrganizationAlways(TypedDict):
    id: str


class CreateConnectSessionBodyOrganization(_CreateConnectSessionBodyOrganizationAlways, total=False):
    display_name: str | None


class CreateConnectSessionBodyIntegrationsConfigDefaultsValue(TypedDict, total=False):
    user_scopes: str
    authorization_params: CreateConnectSessionBodyIntegrationsConfigDefaultsValueAuthorizationParams
    connection_config: CreateConnectSessionBodyIntegrationsConfigDefaultsValueConnectionConfig


class CreateConnectSessionBodyIntegrationsConfigDefaultsValueAuthorizationParams(TypedDict, total=False):
    login_hint: str
    hd: str
    include_granted_scopes: Literal["true", "false"]
    prompt: str


class CreateConnectSessionBodyIntegrationsConfigDefaultsValueConnectionConfig(TypedDict, total=False):
    oauth_scopes_override: str


class CreateConnectSessionBodyOverridesValue(TypedDict, total=False):
    docs_connect: str


class CreateConnectSessionBodyPick(TypedDict, total=False):
    connection_id: str
    """Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -."""
    multiple: bool
    mime_types: list[str]
    file_ids: list[str]
    folders: bool


class CreatedConnectSession(TypedDict):
    data: CreatedConnectSessionData


class CreatedConnectSessionData(TypedDict):
    token: str
    """Opens the session; shown this once."""
    connect_link: str
    """Send the end user here."""
    expires_at: str


class CreatedSecretKey(TypedDict):
    data: CreatedSecretKeyData


class CreatedSecretKeyData(TypedDict):
    id: str
    """SHA-256 of the key, hex."""
    name: str
    right: Literal["proxy", "read", "full"]
    integration_ids: list[str] | None
    """Integrations the key is limited to; null = all."""
    can_read_credentials: bool
    created_at: str
    created_by: str | None
    """Who made it: key:<start of the id>, operator:<id at the issuer>, or gateway for the first key; null = not known."""
    last_used_at: str | None
    revoked_at: str | None
    hint: str | None
    """The last characters of the key; null on keys made before they were kept."""
    is_this_key: bool
    secret_key: str
    """The key itself, shown this once."""


class _CreateFeedBodyAlways(TypedDict):
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    connection_id: str
    """Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -."""
    resource: str


class CreateFeedBody(_CreateFeedBodyAlways, total=False):
    delivery: Literal["bus", "pull"]
    safety_interval_sec: int
    poll_interval_sec: int


class _CreateIntegrationBodyAlways(TypedDict):
    provider: Literal["google-drive", "google-calendar"]
    unique_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""


class CreateIntegrationBody(_CreateIntegrationBodyAlways, total=False):
    display_name: str
    public_name: str | None
    scopes: list[str]
    publishing_status: Literal["testing", "production"]
    audience: Literal["external", "internal"]
    mode: Literal["test", "live"]
    include_granted_scopes: bool
    hosted_domain: str | None
    credentials: CreateIntegrationBodyCredentials
    credentials_source: Literal["own", "test"]
    forward_webhooks: bool
    integration_config: dict[str, Any] | None
    custom: dict[str, Any] | None


class _CreateIntegrationBodyCredentialsAlways(TypedDict):
    type: Literal["OAUTH2"]
    client_id: str
    client_secret: str


class CreateIntegrationBodyCredentials(_CreateIntegrationBodyCredentialsAlways, total=False):
    scopes: str | None
    webhook_secret: None


class _CreateQuickstartIntegrationBodyAlways(TypedDict):
    provider: Literal["google-drive", "google-calendar"]
    unique_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""


class CreateQuickstartIntegrationBody(_CreateQuickstartIntegrationBodyAlways, total=False):
    display_name: str
    public_name: str | None
    scopes: list[str]
    publishing_status: Literal["testing", "production"]
    audience: Literal["external", "internal"]
    mode: Literal["test", "live"]
    include_granted_scopes: bool
    hosted_domain: str | None
    forward_webhooks: bool
    integration_config: dict[str, Any] | None
    custom: dict[str, Any] | None


class CreateReconnectLinksBody(TypedDict, total=False):
    connections: list[CreateReconnectLinksBodyConnection]
    all_dead: CreateReconnectLinksBodyAllDead
    lifetime_sec: int
    message: str


class CreateReconnectLinksBodyConnection(TypedDict):
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    connection_id: str
    """Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -."""


class CreateReconnectLinksBodyAllDead(TypedDict, total=False):
    cause: Literal["user_revoked", "shared_grant_ended", "password_changed", "refresh_token_limit", "account_token_limit", "time_limited_access_over", "admin_restricted", "context_aware_access", "session_length_over", "testing_mode_expired", "unused_six_months", "account_unavailable", "account_restricted", "advanced_protection", "rotation_lost", "credentials_changed", "unknown"]
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    cursor: str
    """`next_cursor` of the page before."""


class _CreateReconnectSessionBodyAlways(TypedDict):
    connection_id: str
    """Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -."""
    integration_id: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""


class CreateReconnectSessionBody(_CreateReconnectSessionBodyAlways, total=False):
    end_user: CreateReconnectSessionBodyEndUser
    organization: CreateReconnectSessionBodyOrganization | None
    integrations_config_defaults: dict[str, CreateReconnectSessionBodyIntegrationsConfigDefaultsValue]
    overrides: dict[str, CreateReconnectSessionBodyOverridesValue]
    webhook_url_override: str | None
    tags: dict[str, str]
    return_url: str
    language: Literal["en", "de", "fr", "es", "pt", "ja"]
    confirm: bool
    allow_account_change: bool


class _CreateReconnectSessionBodyEndUserAlways(TypedDict):
    id: str


class CreateReconnectSessionBodyEndUser(_CreateReconnectSessionBodyEndUserAlways, total=False):
    email: str | None
    display_name: str | None
    tags: dict[str, str] | None


class _CreateReconnectSessionBodyOrganizationAlways(TypedDict):
    id: str


class CreateReconnectSessionBodyOrganization(_CreateReconnectSessionBodyOrganizationAlways, total=False):
    display_name: str | None


class CreateReconnectSessionBodyIntegrationsConfigDefaultsValue(TypedDict, total=False):
    user_scopes: str
    authorization_params: CreateReconnectSessionBodyIntegrationsConfigDefaultsValueAuthorizationParams
    connection_config: CreateReconnectSessionBodyIntegrationsConfigDefaultsValueConnectionConfig


class CreateReconnectSessionBodyIntegrationsConfigDefaultsValueAuthorizationParams(TypedDict, total=False):
    login_hint: str
    hd: str
    include_granted_scopes: Literal["true", "false"]
    prompt: str


class CreateReconnectSessionBodyIntegrationsConfigDefaultsValueConnectionConfig(TypedDict, total=False):
    oauth_scopes_override: str


class CreateReconnectSessionBodyOverridesValue(TypedDict, total=False):
    docs_connect: str


class _CreateSecretKeyBodyAlways(TypedDict):
    name: str
    right: Literal["proxy", "read", "full"]


class CreateSecretKeyBody(_CreateSecretKeyBodyAlways, total=False):
    integration_ids: list[str]
    can_read_credentials: bool


class _CreateWebhookBodyAlways(TypedDict):
    url: str
    """Https, port 443, a host on the public internet."""


class CreateWebhookBody(_CreateWebhookBodyAlways, total=False):
    description: str | None
    types: list[Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing"]] | None
    integrations: list[str] | None


class Credentials(TypedDict, total=False):
    """Empty unless the secret key was made with can_read_credentials."""

    type: Literal["OAUTH2"]
    access_token: str
    expires_at: str
    refresh_token: str
    raw: CredentialsRaw


class CredentialsRaw(TypedDict):
    access_token: str
    expires_at: str
    refresh_token: str
    token_type: Literal["Bearer"]
    scope: str


class DeletedConnection(TypedDict):
    success: Literal[True]
    revocation: DeletedConnectionRevocation


class DeletedConnectionRevocation(TypedDict):
    status: Literal["not_requested", "revoked", "pending", "skipped"]
    reason: str | None
    retry_at: str | None
    shares_grant_with: int | None


class DeletedIntegration(TypedDict):
    success: Literal[True]
    deleted_connections: int


class EndUser(TypedDict):
    """Who a connection belongs to on the integrator’s side."""

    id: str
    display_name: str | None
    email: str | None
    tags: dict[str, str] | None
    organization: EndUserOrganization | None


class EndUserOrganization(TypedDict):
    id: str
    display_name: str | None


class Error(TypedDict):
    error: ErrorError


class _ErrorErrorAlways(TypedDict):
    code: Literal["invalid_headers", "invalid_path", "invalid_query_params", "invalid_body", "missing_auth_header", "invalid_secret_key", "invalid_session_token", "invalid_operator_token", "path_not_allowed", "forbidden", "recent_sign_in_required", "unknown_integration", "unknown_connection", "not_found", "not_supported", "method_not_allowed", "conflict", "confirmation_required", "account_not_known", "cursor_too_old", "request_too_large", "reauthorization_required", "integration_credentials_rejected", "rate_limited", "internal_error", "upstream_unreachable", "upstream_invalid_response", "service_unavailable", "token_refresh_unavailable", "upstream_timeout"]
    message: str
    status: int
    request_id: str
    """Find the request in the gateway’s log by this."""


class ErrorError(_ErrorErrorAlways, total=False):
    applied: Literal["no", "unknown"]
    """Of a call to the provider that failed: whether the provider may have acted on it."""
    errors: list[Problem]
    """Everything wrong with the request at once."""
    errors_left_out: int
    """How many more there are: an answer lists a hundred."""
    connection: ConnectionDiagnosis


class EventPage(TypedDict):
    events: list[ConnectionEvent]
    next_before: str | None
    """Send as before for the next page; null at the end."""


class Feed(TypedDict):
    id: str
    provider_config_key: str
    connection_id: str
    resource: str
    """Drive, drive:<id>, calendar:<id>, calendar_list, acl:<id> or settings."""
    state: Literal["starting", "watching", "polling", "paused", "failing"]
    """Starting: the first place in the history is being fetched. watching: a push channel is open. polling: push cannot be had, reason says why. paused: the connection needs a new authorization. failing: Google refuses the resource."""
    reason: str | None
    """Why it polls, pauses or fails."""
    explanation: str | None
    remedy: str | None
    delivery: Literal["bus", "pull"]
    """Bus: batches are events too. pull: by this API alone."""
    safety_interval_sec: int
    """Between two pulls without a message, while a channel is open."""
    poll_interval_sec: int
    """The same without a channel."""
    last_sequence: int
    """Number of the last batch; 0 before the first."""
    last_change_at: str | None
    last_pull_at: str | None
    next_pull_at: str
    """When it is pulled if no message comes before."""
    channel_ends_at: str | None
    """As Google granted it; a new channel is opened before."""
    failed_attempts: int
    created_at: str
    messages: int
    """Messages that Google sent so far."""
    last_message_at: str | None
    pull_waiting: bool
    """A message has come that no pull has answered yet."""
    cursors: list[FeedCursor]


class FeedAnswer(TypedDict):
    data: Feed


class FeedBatch(TypedDict):
    sequence: int
    kind: Literal["changes", "gap"]
    """Gap: changes may be missing before it; compare everything you have stored of the resource."""
    reason: str | None
    """Of a gap."""
    stored_at: str
    changes: list[FeedChange]


class _FeedChangeAlways(TypedDict):
    id: str
    """Google’s id of what changed."""
    kind: Literal["file", "drive", "event", "calendar", "acl", "setting"]
    removed: bool
    """Deleted, or out of the account’s reach."""


class FeedChange(_FeedChangeAlways, total=False):
    time: str
    mime_type: str


class FeedChanges(TypedDict):
    data: list[FeedBatch]
    last_sequence: int
    """Number of the feed’s last batch."""
    has_more: bool
    """Ask again behind the last batch of this answer at once."""


class FeedCursor(TypedDict):
    name: str
    sequence: int
    """The last batch that the consumer is done with."""
    lag: int
    """Batches that wait for the consumer."""
    moved_at: str


class FeedCursorAnswer(TypedDict):
    data: FeedCursor


class FeedPage(TypedDict):
    data: list[FeedSummary]
    next_cursor: str | None
    """Send it as `cursor` for the next page; null at the end. A page ends at 4 MB."""


class FeedSummary(TypedDict):
    id: str
    provider_config_key: str
    connection_id: str
    resource: str
    """Drive, drive:<id>, calendar:<id>, calendar_list, acl:<id> or settings."""
    state: Literal["starting", "watching", "polling", "paused", "failing"]
    """Starting: the first place in the history is being fetched. watching: a push channel is open. polling: push cannot be had, reason says why. paused: the connection needs a new authorization. failing: Google refuses the resource."""
    reason: str | None
    """Why it polls, pauses or fails."""
    explanation: str | None
    remedy: str | None
    delivery: Literal["bus", "pull"]
    """Bus: batches are events too. pull: by this API alone."""
    safety_interval_sec: int
    """Between two pulls without a message, while a channel is open."""
    poll_interval_sec: int
    """The same without a channel."""
    last_sequence: int
    """Number of the last batch; 0 before the first."""
    last_change_at: str | None
    last_pull_at: str | None
    next_pull_at: str
    """When it is pulled if no message comes before."""
    channel_ends_at: str | None
    """As Google granted it; a new channel is opened before."""
    failed_attempts: int
    created_at: str


class Health(TypedDict):
    status: Literal["ok"]


class _ImportConnectionBodyAlways(TypedDict):
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    credentials: ImportConnectionBodyCredentials


class ImportConnectionBody(_ImportConnectionBodyAlways, total=False):
    connection_id: str
    """Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -."""
    consented_at: str
    """When the user consented: between 2004 and now."""
    metadata: dict[str, Any] | None
    connection_config: dict[str, Any] | None
    end_user: ImportConnectionBodyEndUser
    organization: ImportConnectionBodyOrganization | None
    tags: dict[str, str]


class _ImportConnectionBodyCredentialsAlways(TypedDict):
    type: Literal["OAUTH2"]
    refresh_token: str


class ImportConnectionBodyCredentials(_ImportConnectionBodyCredentialsAlways, total=False):
    access_token: str
    expires_at: str | None


class _ImportConnectionBodyEndUserAlways(TypedDict):
    id: str


class ImportConnectionBodyEndUser(_ImportConnectionBodyEndUserAlways, total=False):
    email: str | None
    display_name: str | None
    tags: dict[str, str] | None


class _ImportConnectionBodyOrganizationAlways(TypedDict):
    id: str


class ImportConnectionBodyOrganization(_ImportConnectionBodyOrganizationAlways, total=False):
    display_name: str | None


class _IntegrationAlways(TypedDict):
    unique_key: str
    """Its id: Provider-Config-Key of calls."""
    provider: Literal["google-drive", "google-calendar"]
    display_name: str
    public_name: str | None
    """How pages that end users see name it; null = display_name."""
    logo: str
    forward_webhooks: bool
    created_at: str
    updated_at: str
    scopes: list[str]
    credentials_source: Literal["own", "test"]
    publishing_status: Literal["testing", "production"]
    audience: Literal["external", "internal"]
    mode: Literal["test", "live"]
    include_granted_scopes: bool
    hosted_domain: str | None
    """Workspace domain whose accounts alone may connect; * = any; null = every account."""
    testing_seen_at: str | None
    """Consent that showed Google to treat the app as External and in Testing, whatever publishing_status says: such grants end after seven days. Null where grants do not show it."""
    credentials_fault: IntegrationCredentialsFault | None
    """Present while the provider refuses the OAuth client."""
    health: IntegrationHealth


class Integration(_IntegrationAlways, total=False):
    webhook_url: None
    """With include=webhook."""
    credentials: IntegrationCredentials
    """With include=credentials."""


class IntegrationCredentialsFault(TypedDict):
    error: str
    since: str
    retry_at: str


class IntegrationCredentials(TypedDict):
    """With include=credentials."""

    type: Literal["OAUTH2"]
    client_id: str | None
    client_secret: Literal[""]
    """Always empty: client secrets are never shown."""
    scopes: str | None
    webhook_secret: None


class IntegrationAnswer(TypedDict):
    data: Integration


class IntegrationHealth(TypedDict):
    """Whether Google takes the OAuth client: working from its first success on, not_checked_yet before; also after new credentials."""

    status: Literal["working", "not_checked_yet", "refused"]
    reason: str | None
    """Google’s error about the OAuth client."""
    certain: bool | None
    """Of a refusal: false where it is only likely."""
    since: str | None
    who: Literal["developer", "operator"] | None
    """Who can mend a refusal: operator where the OAuth client is the test credentials’."""
    remedy: str | None


class IntegrationList(TypedDict):
    data: list[Integration]
    next_cursor: str | None
    """Send it as `cursor` for the next page; null at the end. A page ends at 4 MB."""


class IntroduceOperatorBody(TypedDict):
    id_token: str


class LikelyCause(TypedDict):
    cause: str
    likelihood: float
    who: Literal["end_user", "developer", "workspace_admin"]
    """Who can fix it."""
    explanation: str
    remedy: str


class MetadataEcho(TypedDict):
    connection_id: str | list[str]
    provider_config_key: str
    metadata: dict[str, Any]


class MoveFeedCursorBody(TypedDict):
    sequence: int


class NewReconnectLinks(TypedDict):
    id: str
    """Of the links that were made together."""
    created_at: str
    created_by: str
    """Who made them: a key or an operator."""
    expires_at: str
    revoked_at: str | None
    links: list[NewReconnectLinksLink]
    refused: list[NewReconnectLinksRefused]
    next_cursor: str | None
    """Send it as `cursor` for the next page; null at the end. A page ends at 4 MB."""


class NewReconnectLinksLink(TypedDict):
    provider_config_key: str
    connection_id: str
    end_user: NewReconnectLinksLinkEndUser | None
    provider_email: str | None
    connect_link: str
    message: str | None


class NewReconnectLinksLinkEndUser(TypedDict):
    id: str
    display_name: str | None
    email: str | None


class NewReconnectLinksRefused(TypedDict):
    provider_config_key: str
    connection_id: str
    reason: str


class Overview(TypedDict):
    data: OverviewData


class OverviewData(TypedDict):
    read_at: str
    counted_at: str | None
    """When all connections were last counted, within a minute or two of a change in a small account, within a quarter of an hour in a large one. statuses and causes are moved on by what was counted since; failing and ends are of this count. Null before the first."""
    integrations: int
    statuses: OverviewDataStatuses
    causes: list[OverviewDataCause]
    """Of dead connections, most first."""
    status_by_day: list[OverviewDataStatusByDay]
    """Connections at the end of each of the last 14 days, deleted ones until they were deleted; from the first day on that changes were counted."""
    changes_by_day: list[OverviewDataChangesByDay]
    """What became of connections on the same days."""
    ending_total: int
    """Known to end within 7 days."""
    ending_by_day: list[OverviewDataEndingByDay]
    ending: list[OverviewDataEnding]
    """The next 20 of them."""
    rejected_integrations: list[OverviewDataRejectedIntegration]
    """Their OAuth client is refused by the provider."""
    crowded_accounts: list[OverviewDataCrowdedAccount]
    """Provider accounts near the limit of refresh tokens, each by its newest connection."""


class OverviewDataStatuses(TypedDict):
    active: int
    reauthorization_required: int
    failing: int
    """Active ones whose calls Google refuses."""


class OverviewDataCause(TypedDict):
    cause: str
    count: int


class OverviewDataStatusByDay(TypedDict):
    day: str
    """A day in UTC."""
    active: int
    reauthorization_required: int


class OverviewDataChangesByDay(TypedDict):
    day: str
    """A day in UTC."""
    created: int
    deleted: int
    died: int
    """Those that began to need a new authorization."""
    died_by_cause: list[OverviewDataChangesByDayDiedByCause]
    """Most first."""
    mended: int
    """Those that came back from it."""
    refreshes: OverviewDataChangesByDayRefreshes
    """Attempts to refresh, by how they ended."""


class OverviewDataChangesByDayDiedByCause(TypedDict):
    cause: str
    count: int


class OverviewDataChangesByDayRefreshes(TypedDict):
    """Attempts to refresh, by how they ended."""

    renewed: int
    refused: int
    """The grant was found dead."""
    client_refused: int
    failed: int
    """Tried again later."""


class OverviewDataEndingByDay(TypedDict):
    day: str
    """A day in UTC."""
    count: int


class OverviewDataEnding(TypedDict):
    connection_id: str
    provider_config_key: str
    end_user: OverviewDataEndingEndUser | None
    ends_at: str
    reason: Literal["testing_mode", "time_limited_access"]


class OverviewDataEndingEndUser(TypedDict):
    id: str
    email: str | None


class OverviewDataRejectedIntegration(TypedDict):
    unique_key: str
    display_name: str
    error: str
    since: str


class OverviewDataCrowdedAccount(TypedDict):
    connection_id: str
    provider_config_key: str
    email: str | None
    live: int
    limit: int


class PendingRevocations(TypedDict):
    data: PendingRevocationsData


class PendingRevocationsData(TypedDict):
    pending: int
    """How many grants the provider has not ended yet."""
    complete: bool
    """False where there are more than were counted."""
    oldest: list[PendingRevocationsDataOldest]


class PendingRevocationsDataOldest(TypedDict):
    provider_config_key: str
    connection_id: str
    requested_at: str
    retry_at: str
    failed_attempts: int


class Problem(TypedDict):
    """One problem of a request: where it is and what to do."""

    path: str
    message: str


class Provider(TypedDict):
    name: Literal["google-drive", "google-calendar"]
    display_name: str
    auth_mode: Literal["OAUTH2"]
    logo_url: str
    docs: str
    categories: list[str]
    default_scopes: list[str]
    recommended_scopes: list[str]
    has_picker: bool
    scopes: list[Scope]
    server: ProviderServer
    console: ProviderConsole
    first_call: str
    """Path and query of a call to begin with."""
    sample_calls: list[ProviderSampleCall]


class ProviderServer(TypedDict):
    id: str
    display_name: str
    has_testing_mode: bool
    """Whether it reviews apps, and ends grants of those that are not published."""


class ProviderConsole(TypedDict):
    clients_url: str
    """Where an OAuth client is made."""
    enable_api_url: str | None
    """Where the API is switched on, if it has to be."""


class ProviderSampleCall(TypedDict):
    label: str
    target: str


class ProviderAnswer(TypedDict):
    data: Provider


class ProviderList(TypedDict):
    data: list[Provider]


class Readiness(TypedDict):
    data: ReadinessData


class ReadinessData(TypedDict):
    ready: bool
    publishing_status: Literal["testing", "production"]
    audience: Literal["external", "internal"]
    redirect_uri: str
    """To be registered at Google for the OAuth client."""
    javascript_origin: str
    """To be registered only for front ends whose own libraries ask for it: the gateway needs none."""
    domain: ReadinessDataDomain
    """What works less well under the gateway’s address. Under a domain of your own: what needs it verified for the OAuth client’s Cloud project, which only Google’s console shows."""
    strictest_class: Literal["non-sensitive", "sensitive", "restricted"]
    scopes: list[ReadinessDataScope]
    steps: list[ReadinessDataStep]
    alternatives: list[ReadinessDataAlternative]
    """Scopes to ask for instead, which need fewer reviews."""
    risks: list[str]


class ReadinessDataDomain(TypedDict):
    """What works less well under the gateway’s address. Under a domain of your own: what needs it verified for the OAuth client’s Cloud project, which only Google’s console shows."""

    host: str
    own: bool
    """False for an address of AWS’s or of this computer."""
    losses: list[ReadinessDataDomainLosse]


class ReadinessDataDomainLosse(TypedDict):
    capability: Literal["app_verification", "push_messages", "connect_page"]
    needs: Literal["own_domain", "verified_domain"]
    what: str


class ReadinessDataScope(TypedDict):
    scope: str
    review_class: Literal["non-sensitive", "sensitive", "restricted"]
    meaning: str
    """What it allows, in an end user’s words."""
    reviews: list[Literal["app_verification", "security_assessment"]]
    """The steps below that asking for this scope takes."""


class ReadinessDataStep(TypedDict):
    id: str
    needed: bool
    done: bool | None
    """Null where only Google’s console shows it."""
    what: str


class ReadinessDataAlternative(TypedDict):
    instead_of: list[str]
    scope: str
    what: str


class ReconnectLinks(TypedDict):
    id: str
    """Of the links that were made together."""
    created_at: str
    created_by: str
    """Who made them: a key or an operator."""
    expires_at: str
    revoked_at: str | None
    links: list[ReconnectLinksLink]


class ReconnectLinksLink(TypedDict):
    provider_config_key: str
    connection_id: str
    end_user: ReconnectLinksLinkEndUser | None
    state: Literal["waiting", "came_back", "expired", "revoked", "deleted"]
    """Came_back: its user consented anew since the link was made, by it or another way."""
    came_back_at: str | None


class ReconnectLinksLinkEndUser(TypedDict):
    id: str
    display_name: str | None
    email: str | None


class Scope(TypedDict):
    scope: str
    review_class: Literal["non-sensitive", "sensitive", "restricted"]
    meaning: str
    """What it allows, in an end user’s words."""


class SearchAnswer(TypedDict):
    data: SearchAnswerData


class SearchAnswerData(TypedDict):
    connections: list[ConnectionListItem]
    total: int
    """How many connections there are."""
    total_is_complete: bool
    """False where there are more than were counted."""
    integrations: list[SearchAnswerDataIntegration]
    keys: list[SearchAnswerDataKey]


class SearchAnswerDataIntegration(TypedDict):
    unique_key: str
    display_name: str
    provider: Literal["google-drive", "google-calendar"]


class SearchAnswerDataKey(TypedDict):
    id: str
    name: str
    right: Literal["proxy", "read", "full"]
    revoked_at: str | None


class SecretKey(TypedDict):
    id: str
    """SHA-256 of the key, hex."""
    name: str
    right: Literal["proxy", "read", "full"]
    integration_ids: list[str] | None
    """Integrations the key is limited to; null = all."""
    can_read_credentials: bool
    created_at: str
    created_by: str | None
    """Who made it: key:<start of the id>, operator:<id at the issuer>, or gateway for the first key; null = not known."""
    last_used_at: str | None
    revoked_at: str | None
    hint: str | None
    """The last characters of the key; null on keys made before they were kept."""
    is_this_key: bool


class SecretKeyList(TypedDict):
    data: list[SecretKey]
    next_cursor: str | None
    """Send it as `cursor` for the next page; null at the end. A page ends at 4 MB."""


class SetMetadataBody(TypedDict):
    connection_id: str | list[str]
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    metadata: dict[str, Any]


class SetTestCredentialsBody(TypedDict):
    client_id: str
    client_secret: str


class StartedAuthorization(TypedDict):
    data: StartedAuthorizationData


class StartedAuthorizationData(TypedDict):
    authorization_url: str
    provider_config_key: str


class Success(TypedDict):
    success: Literal[True]


class TestCredentials(TypedDict):
    data: TestCredentialsData


class TestCredentialsData(TypedDict):
    provider: Literal["google-drive", "google-calendar"]
    configured: bool
    client_id: str | None


class TriedCall(TypedDict):
    data: TriedCallData


class TriedCallData(TypedDict):
    status: int
    """The provider’s status."""
    headers: dict[str, str]
    content_type: str | None
    body: str
    """The provider’s body as text."""
    truncated: bool
    duration_ms: float


class TryConnectionBody(TypedDict):
    path: str


class UpdateConnectionBody(TypedDict, total=False):
    end_user: UpdateConnectionBodyEndUser
    organization: UpdateConnectionBodyOrganization | None
    tags: dict[str, str]
    webhook_url_override: str | None


class _UpdateConnectionBodyEndUserAlways(TypedDict):
    id: str


class UpdateConnectionBodyEndUser(_UpdateConnectionBodyEndUserAlways, total=False):
    email: str | None
    display_name: str | None
    tags: dict[str, str] | None


class _UpdateConnectionBodyOrganizationAlways(TypedDict):
    id: str


class UpdateConnectionBodyOrganization(_UpdateConnectionBodyOrganizationAlways, total=False):
    display_name: str | None


class UpdateFeedBody(TypedDict, total=False):
    delivery: Literal["bus", "pull"]
    safety_interval_sec: int
    poll_interval_sec: int


class UpdateIntegrationBody(TypedDict, total=False):
    unique_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    display_name: str
    public_name: str | None
    scopes: list[str]
    publishing_status: Literal["testing", "production"]
    audience: Literal["external", "internal"]
    mode: Literal["test", "live"]
    include_granted_scopes: bool
    hosted_domain: str | None
    credentials: UpdateIntegrationBodyCredentials
    credentials_source: Literal["own", "test"]
    forward_webhooks: bool
    integration_config: dict[str, Any] | None
    custom: dict[str, Any] | None


class _UpdateIntegrationBodyCredentialsAlways(TypedDict):
    type: Literal["OAUTH2"]


class UpdateIntegrationBodyCredentials(_UpdateIntegrationBodyCredentialsAlways, total=False):
    client_id: str
    client_secret: str
    scopes: str | None
    webhook_secret: None


class UpdateMetadataBody(TypedDict):
    connection_id: str | list[str]
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    metadata: dict[str, Any]


class UpdateWebhookBody(TypedDict, total=False):
    url: str
    """Https, port 443, a host on the public internet."""
    description: str | None
    types: list[Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing"]] | None
    integrations: list[str] | None
    status: Literal["disabled"]


class Usage(TypedDict):
    data: UsageData


UsageData = TypedDict("UsageData", {
    "from": "str",
    "to": "str",
    "rows": "list[UsageRow]",
})


class UsageRow(TypedDict):
    day: str
    """UTC."""
    provider_config_key: str | None
    connection_id: str | None
    key_id: str | None
    """First 12 characters of the secret key’s id."""
    calls: int
    ok: int
    provider_refused: int
    """Google answered 4xx, other than 429."""
    provider_failed: int
    """Google answered 5xx."""
    rate_limited: int
    """Google answered 429."""
    gateway_refused: int
    """The gateway answered itself."""
    broken_off: int
    """The answer did not reach its end."""
    bytes_in: int
    bytes_out: int
    mean_ms: int


class Webhook(TypedDict):
    id: str
    url: str
    description: str | None
    types: list[str] | None
    """Event types it gets; null = all."""
    integrations: list[str] | None
    """Integrations whose events it gets; null = all, and the account’s own."""
    status: Literal["unproven", "enabled", "disabled"]
    disabled_because: Literal["gone", "failing", "requested"] | None
    """It answered 410; it failed for five days; somebody asked for it."""
    disabled_at: str | None
    enabled_at: str | None
    last_success_at: str | None
    failures_in_a_row: int
    resting_until: str | None
    """It failed several times in a row: nothing is sent until then."""
    previous_secret_until: str | None
    """Until then the secret before the last rotation signs too."""
    created_at: str
    updated_at: str


class WebhookAnswer(TypedDict):
    data: Webhook


class WebhookAttempt(TypedDict):
    at: str
    duration_ms: int
    status: int | None
    """Null where no answer came."""
    error: str | None
    """Null for a success. answered_with_error, gone, redirect_not_followed, timeout, connection_refused, connection_reset, name_not_found, tls_failed, address_not_public, address_not_allowed, invalid_response, unreachable or message_too_large."""
    answer: str | None
    """Start of a failed answer, at most 500 characters."""


class WebhookAttemptAnswer(TypedDict):
    data: WebhookAttempt


class WebhookDelivery(TypedDict):
    event_id: str
    """Also the message’s webhook-id."""
    type: str
    integration_id: str | None
    state: Literal["pending", "delivered", "failed", "waiting"]
    queued_at: str
    next_attempt_at: str | None
    attempts: list[WebhookAttempt]


class WebhookDeliveryList(TypedDict):
    data: list[WebhookDelivery]
    next_cursor: str | None
    """Send it as `cursor` for the next page; null at the end. A page ends at 4 MB."""


class WebhookList(TypedDict):
    data: list[Webhook]


class WebhookReplay(TypedDict):
    data: WebhookReplayData


class WebhookReplayData(TypedDict):
    queued: int
    next_from: str | None
    """Send it as from for the rest; null at the end."""


class WebhookWithSecret(TypedDict):
    data: WebhookWithSecretData


class WebhookWithSecretData(TypedDict):
    id: str
    url: str
    description: str | None
    types: list[str] | None
    """Event types it gets; null = all."""
    integrations: list[str] | None
    """Integrations whose events it gets; null = all, and the account’s own."""
    status: Literal["unproven", "enabled", "disabled"]
    disabled_because: Literal["gone", "failing", "requested"] | None
    """It answered 410; it failed for five days; somebody asked for it."""
    disabled_at: str | None
    enabled_at: str | None
    last_success_at: str | None
    failures_in_a_row: int
    resting_until: str | None
    """It failed several times in a row: nothing is sent until then."""
    previous_secret_until: str | None
    """Until then the secret before the last rotation signs too."""
    created_at: str
    updated_at: str
    secret: str
    """What messages are signed with, shown this once."""


class _CreateIntegrationCredentialsAlways(TypedDict):
    type: Literal["OAUTH2"]
    client_id: str
    client_secret: str


class CreateIntegrationCredentials(_CreateIntegrationCredentialsAlways, total=False):
    scopes: str | None
    webhook_secret: None


class _UpdateIntegrationCredentialsAlways(TypedDict):
    type: Literal["OAUTH2"]


class UpdateIntegrationCredentials(_UpdateIntegrationCredentialsAlways, total=False):
    client_id: str
    client_secret: str
    scopes: str | None
    webhook_secret: None


class _ImportConnectionCredentialsAlways(TypedDict):
    type: Literal["OAUTH2"]
    refresh_token: str


class ImportConnectionCredentials(_ImportConnectionCredentialsAlways, total=False):
    access_token: str
    expires_at: str | None


class _ImportConnectionEndUserAlways(TypedDict):
    id: str


class ImportConnectionEndUser(_ImportConnectionEndUserAlways, total=False):
    email: str | None
    display_name: str | None
    tags: dict[str, str] | None


class _ImportConnectionOrganizationAlways(TypedDict):
    id: str


class ImportConnectionOrganization(_ImportConnectionOrganizationAlways, total=False):
    display_name: str | None


class _UpdateConnectionEndUserAlways(TypedDict):
    id: str


class UpdateConnectionEndUser(_UpdateConnectionEndUserAlways, total=False):
    email: str | None
    display_name: str | None
    tags: dict[str, str] | None


class _UpdateConnectionOrganizationAlways(TypedDict):
    id: str


class UpdateConnectionOrganization(_UpdateConnectionOrganizationAlways, total=False):
    display_name: str | None


class _CreateConnectSessionEndUserAlways(TypedDict):
    id: str


class CreateConnectSessionEndUser(_CreateConnectSessionEndUserAlways, total=False):
    email: str | None
    display_name: str | None
    tags: dict[str, str] | None


class _CreateConnectSessionOrganizationAlways(TypedDict):
    id: str


class CreateConnectSessionOrganization(_CreateConnectSessionOrganizationAlways, total=False):
    display_name: str | None


class CreateConnectSessionIntegrationsConfigDefaultsValue(TypedDict, total=False):
    user_scopes: str
    authorization_params: CreateConnectSessionIntegrationsConfigDefaultsValueAuthorizationParams
    connection_config: CreateConnectSessionIntegrationsConfigDefaultsValueConnectionConfig


class CreateConnectSessionIntegrationsConfigDefaultsValueAuthorizationParams(TypedDict, total=False):
    login_hint: str
    hd: str
    include_granted_scopes: Literal["true", "false"]
    prompt: str


class CreateConnectSessionIntegrationsConfigDefaultsValueConnectionConfig(TypedDict, total=False):
    oauth_scopes_override: str


class CreateConnectSessionOverridesValue(TypedDict, total=False):
    docs_connect: str


class CreateConnectSessionPick(TypedDict, total=False):
    connection_id: str
    """Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -."""
    multiple: bool
    mime_types: list[str]
    file_ids: list[str]
    folders: bool


class _CreateReconnectSessionEndUserAlways(TypedDict):
    id: str


class CreateReconnectSessionEndUser(_CreateReconnectSessionEndUserAlways, total=False):
    email: str | None
    display_name: str | None
    tags: dict[str, str] | None


class _CreateReconnectSessionOrganizationAlways(TypedDict):
    id: str


class CreateReconnectSessionOrganization(_CreateReconnectSessionOrganizationAlways, total=False):
    display_name: str | None


class CreateReconnectSessionIntegrationsConfigDefaultsValue(TypedDict, total=False):
    user_scopes: str
    authorization_params: CreateReconnectSessionIntegrationsConfigDefaultsValueAuthorizationParams
    connection_config: CreateReconnectSessionIntegrationsConfigDefaultsValueConnectionConfig


class CreateReconnectSessionIntegrationsConfigDefaultsValueAuthorizationParams(TypedDict, total=False):
    login_hint: str
    hd: str
    include_granted_scopes: Literal["true", "false"]
    prompt: str


class CreateReconnectSessionIntegrationsConfigDefaultsValueConnectionConfig(TypedDict, total=False):
    oauth_scopes_override: str


class CreateReconnectSessionOverridesValue(TypedDict, total=False):
    docs_connect: str


class ListReconnectLinksAnswerData(TypedDict):
    id: str
    """Of the links that were made together."""
    created_at: str
    created_by: str
    """Who made them: a key or an operator."""
    expires_at: str
    revoked_at: str | None
    links: int
    came_back: int


class CreateReconnectLinksConnection(TypedDict):
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    connection_id: str
    """Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -."""


class CreateReconnectLinksAllDead(TypedDict, total=False):
    cause: Literal["user_revoked", "shared_grant_ended", "password_changed", "refresh_token_limit", "account_token_limit", "time_limited_access_over", "admin_restricted", "context_aware_access", "session_length_over", "testing_mode_expired", "unused_six_months", "account_unavailable", "account_restricted", "advanced_protection", "rotation_lost", "credentials_changed", "unknown"]
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    cursor: str
    """`next_cursor` of the page before."""
