# Written by `npm run generate` from the gateway's routes.
"""What the gateway's own routes take and answer, name for name as on the wire."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class AboutApproval(TypedDict):
    sentence: str
    """What the call does, with names as Google has them now."""
    account: str | None
    """Address of the Google account that the call is made as."""
    facts: list[ApprovalFact]
    """Everything that the call changes, and who can open what it comes to."""
    risks: list[str]
    """What leaves the organization or becomes public."""
    remarks: list[str]
    """Who gets an e-mail from Google, and why nobody can approve it."""
    is_certain: bool
    """False: not all of it could be read, so nobody can approve it now."""
    seen: str
    """The state that is described here. Send it with the decision: only this state is changed."""
    request: ApprovalRequest | None
    """The request itself; null once somebody has decided."""


class AcceptAgentToolsBody(TypedDict):
    endpoint: Literal["full", "self"]
    tools: list[AcceptAgentToolsBodyTool]


class AcceptAgentToolsBodyTool(TypedDict):
    name: str
    hash: str


class AcceptedAgentTools(TypedDict):
    data: AgentToolList


class AgentBinding(TypedDict):
    """What the key of an assistant is bound to."""

    end_user_id: str | None
    """Your id of the end user whose connections these are; null: they name none."""
    connections: list[AgentBindingConnection]
    tools: list[str] | None
    """Tools that it may be given; null = all that its limits leave."""


class AgentBindingConnection(TypedDict):
    integration_id: str
    connection_id: str


AgentTool = TypedDict("AgentTool", {
    "name": "str",
    "offered_as": "str | None",
    "class": "Literal[\"read\", \"write\", \"delete\", \"share\", None]",
    "state": "Literal[\"offered\", \"changed\", \"new\", \"unknown\", \"gone\"]",
    "accepted": "AgentToolAccepted | None",
    "waiting": "AgentToolWaiting | None",
})


class AgentToolAccepted(TypedDict):
    hash: str
    """SHA-256 of name, title, description, schema and hints."""
    description: str
    input_schema: dict[str, Any]


class AgentToolWaiting(TypedDict):
    """What the server says now, where it waits."""

    hash: str
    """SHA-256 of name, title, description, schema and hints."""
    description: str
    input_schema: dict[str, Any]


class AgentToolList(TypedDict):
    provider: Literal["google-drive", "google-calendar"]
    endpoint: Literal["full", "self"]
    """Full: all tools, for clients that can show Google’s forms. self: for all others."""
    fetched_at: str
    tools: list[AgentTool]


class AgentToolLists(TypedDict):
    data: list[AgentToolList]


class Approval(TypedDict):
    id: str
    status: Literal["pending", "approved", "refused", "expired", "running", "done", "failed", "stale", "unknown"]
    method: str
    """Google’s id of the method."""
    provider_config_key: str
    connection_id: str
    key_id: str
    """The key that called: the first 12 characters of its id."""
    key_name: str
    requested_at: str
    expires_at: str
    decided_at: str | None
    decided_by: str | None
    ended_at: str | None
    object: ApprovalObject | None
    """What the call is about; null where it names none."""
    outcome: str | None
    """Google’s status, or why nothing was sent."""
    about: AboutApproval | None
    """For operators and keys with the right full: while it waits, and once somebody has decided."""


class ApprovalAnswer(TypedDict):
    data: ShownApproval


class ApprovalDecidedEvent(TypedDict):
    """A person approved or refused a waiting call. An approved call is sent within seconds."""

    type: Literal["ApprovalDecided"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ApprovalDecidedEventData


class _ApprovalDecidedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    approval_id: str
    """Id of the approval."""
    method: str
    """Google’s id of the method, such as `drive.files.delete`."""
    key_id: str
    """The secret key that called: the first 12 characters of its `id`."""
    outcome: Literal["approved", "refused"]
    """What was decided."""
    actor: str
    """Who decided: `operator:…`, `end_user:…` after a sign-in, or `link:…` with the key or operator that created the link."""


class ApprovalDecidedEventData(_ApprovalDecidedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    object_kind: Literal["file", "shared_drive", "event", "calendar"]
    """What the call is about; absent if it names no object."""
    object_id: str
    """Google’s id of it."""


class ApprovalEndedEvent(TypedDict):
    """A call that waited for approval has ended."""

    type: Literal["ApprovalEnded"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ApprovalEndedEventData


class _ApprovalEndedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    approval_id: str
    """Id of the approval."""
    method: str
    """Google’s id of the method, such as `drive.files.delete`."""
    key_id: str
    """The secret key that called: the first 12 characters of its `id`."""
    outcome: Literal["done", "failed", "stale", "unknown", "expired"]
    """How it ended."""


class ApprovalEndedEventData(_ApprovalEndedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    object_kind: Literal["file", "shared_drive", "event", "calendar"]
    """What the call is about; absent if it names no object."""
    object_id: str
    """Google’s id of it."""


class ApprovalFact(TypedDict):
    name: str
    """What changes, or Google’s name of the member."""
    before: str | None
    after: str | None
    """Null: it is taken away."""
    is_risk: bool
    """It opens access, or leaves the organization."""


class ApprovalLink(TypedDict):
    """A link for one browser, in which the end user can decide."""

    url: str
    expires_at: str


class ApprovalLinkCreatedEvent(TypedDict):
    """A full key or an operator created a link. The first browser that opens it decides on a waiting call as the end user."""

    type: Literal["ApprovalLinkCreated"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ApprovalLinkCreatedEventData


class _ApprovalLinkCreatedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    approval_id: str
    """Id of the approval."""
    method: str
    """Google’s id of the method, such as `drive.files.delete`."""
    key_id: str
    """The secret key that called: the first 12 characters of its `id`."""
    ends_at: str
    """Until when the link works."""
    actor: str
    """The key or the operator: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ApprovalLinkCreatedEventData(_ApprovalLinkCreatedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    object_kind: Literal["file", "shared_drive", "event", "calendar"]
    """What the call is about; absent if it names no object."""
    object_id: str
    """Google’s id of it."""


class ApprovalList(TypedDict):
    data: list[Approval]


class ApprovalObject(TypedDict):
    kind: str
    id: str


class ApprovalRequest(TypedDict):
    method: str
    target: str
    content_type: str | None
    body: str | None


class ApprovalRequestedEvent(TypedDict):
    """A call waits for a person’s approval. Nothing of it was sent."""

    type: Literal["ApprovalRequested"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ApprovalRequestedEventData


class _ApprovalRequestedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    approval_id: str
    """Id of the approval."""
    method: str
    """Google’s id of the method, such as `drive.files.delete`."""
    key_id: str
    """The secret key that called: the first 12 characters of its `id`."""
    ends_at: str
    """Until when it waits."""
    actor: str
    """The key that called: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ApprovalRequestedEventData(_ApprovalRequestedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    object_kind: Literal["file", "shared_drive", "event", "calendar"]
    """What the call is about; absent if it names no object."""
    object_id: str
    """Google’s id of it."""


class ApprovalResult(TypedDict):
    """Google’s answer, kept for a day."""

    status: int
    """Google’s status."""
    headers: dict[str, str]
    body: str | None
    """Text, or Base64; null: larger than 64 KB, and not kept."""
    body_encoding: Literal["utf8", "base64"]


class Attention(TypedDict):
    kind: Literal["client", "delegation", "incident", "approval", "feed", "security_events", "webhook", "server_tools", "budget", "account", "key"]
    """Client: an OAuth client that Google refuses. delegation: a Workspace domain that does not list a service account. incident: connections of one integration that stopped for one reason, within an hour or one by one. webhook, feed: one that fails. security_events: a registered Cloud project whose security events do not come. approval: calls that wait for a person, and approved ones that did not begin or whose outcome is not known. budget: a day’s budget, or Google’s quota of the day, of which 80 or 100 % is used. account: near the limit of refresh tokens. key: not used for 90 days."""
    severity: Literal["error", "warning"]
    """Error: something does not work. warning: it will not for long, or nobody needs it."""
    title: str
    """What is wrong."""
    explanation: str
    who: Literal["end_user", "developer", "workspace_admin"]
    """Who can fix it."""
    steps: list[str]
    """What to do, in order."""
    warning: str | None
    """What goes wrong if a later step comes before the first one."""
    since: str | None
    until: str | None
    """Of an incident: when the last connection stopped."""
    count: int
    """Connections, or other things of the kind."""
    total: int | None
    """Of an incident: all connections of this integration, state and reason, also from other times."""
    provider_config_key: str | None
    state: Literal["dead", "refused_by_provider", "failing", None]
    """Of an incident."""
    reason: str | None
    """Cause of death, Google’s reason or error code, or the budget, such as integration.day.units."""
    id: str | None
    """Of the connection, webhook, feed, key or Cloud project, where it is about one."""


class AuditEvent(TypedDict):
    event_id: str
    type: Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionCauseProven", "ConnectionRecovered", "ConnectionRefreshRefused", "ConnectionRefreshRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "DelegationGranted", "DelegationLost", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "SecretKeyLimitsChanged", "ApprovalRequested", "ApprovalLinkCreated", "ApprovalDecided", "ApprovalEnded", "FeedCreated", "FeedUpdated", "FeedDeleted", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing", "SecurityEventsRegistered", "SecurityEventsRemoved", "ConnectionSecurityEvent", "ChangesUndone", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "BudgetReached", "QuotaReached", "HigherLimitsEnding", "ServerToolsChanged", "ServerToolsAccepted", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "ConnectSessionDeleted", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "Heartbeat"]
    time: str
    actor: str | None
    """`key:`, `iam:`, `operator:`, `session:` or `stack:`, then an id or name; null for the gateway’s own work."""
    actor_name: str | None
    """The operator’s e-mail address or the key’s name; null if unknown."""
    provider_config_key: str | None
    connection_id: str | None
    connection_name: str | None
    """Name, e-mail address or id of its end user, or the connection’s id where nothing else is known; null where there is no connection, or no longer."""
    end_user_id: str | None
    cause: str | None
    """Why a grant died. Of other types deprecated, gone in 0.4.0: read reason, key_id and the like in data."""
    request_id: str
    data: dict[str, str]
    """What the event says: the detail on the bus, and data of the webhook of its type. Empty members are not sent."""


class AuditPage(TypedDict):
    data: list[AuditEvent]
    next_cursor: str | None
    """Send as cursor for the next page; null at the end."""
    complete_since: str | None
    """Set after an upgrade from a version without this list: events from before this time are added bit by bit, and those of connections that no longer exist stay missing. null: nothing is missing."""


class AuthorizationFailedEvent(TypedDict):
    """An end user came back from Google, and nothing was connected."""

    type: Literal["AuthorizationFailed"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: AuthorizationFailedEventData


class _AuthorizationFailedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    reason: Literal["malformed_answer", "unknown_state", "other_browser", "timed_out", "session_ended", "session_used", "other_issuer", "refused", "pick_cancelled", "admin_blocked", "account_restricted", "account_protected", "organization_only", "sign_in_needed", "provider_trouble", "app_misconfigured", "app_disabled", "provider_refused", "integration_gone", "integration_changed", "credentials_missing", "client_rejected", "code_rejected", "provider_unreachable", "no_refresh_token", "only_sign_in", "account_unproven", "wrong_account", "wrong_domain", "connection_deleted", "connection_ended", "changed_meanwhile", "internal"]
    """What happened."""
    remedy: str
    """What to do about it, in sentences for people."""
    actor: str
    """The connect session: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class AuthorizationFailedEventData(_AuthorizationFailedEventDataAlways, total=False):
    connection_id: str
    """Absent for a new connection."""
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class AuthorizationStartedEvent(TypedDict):
    """An end user was sent to Google for consent."""

    type: Literal["AuthorizationStarted"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: AuthorizationStartedEventData


class _AuthorizationStartedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    actor: str
    """The connect session: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class AuthorizationStartedEventData(_AuthorizationStartedEventDataAlways, total=False):
    connection_id: str
    """Absent for a new connection."""
    end_user_id: str
    """Your id of the end user, if the connection has one."""


class _BudgetAlways(TypedDict):
    when_spent: Literal["warn", "stop"]
    """Once a day’s budget is used up: `warn` sends events and lets calls pass, `stop` refuses them until midnight UTC. A minute’s budget always refuses."""


class Budget(_BudgetAlways, total=False):
    """What proxied calls may take together."""

    minute: KeyBudget
    day: KeyBudget
    """From midnight to midnight, UTC."""


class BudgetReachedEvent(TypedDict):
    """Calls have used 50, 80 or 100 % of a daily budget of a secret key, an integration or a connection. Each share is sent once a day."""

    type: Literal["BudgetReached"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: BudgetReachedEventData


class _BudgetReachedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    budget: str
    """The budget, such as `integration.day.units` or `key.day.calls`."""
    percent: Literal["50", "80", "100"]
    """Share that is used, in percent."""
    used: str
    """Amount used when the event was sent."""
    most: str
    """The whole budget."""
    when_spent: Literal["warn", "stop", "observe"]
    """What happens to calls that no longer fit."""
    day: str
    """The day, UTC."""
    resets_at: str
    """When the whole budget is free again."""


class BudgetReachedEventData(_BudgetReachedEventDataAlways, total=False):
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    key_id: str
    """The secret key, if the budget is one of a key."""


class Call(TypedDict):
    """A proxied call, without query, headers, body or ids of files and events."""

    id: str
    """Sorts by the end of the call."""
    request_id: str
    time: str
    """When the call began."""
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
    """Google’s reason for a failure."""
    head_ms: int | None
    """Time until Google’s status line; null if there was none."""
    total_ms: int
    """Time until the last byte was sent."""
    attempts: int
    """Requests sent to Google."""
    refreshed: bool
    """Whether the call waited for a new access token."""
    bytes_in: int
    bytes_out: int
    complete: bool
    """False if the answer was cut off, by Google or by the caller."""
    stands_for: int
    """10 if only one call in ten is logged, which happens above 10,000 rows a day."""


class CallAnswer(TypedDict):
    data: Call


class CallFault(TypedDict):
    """Google refuses the connection’s calls, while its grant is valid; ends with the next call that succeeds."""

    reason: str
    """Google’s reason, or the status where it gives none."""
    what_happened: str
    who: Literal["end_user", "developer", "workspace_admin"]
    """Who can fix it."""
    remedy: str
    console_url: str | None
    """Where at Google it is fixed; null if not in a console."""
    since: str


class CallPage(TypedDict):
    data: list[Call]
    next_cursor: str | None
    """Send as cursor for the next page; null at the end."""
    log: CallPageLog


class CallPageLog(TypedDict):
    mode: Literal["off", "errors", "all"]
    """Which calls this deployment logs."""
    retention_days: int
    recording_until: str | None
    """Until when every call of the connection is logged."""


class CallRecording(TypedDict):
    data: CallRecordingData


class CallRecordingData(TypedDict):
    recording_until: str | None


class ChangedIntegration(TypedDict):
    data: Integration
    warnings: list[Problem]


class ChangedSecretKey(TypedDict):
    data: SecretKey


class ChangesUndoneEvent(TypedDict):
    """Writes of journalled keys on a connection were undone. One undo of many writes sends several."""

    type: Literal["ChangesUndone"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ChangesUndoneEventData


class _ChangesUndoneEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    undone: str
    """Number of writes that were undone."""
    conflicts: str
    """Number left alone because the object had changed since."""
    not_undoable: str
    """Number that cannot be undone."""
    actor: str
    """Who undid them: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ChangesUndoneEventData(_ChangesUndoneEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    key_id: str
    """The secret key whose writes were undone; absent if those of all keys were."""


class CheckClientBody(TypedDict):
    client_id: str
    client_secret: str


class CheckDelegationBody(TypedDict):
    address: str
    """The address of any user of the domain."""


class ClientCheck(TypedDict):
    verdict: Literal["accepted", "unknown_client_id", "wrong_secret", "refused", "unreachable"]
    """Unreachable: the provider gave no usable answer."""
    error: str | None
    """Error code of the provider."""
    message: str


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
    """Not empty while the connection needs a new authorization or a confirmation."""
    end_user: EndUser | None
    tags: dict[str, str]
    metadata: dict[str, Any] | None
    status: Literal["active", "reauthorization_required"]
    cause: str | None
    """Why it needs a new authorization."""
    provider_account: ConfirmedConnectionDataProviderAccount | None
    """The account at the provider; null where no identity was granted."""
    created: str
    missing_scopes: list[str]
    """Requested but not granted; a reconnect session requests them again."""
    is_reconnect: bool


class ConfirmedConnectionDataError(TypedDict):
    type: Literal["auth"]
    log_id: str


class _ConfirmedConnectionDataProviderAccountAlways(TypedDict):
    subject: str
    email: str | None


class ConfirmedConnectionDataProviderAccount(_ConfirmedConnectionDataProviderAccountAlways, total=False):
    """The account at the provider; null where no identity was granted."""

    hosted_domain: str | None
    """Google Workspace domain; null for an account without one, absent if unknown."""


class Connection(TypedDict):
    id: int
    """Stable number below 2^53, unique in the account."""
    connection_id: str
    provider_config_key: str
    """The integration’s unique_key."""
    provider: Literal["google-drive", "google-calendar"]
    errors: list[ConnectionError]
    """Not empty while the connection needs a new authorization or a confirmation."""
    end_user: EndUser | None
    tags: dict[str, str]
    metadata: dict[str, Any] | None
    status: Literal["active", "reauthorization_required", "pending_confirmation"]
    cause: str | None
    """Why it needs a new authorization."""
    provider_account: ConnectionProviderAccount | None
    """The account at the provider; null where no identity was granted."""
    connection_config: dict[str, Any]
    webhook_url_override: Literal[None]
    created_at: str
    updated_at: str
    last_fetched_at: str | None
    credentials: Credentials
    death: ConnectionDiagnosis | None
    requested_scopes: list[str]
    granted_scopes: list[str]
    missing_scopes: list[str]
    """Requested but not granted."""
    consented_at: str
    access_token_expires_at: str
    last_used_at: str | None
    last_refreshed_at: str | None
    health: ConnectionHealth
    refresh_refusal: RefreshRefusal | None
    """Set from the first refusal to renew the token until a refresh succeeds; null otherwise."""
    budget: Budget | None
    """What its calls may take; null = not limited."""
    call_fault: CallFault | None
    """Set while the health of the connection is failing; null otherwise."""
    shares_grant_with: int | None
    """Other connections that end together with this one’s grant; null if unknown."""
    forecasts: ConnectionForecasts
    """Known and likely future problems of the grant."""


class ConnectionError(TypedDict):
    type: Literal["auth"]
    log_id: str


class _ConnectionProviderAccountAlways(TypedDict):
    subject: str
    email: str | None


class ConnectionProviderAccount(_ConnectionProviderAccountAlways, total=False):
    """The account at the provider; null where no identity was granted."""

    hosted_domain: str | None
    """Google Workspace domain; null for an account without one, absent if unknown."""


class ConnectionForecasts(TypedDict):
    """Known and likely future problems of the grant."""

    testing_mode_ends_at: str | None
    access_ends_at: str | None
    refresh_token_limit: ConnectionForecastsRefreshTokenLimit | None


class ConnectionForecastsRefreshTokenLimit(TypedDict):
    live: int
    limit: int


class ConnectionCauseProvenEvent(TypedDict):
    """A signed security event from Google proves why a connection died, or shows another cause than the guess. At most once per death."""

    type: Literal["ConnectionCauseProven"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionCauseProvenEventData


class _ConnectionCauseProvenEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the connection, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    cause: Literal["user_revoked", "token_revoked", "shared_grant_ended", "password_changed", "refresh_token_limit", "account_token_limit", "time_limited_access_over", "admin_restricted", "context_aware_access", "session_length_over", "testing_mode_expired", "unused_six_months", "account_unavailable", "account_restricted", "advanced_protection", "rotation_lost", "credentials_changed", "delegation_pending", "delegation_missing", "delegation_incomplete", "subject_unknown", "subject_not_allowed", "unknown"]
    """The proven cause."""
    remedy: str
    """What happened and what to do about it, in sentences for people."""
    health: Literal["dead"]
    """Health of the connection after the event."""


class ConnectionCauseProvenEventData(_ConnectionCauseProvenEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""


class ConnectionCheck(TypedDict):
    data: ConnectionCheckData


class ConnectionCheckData(TypedDict):
    works: bool
    """Whether the provider accepts the connection’s token."""
    reason: str
    """Ok, or why not."""
    message: str
    who: Literal["end_user", "developer", "workspace_admin", None]
    remedy: str | None
    upstream_status: int | None
    """The provider’s status, if it was called."""
    connection: ConnectionDiagnosis | None


class ConnectionConfirmationPendingEvent(TypedDict):
    """The end user of a connect session with `confirm` has given consent. Your backend has to confirm it."""

    type: Literal["ConnectionConfirmationPending"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionConfirmationPendingEventData


class _ConnectionConfirmationPendingEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    actor: str
    """The connect session: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ConnectionConfirmationPendingEventData(_ConnectionConfirmationPendingEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""


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
    """Connections that came to need a new authorization."""
    died_by_cause: list[ConnectionCountsDataRowDiedByCause]
    """Most frequent first."""
    mended: int
    """Connections that were authorized again."""
    refreshes: ConnectionCountsDataRowRefreshes
    """Refresh attempts by result."""


class ConnectionCountsDataRowDiedByCause(TypedDict):
    cause: str
    count: int


class ConnectionCountsDataRowRefreshes(TypedDict):
    """Refresh attempts by result."""

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
    """Connections that came to need a new authorization."""
    died_by_cause: list[ConnectionCountsDataTotalDiedByCause]
    """Most frequent first."""
    mended: int
    """Connections that were authorized again."""
    refreshes: ConnectionCountsDataTotalRefreshes
    """Refresh attempts by result."""


class ConnectionCountsDataTotalDiedByCause(TypedDict):
    cause: str
    count: int


class ConnectionCountsDataTotalRefreshes(TypedDict):
    """Refresh attempts by result."""

    renewed: int
    refused: int
    """The grant was found dead."""
    client_refused: int
    failed: int
    """Tried again later."""


class ConnectionCreatedEvent(TypedDict):
    """An end user has connected an account, or its tokens were imported."""

    type: Literal["ConnectionCreated"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionCreatedEventData


class _ConnectionCreatedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the connection, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    health: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead"]
    """Health of the connection after the event."""
    actor: str
    """The connect session that it was made in, or who imported or confirmed it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ConnectionCreatedEventData(_ConnectionCreatedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    reason: Literal["imported", "delegated", "account_unknown"]
    """Absent for a usual consent."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class ConnectionCredentialsReadEvent(TypedDict):
    """Tokens of a connection were read with `GET /connections/{id}`."""

    type: Literal["ConnectionCredentialsRead"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionCredentialsReadEventData


class _ConnectionCredentialsReadEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    credentials: Literal["access_token", "refresh_token"]
    """Which tokens."""
    actor: str
    """Who read them: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ConnectionCredentialsReadEventData(_ConnectionCredentialsReadEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    cause: str
    """Deprecated, gone in 0.4.0: read `credentials`."""


class ConnectionDeletedEvent(TypedDict):
    """A connection was deleted, alone or with its integration. Its tokens are erased."""

    type: Literal["ConnectionDeleted"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionDeletedEventData


class _ConnectionDeletedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the connection, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    actor: str
    """Who deleted it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ConnectionDeletedEventData(_ConnectionDeletedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    reason: Literal["revocation_requested", "record_unreadable"]
    """Absent if the grant is left as it is."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class ConnectionDiagnosis(TypedDict):
    """Why a connection cannot be used and who can fix it."""

    status: Literal["reauthorization_required"]
    cause: str
    """The most likely cause, such as user_revoked; certain says whether it is proven."""
    certain: bool
    """Whether the provider’s answer or the stored facts prove the cause."""
    what_happened: str
    """One sentence; begins with “Probably:” unless the cause is certain."""
    likely_causes: list[LikelyCause]
    remedy: str
    provider_error: str
    """The provider’s own code, such as invalid_grant."""
    can_be_checked_again: bool
    """Whether the same grant may work again without the user once a restriction is lifted; check with POST /connections/{connectionId}/refresh."""
    since: str
    evidence: ConnectionDiagnosisEvidence | None
    """The provider’s signed statement that proves the cause; null if none does. Google sends them when security events are registered."""


class ConnectionDiagnosisEvidence(TypedDict):
    """The provider’s signed statement that proves the cause; null if none does. Google sends them when security events are registered."""

    type: str
    """Type of the security event, such as account-disabled."""
    reason: str | None
    """The provider’s own word, such as hijacking."""
    stated_at: str


class ConnectionEvent(TypedDict):
    event_id: str
    type: Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionCauseProven", "ConnectionRecovered", "ConnectionRefreshRefused", "ConnectionRefreshRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "DelegationGranted", "DelegationLost", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "SecretKeyLimitsChanged", "ApprovalRequested", "ApprovalLinkCreated", "ApprovalDecided", "ApprovalEnded", "FeedCreated", "FeedUpdated", "FeedDeleted", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing", "SecurityEventsRegistered", "SecurityEventsRemoved", "ConnectionSecurityEvent", "ChangesUndone", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "BudgetReached", "QuotaReached", "HigherLimitsEnding", "ServerToolsChanged", "ServerToolsAccepted", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "ConnectSessionDeleted", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "Heartbeat"]
    sequence: int
    """Counts up per connection; 0 for events that changed nothing."""
    time: str
    end_user_id: str | None
    cause: str | None
    """Why a grant died. Of other types deprecated, gone in 0.4.0: read reason, key_id and the like in data."""
    remedy: str | None
    actor: str | None
    """Who caused it; null for the gateway’s own work."""
    actor_name: str | None
    """The operator’s e-mail address or the key’s name; null if unknown, and for keys that are limited to some integrations."""
    request_id: str
    data: dict[str, str]
    """What the event says: the detail on the bus, and data of the webhook of its type. Empty members are not sent."""


class ConnectionExpiringEvent(TypedDict):
    """A grant will end by itself in two days, or in one: sent once each."""

    type: Literal["ConnectionExpiring"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionExpiringEventData


class _ConnectionExpiringEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the connection, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    reason: Literal["testing_mode", "time_limited_access"]
    """Why it will end."""
    ends_at: str
    """When it will end."""
    remedy: str
    """What to do about it, in sentences for people."""
    health: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead"]
    """Health of the connection after the event."""


class ConnectionExpiringEventData(_ConnectionExpiringEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class ConnectionGrantRevokedEvent(TypedDict):
    """The revocation of a deleted connection’s grant has ended."""

    type: Literal["ConnectionGrantRevoked"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionGrantRevokedEventData


class _ConnectionGrantRevokedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    outcome: Literal["revoked", "already_invalid", "superseded_by_new_consent", "client_gone", "no_revocation_endpoint"]
    """What happened to the grant."""


class ConnectionGrantRevokedEventData(_ConnectionGrantRevokedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    cause: str
    """Deprecated, gone in 0.4.0: read `outcome`."""


class ConnectionHealth(TypedDict):
    """Whether its calls work. failing: Google refused three calls in a row because of the connection, and none has succeeded since. refused_by_provider: Google has refused three times in a row to renew its token, or has given none for a day. ends_soon: within two days."""

    status: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead"]
    reason: str | None
    """Why the grant ended or will end, why Google refuses calls, or its error about the OAuth client or about the connection’s token."""
    certain: bool | None
    """For a dead grant: false if the cause is only likely."""
    since: str | None
    ends_at: str | None
    """For a grant that ends soon."""


class _ConnectionListAlways(TypedDict):
    connections: list[ConnectionListItem]
    next_cursor: str | None
    """Send as cursor for the next page; null at the end."""


class ConnectionList(_ConnectionListAlways, total=False):
    total: int | None
    """With include=total: number of connections in the list."""
    total_is_complete: bool
    """False if there are more than were counted."""


class _ConnectionListItemAlways(TypedDict):
    id: int
    """Stable number below 2^53, unique in the account."""
    connection_id: str
    provider_config_key: str
    """The integration’s unique_key."""
    provider: Literal["google-drive", "google-calendar"]
    errors: list[ConnectionListItemError]
    """Not empty while the connection needs a new authorization or a confirmation."""
    end_user: EndUser | None
    tags: dict[str, str]
    metadata: dict[str, Any] | None
    status: Literal["active", "reauthorization_required"]
    cause: str | None
    """Why it needs a new authorization."""
    provider_account: ConnectionListItemProviderAccount | None
    """The account at the provider; null where no identity was granted."""
    created: str
    health: ConnectionHealth


class ConnectionListItem(_ConnectionListItemAlways, total=False):
    last_used_at: str | None
    """With include=last_used; accurate to ten minutes."""


class ConnectionListItemError(TypedDict):
    type: Literal["auth"]
    log_id: str


class _ConnectionListItemProviderAccountAlways(TypedDict):
    subject: str
    email: str | None


class ConnectionListItemProviderAccount(_ConnectionListItemProviderAccountAlways, total=False):
    """The account at the provider; null where no identity was granted."""

    hosted_domain: str | None
    """Google Workspace domain; null for an account without one, absent if unknown."""


class ConnectionNotConfirmedEvent(TypedDict):
    """A consent was not confirmed. Its tokens are erased, and the grant is revoked unless a living connection shares it."""

    type: Literal["ConnectionNotConfirmed"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionNotConfirmedEventData


class _ConnectionNotConfirmedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    reason: Literal["not_confirmed_in_time", "other_end_user", "withdrawn", "integration_gone", "connection_deleted"]
    """Why not."""


class ConnectionNotConfirmedEventData(_ConnectionNotConfirmedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    actor: str
    """Who ended it; absent when time ran out: `key:…`, `iam:…`, `operator:…` or `session:…`."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class ConnectionReauthorizationRequiredEvent(TypedDict):
    """A grant has ended. Calls on the connection get 424 until the user reconnects."""

    type: Literal["ConnectionReauthorizationRequired"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionReauthorizationRequiredEventData


class _ConnectionReauthorizationRequiredEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the connection, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    cause: Literal["user_revoked", "token_revoked", "shared_grant_ended", "password_changed", "refresh_token_limit", "account_token_limit", "time_limited_access_over", "admin_restricted", "context_aware_access", "session_length_over", "testing_mode_expired", "unused_six_months", "account_unavailable", "account_restricted", "advanced_protection", "rotation_lost", "credentials_changed", "delegation_pending", "delegation_missing", "delegation_incomplete", "subject_unknown", "subject_not_allowed", "unknown"]
    """The most likely cause. `remedy` begins with “Probably:” unless it is proven; `GET /connections/{id}` lists all likely causes."""
    remedy: str
    """What happened and what to do about it, in sentences for people."""
    health: Literal["dead"]
    """Health of the connection after the event."""


class ConnectionReauthorizationRequiredEventData(_ConnectionReauthorizationRequiredEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""


class ConnectionReauthorizedEvent(TypedDict):
    """The end user of a connection has given a new consent. The connection works with the new grant, even if it was dead."""

    type: Literal["ConnectionReauthorized"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionReauthorizedEventData


class _ConnectionReauthorizedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the connection, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    health: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead"]
    """Health of the connection after the event."""
    actor: str
    """The connect session of the consent, or who confirmed it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ConnectionReauthorizedEventData(_ConnectionReauthorizedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    reason: Literal["account_changed", "account_unknown", "account_not_known_before"]
    """Absent if the account is the same."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class ConnectionRecoveredEvent(TypedDict):
    """A dead connection works again without a new consent: an administrator lifted a restriction, or Google withdrew its refusal."""

    type: Literal["ConnectionRecovered"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionRecoveredEventData


class _ConnectionRecoveredEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the connection, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    cause: Literal["user_revoked", "token_revoked", "shared_grant_ended", "password_changed", "refresh_token_limit", "account_token_limit", "time_limited_access_over", "admin_restricted", "context_aware_access", "session_length_over", "testing_mode_expired", "unused_six_months", "account_unavailable", "account_restricted", "advanced_protection", "rotation_lost", "credentials_changed", "delegation_pending", "delegation_missing", "delegation_incomplete", "subject_unknown", "subject_not_allowed", "unknown"]
    """The former cause of death."""
    health: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead"]
    """Health of the connection after the event."""


class ConnectionRecoveredEventData(_ConnectionRecoveredEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""


class ConnectionRefreshRecoveredEvent(TypedDict):
    """A refresh has succeeded after a `ConnectionRefreshRefused`."""

    type: Literal["ConnectionRefreshRecovered"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionRefreshRecoveredEventData


class _ConnectionRefreshRecoveredEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the connection, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    provider_error: str
    """Google’s former error code."""
    health: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead"]
    """Health of the connection after the event."""


class ConnectionRefreshRecoveredEventData(_ConnectionRefreshRecoveredEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""


class ConnectionRefreshRefusedEvent(TypedDict):
    """Google refused three times in a row to renew an access token, or gave no new one for a day. Sent once, until a refresh succeeds. Calls get 503 once the last token has expired."""

    type: Literal["ConnectionRefreshRefused"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionRefreshRefusedEventData


class _ConnectionRefreshRefusedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the connection, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    provider_error: str
    """Google’s error code, or the kind of its response, such as `http_403`."""
    remedy: str
    """What Google answers and what to do about it, in sentences for people."""
    health: Literal["refused_by_provider", "client_refused"]
    """Health of the connection after the event."""


class ConnectionRefreshRefusedEventData(_ConnectionRefreshRefusedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""


class ConnectionRestoredEvent(TypedDict):
    """An operator restored a connection from a backup. What happened to it since the backup is undone."""

    type: Literal["ConnectionRestored"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionRestoredEventData


class _ConnectionRestoredEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the connection, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    reason: Literal["missing", "damaged", "deleted", "overwritten"]
    """Why it was restored."""
    health: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead"]
    """Health of the connection after the event."""


class ConnectionRestoredEventData(_ConnectionRestoredEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class ConnectionScopesChangedEvent(TypedDict):
    """A new consent or a refresh has changed the granted scopes, which `GET /connections/{id}` lists."""

    type: Literal["ConnectionScopesChanged"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionScopesChangedEventData


class _ConnectionScopesChangedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the connection, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    reason: Literal["scopes_gained", "scopes_lost", "scopes_gained_and_lost"]
    """What changed."""
    health: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead"]
    """Health of the connection after the event."""


class ConnectionScopesChangedEventData(_ConnectionScopesChangedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    actor: str
    """The connect session of the consent, or who confirmed it; absent after a refresh: `key:…`, `iam:…`, `operator:…` or `session:…`."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class ConnectionSecurityEventEvent(TypedDict):
    """Google stated a security event of a connection’s account or token. This ends no connection: the gateway refreshes its token at once and reports the result."""

    type: Literal["ConnectionSecurityEvent"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionSecurityEventEventData


class _ConnectionSecurityEventEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    security_event: Literal["tokens-revoked", "token-revoked", "account-disabled", "account-enabled", "account-purged", "sessions-revoked", "account-credential-change-required"]
    """What happened."""
    stated_at: str
    """When Google stated it, by its clock."""


class ConnectionSecurityEventEventData(_ConnectionSecurityEventEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    stated_reason: str
    """Google’s reason, such as `hijacking`."""


class ConnectionTriedEvent(TypedDict):
    """Somebody tried a call on a connection, such as an operator in the dashboard."""

    type: Literal["ConnectionTried"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionTriedEventData


class _ConnectionTriedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    actor: str
    """Who tried it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ConnectionTriedEventData(_ConnectionTriedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""


class ConnectionUpdatedEvent(TypedDict):
    """The end user, tags, metadata or call recording of a connection were changed."""

    type: Literal["ConnectionUpdated"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectionUpdatedEventData


class _ConnectionUpdatedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the connection, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    health: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead"]
    """Health of the connection after the event."""
    actor: str
    """Who changed it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ConnectionUpdatedEventData(_ConnectionUpdatedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    reason: Literal["calls_recorded", "calls_no_longer_recorded"]
    """Absent for end user, tags and metadata."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


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
    admin: ConnectSessionDataAdmin | None
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


class ConnectSessionDataAdmin(TypedDict):
    organization: ConnectSessionDataAdminOrganization
    client_id: str
    scopes: list[str]
    admin_url: str


class ConnectSessionDataAdminOrganization(TypedDict):
    id: str
    display_name: str | None


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


class ConnectSessionCreatedEvent(TypedDict):
    """A connect session was created."""

    type: Literal["ConnectSessionCreated"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectSessionCreatedEventData


class _ConnectSessionCreatedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    session_id: str
    """The session, as `actor` of later events names it."""
    actor: str
    """Who created it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ConnectSessionCreatedEventData(_ConnectSessionCreatedEventDataAlways, total=False):
    integration_id: str
    """The integration, if the session allows only one."""
    connection_id: str
    """Absent for a new connection."""
    end_user_id: str
    """Your id of the end user, if the session or its connection names one."""
    cause: str
    """Deprecated, gone in 0.4.0: read `session_id`, which stands behind `session:` here."""


class ConnectSessionDeletedEvent(TypedDict):
    """A connect session was deleted with all others of its end user (`DELETE /connect/sessions`)."""

    type: Literal["ConnectSessionDeleted"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ConnectSessionDeletedEventData


class _ConnectSessionDeletedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    end_user_id: str
    """Your id of the end user."""
    session_id: str
    """The session, as `actor` of its events names it."""
    actor: str
    """Who deleted it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ConnectSessionDeletedEventData(_ConnectSessionDeletedEventDataAlways, total=False):
    integration_id: str
    """The integration, if the session allowed only one."""
    connection_id: str
    """Absent for a new connection."""


class _CreateAdminSessionBodyAlways(TypedDict):
    integration_id: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    organization: CreateAdminSessionBodyOrganization
    """The customer whose administrator this is for."""


class CreateAdminSessionBody(_CreateAdminSessionBodyAlways, total=False):
    language: Literal["en", "de", "fr", "es", "pt", "ja"]


class _CreateAdminSessionBodyOrganizationAlways(TypedDict):
    id: str


class CreateAdminSessionBodyOrganization(_CreateAdminSessionBodyOrganizationAlways, total=False):
    """The customer whose administrator this is for."""

    display_name: str | None


class _CreateAgentBodyAlways(TypedDict):
    name: str


class CreateAgentBody(_CreateAgentBodyAlways, total=False):
    end_user_id: str
    integrations: list[str]
    connections: list[CreateAgentBodyConnection]
    tools: list[Literal["drive_search_files", "drive_list_recent_files", "drive_get_file_metadata", "drive_read_file_content", "drive_create_file", "drive_copy_file", "drive_rename_or_move_file", "drive_update_file_content", "drive_trash_file", "calendar_list_calendars", "calendar_list_events", "calendar_get_event", "calendar_find_free_time", "calendar_create_event", "calendar_update_event", "calendar_respond_to_event", "calendar_delete_event", "gateway_approval_status", "drive_google_search_files", "drive_google_list_recent_files", "drive_google_get_file_metadata", "drive_google_get_file_permissions", "drive_google_read_file_content", "drive_google_download_file_content", "drive_google_create_file", "drive_google_copy_file", "calendar_google_list_calendars", "calendar_google_list_events", "calendar_google_get_event", "calendar_google_search_events", "calendar_google_suggest_time", "calendar_google_create_event", "calendar_google_update_event", "calendar_google_delete_event", "calendar_google_respond_to_event"]]
    limits: CreateAgentBodyLimits


class CreateAgentBodyConnection(TypedDict):
    integration_id: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    connection_id: str
    """Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -."""


class _CreateAgentBodyLimitsAlways(TypedDict):
    mode: Literal["observe", "enforce"]


class CreateAgentBodyLimits(_CreateAgentBodyLimitsAlways, total=False):
    allow: list[str]
    deny: list[str]
    approve: list[str]
    approval: Literal["google", "gateway", "both"]
    integrations: list[str]
    connections: list[str]
    resources: list[str]
    end_users: dict[str, str]
    sources: list[str]
    minute: CreateAgentBodyLimitsMinute
    day: CreateAgentBodyLimitsDay
    priority: Literal["background"]
    expires_at: str
    journal: bool | Literal["required"]


class CreateAgentBodyLimitsMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class CreateAgentBodyLimitsDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


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
    reuse_connection: bool


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


class CreatedAgent(TypedDict):
    data: CreatedAgentData


class CreatedAgentData(TypedDict):
    id: str
    """SHA-256 of the key, hex; of a role, of its ARN without the path."""
    name: str
    right: Literal["proxy", "read", "full"]
    integration_ids: list[str] | None
    """Integrations to which the key is limited; null = all."""
    can_read_credentials: bool
    created_at: str
    created_by: str | None
    """Who created it: key:<start of the id>, iam:<AWS account>:<role>, operator:<id at the issuer>, stack:<name>, or gateway for the first key; null = unknown."""
    created_by_name: str | None
    """The key’s or role’s name or the operator’s e-mail address; null if unknown."""
    last_used_at: str | None
    """A proxied call shows within five minutes, any other within ten."""
    revoked_at: str | None
    hint: str | None
    """The last characters of the key; null on keys created before these were stored."""
    is_this_key: bool
    limits: KeyLimits | None
    """What its proxied calls are limited to; null = nothing."""
    role_arn: str | None
    """The IAM role that calls below /iam, which has no key; null = a secret key."""
    role_id: str | None
    """Unique id that the role must have; null = any."""
    managed_by: ManagedBy | None
    agent: AgentBinding | None
    """Of an assistant’s key, which works only at /mcp; null = another key."""
    agent_key: str
    """The key itself, shown only this once."""
    mcp_url: str
    """Where assistants call with it."""
    warnings: list[Problem]
    """What to know before you use the key, such as Google’s rule for AI agents."""


class CreatedApprovalLink(TypedDict):
    data: ApprovalLink


class CreatedConnectSession(TypedDict):
    data: CreatedConnectSessionData


class CreatedConnectSessionData(TypedDict):
    token: str
    """Opens the session; shown only this once."""
    connect_link: str
    """Send the end user here."""
    expires_at: str


class CreatedReconnectLinks(TypedDict):
    id: str
    """The batch’s id."""
    created_at: str
    created_by: str
    """A key or an operator."""
    created_by_name: str | None
    """The key’s name or the operator’s e-mail address; null if unknown, and for keys that are limited to some integrations."""
    expires_at: str
    revoked_at: str | None
    links: list[CreatedReconnectLinksLink]
    refused: list[CreatedReconnectLinksRefused]
    next_cursor: str | None
    """Send it as `cursor` for the next page; null at the end. A page ends at 4 MB."""


class CreatedReconnectLinksLink(TypedDict):
    provider_config_key: str
    connection_id: str
    end_user: CreatedReconnectLinksLinkEndUser | None
    provider_email: str | None
    connect_link: str
    language: Literal["en", "de", "fr", "es", "pt", "ja", None]
    """Of the subject, of the names in the message, and of the message where none was sent; null where the end user’s is not known and none was named, which means English."""
    subject: str
    """For an e-mail with the message."""
    message: str | None
    """To be sent to the end user; never null."""


class CreatedReconnectLinksLinkEndUser(TypedDict):
    id: str
    display_name: str | None
    email: str | None


class CreatedReconnectLinksRefused(TypedDict):
    provider_config_key: str
    connection_id: str
    reason: str


class CreatedSecretKey(TypedDict):
    data: CreatedSecretKeyData


class CreatedSecretKeyData(TypedDict):
    id: str
    """SHA-256 of the key, hex; of a role, of its ARN without the path."""
    name: str
    right: Literal["proxy", "read", "full"]
    integration_ids: list[str] | None
    """Integrations to which the key is limited; null = all."""
    can_read_credentials: bool
    created_at: str
    created_by: str | None
    """Who created it: key:<start of the id>, iam:<AWS account>:<role>, operator:<id at the issuer>, stack:<name>, or gateway for the first key; null = unknown."""
    created_by_name: str | None
    """The key’s or role’s name or the operator’s e-mail address; null if unknown."""
    last_used_at: str | None
    """A proxied call shows within five minutes, any other within ten."""
    revoked_at: str | None
    hint: str | None
    """The last characters of the key; null on keys created before these were stored."""
    is_this_key: bool
    limits: KeyLimits | None
    """What its proxied calls are limited to; null = nothing."""
    role_arn: str | None
    """The IAM role that calls below /iam, which has no key; null = a secret key."""
    role_id: str | None
    """Unique id that the role must have; null = any."""
    managed_by: ManagedBy | None
    agent: AgentBinding | None
    """Of an assistant’s key, which works only at /mcp; null = another key."""
    secret_key: str
    """The key itself, shown only this once."""


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
    meaning: bool
    seen: bool
    reminders: list[int]


class _CreateIntegrationBodyAlways(TypedDict):
    provider: Literal["google-drive", "google-calendar"]
    unique_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""


class CreateIntegrationBody(_CreateIntegrationBodyAlways, total=False):
    display_name: str
    public_name: str | None
    public_names: CreateIntegrationBodyPublicNames | None
    scopes: list[str]
    publishing_status: Literal["testing", "production"]
    audience: Literal["external", "internal"]
    mode: Literal["test", "live"]
    include_granted_scopes: bool
    hosted_domain: str | None
    budget: CreateIntegrationBodyBudget | None
    quota: CreateIntegrationBodyQuota | None
    kind: Literal["oauth", "delegated"]
    """Delegated: a service account acts for users of Workspace domains. The default is oauth."""
    delegation: CreateIntegrationBodyDelegation
    agentic: bool
    """True where the OAuth client is marked for AI agents at Google: assistants call Google’s MCP servers with it, and the gateway sends no REST calls. Fixed for the life of the integration. The default is false."""
    credentials: CreateIntegrationBodyCredentials
    credentials_source: Literal["own", "test"]
    forward_webhooks: bool
    integration_config: dict[str, Any] | None
    custom: dict[str, Any] | None


class CreateIntegrationBodyPublicNames(TypedDict, total=False):
    en: str
    de: str
    fr: str
    es: str
    pt: str
    ja: str


class CreateIntegrationBodyBudget(TypedDict, total=False):
    minute: CreateIntegrationBodyBudgetMinute
    day: CreateIntegrationBodyBudgetDay
    when_spent: Literal["warn", "stop"]


class CreateIntegrationBodyBudgetMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class CreateIntegrationBodyBudgetDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class CreateIntegrationBodyQuota(TypedDict, total=False):
    counted_in: Literal["units", "requests"]
    per_minute: int
    per_minute_and_user: int
    per_day: int | None
    bytes_out_per_day: int | None
    tier: Literal["standard", "internal", "scaled"]
    billing_account: str
    until: str
    tool_requests_per_day: int
    tool_keys: int


class _CreateIntegrationBodyDelegationAlways(TypedDict):
    service_account: str
    client_id: str
    project_number: str
    via: Literal["aws", "key"]


class CreateIntegrationBodyDelegation(_CreateIntegrationBodyDelegationAlways, total=False):
    audience: str
    key: str | ServiceAccountKeyFile
    subjects: CreateIntegrationBodyDelegationSubjects
    allow_domain_admin_access: bool
    new_subjects_per_hour: int


class CreateIntegrationBodyDelegationSubjects(TypedDict, total=False):
    domains: list[str]
    addresses: list[str]
    exceptions: list[str]


class _CreateIntegrationBodyCredentialsAlways(TypedDict):
    type: Literal["OAUTH2"]
    client_id: str
    client_secret: str


class CreateIntegrationBodyCredentials(_CreateIntegrationBodyCredentialsAlways, total=False):
    scopes: str | None
    webhook_secret: Literal[None]


class _CreateQuickstartIntegrationBodyAlways(TypedDict):
    provider: Literal["google-drive", "google-calendar"]
    unique_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""


class CreateQuickstartIntegrationBody(_CreateQuickstartIntegrationBodyAlways, total=False):
    display_name: str
    public_name: str | None
    public_names: CreateQuickstartIntegrationBodyPublicNames | None
    scopes: list[str]
    publishing_status: Literal["testing", "production"]
    audience: Literal["external", "internal"]
    mode: Literal["test", "live"]
    include_granted_scopes: bool
    hosted_domain: str | None
    budget: CreateQuickstartIntegrationBodyBudget | None
    quota: CreateQuickstartIntegrationBodyQuota | None
    forward_webhooks: bool
    integration_config: dict[str, Any] | None
    custom: dict[str, Any] | None


class CreateQuickstartIntegrationBodyPublicNames(TypedDict, total=False):
    en: str
    de: str
    fr: str
    es: str
    pt: str
    ja: str


class CreateQuickstartIntegrationBodyBudget(TypedDict, total=False):
    minute: CreateQuickstartIntegrationBodyBudgetMinute
    day: CreateQuickstartIntegrationBodyBudgetDay
    when_spent: Literal["warn", "stop"]


class CreateQuickstartIntegrationBodyBudgetMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class CreateQuickstartIntegrationBodyBudgetDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class CreateQuickstartIntegrationBodyQuota(TypedDict, total=False):
    counted_in: Literal["units", "requests"]
    per_minute: int
    per_minute_and_user: int
    per_day: int | None
    bytes_out_per_day: int | None
    tier: Literal["standard", "internal", "scaled"]
    billing_account: str
    until: str
    tool_requests_per_day: int
    tool_keys: int


class CreateReconnectLinksBody(TypedDict, total=False):
    connections: list[CreateReconnectLinksBodyConnection]
    all_dead: CreateReconnectLinksBodyAllDead
    lifetime_sec: int
    message: str
    language: Literal["en", "de", "fr", "es", "pt", "ja"]


class CreateReconnectLinksBodyConnection(TypedDict):
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    connection_id: str
    """Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -."""


class CreateReconnectLinksBodyAllDead(TypedDict, total=False):
    cause: Literal["user_revoked", "token_revoked", "shared_grant_ended", "password_changed", "refresh_token_limit", "account_token_limit", "time_limited_access_over", "admin_restricted", "context_aware_access", "session_length_over", "testing_mode_expired", "unused_six_months", "account_unavailable", "account_restricted", "advanced_protection", "rotation_lost", "credentials_changed", "delegation_pending", "delegation_missing", "delegation_incomplete", "subject_unknown", "subject_not_allowed", "unknown"]
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    cursor: str
    """`next_cursor` of the previous page."""


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
    limits: CreateSecretKeyBodyLimits


class _CreateSecretKeyBodyLimitsAlways(TypedDict):
    mode: Literal["observe", "enforce"]


class CreateSecretKeyBodyLimits(_CreateSecretKeyBodyLimitsAlways, total=False):
    allow: list[str]
    deny: list[str]
    approve: list[str]
    approval: Literal["google", "gateway", "both"]
    integrations: list[str]
    connections: list[str]
    resources: list[str]
    end_users: dict[str, str]
    sources: list[str]
    minute: CreateSecretKeyBodyLimitsMinute
    day: CreateSecretKeyBodyLimitsDay
    priority: Literal["background"]
    expires_at: str
    journal: bool | Literal["required"]


class CreateSecretKeyBodyLimitsMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class CreateSecretKeyBodyLimitsDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class _CreateWebhookBodyAlways(TypedDict):
    url: str
    """Https on port 443, with a public host."""


class CreateWebhookBody(_CreateWebhookBodyAlways, total=False):
    description: str | None
    types: list[Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionCauseProven", "ConnectionRecovered", "ConnectionRefreshRefused", "ConnectionRefreshRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "DelegationGranted", "DelegationLost", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "SecretKeyLimitsChanged", "ApprovalRequested", "ApprovalLinkCreated", "ApprovalDecided", "ApprovalEnded", "FeedCreated", "FeedUpdated", "FeedDeleted", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing", "SecurityEventsRegistered", "SecurityEventsRemoved", "ConnectionSecurityEvent", "ChangesUndone", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "BudgetReached", "QuotaReached", "HigherLimitsEnding", "ServerToolsChanged", "ServerToolsAccepted", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "ConnectSessionDeleted", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "Heartbeat"]] | None
    integrations: list[str] | None


class Credentials(TypedDict, total=False):
    """Empty unless the secret key has can_read_credentials."""

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


class _DecideApprovalBodyAlways(TypedDict):
    decision: Literal["approve", "refuse"]


class DecideApprovalBody(_DecideApprovalBodyAlways, total=False):
    seen: str | None
    """About.seen of the approval that was looked at."""


class DecidedApproval(TypedDict):
    data: Approval


class DelegatedDomain(TypedDict):
    domain: str
    status: Literal["granted", "lost", "unknown"]
    """Lost: Google says that its administrator does not list the service account."""
    since: str
    checked_at: str | None


class Delegation(TypedDict):
    """How a service account acts for users of Workspace domains."""

    service_account: str
    client_id: str
    """The numeric client id that administrators list."""
    project_number: str
    via: Literal["aws", "key"]
    audience: str | None
    key_id: str | None
    """Id of the uploaded key; the key itself is never shown."""
    key_added_at: str | None
    subjects: DelegationSubjects
    """The users that it can act for. Exceptions win, and a domain does not include its subdomains."""
    allow_domain_admin_access: bool
    new_subjects_per_hour: int


class DelegationSubjects(TypedDict):
    """The users that it can act for. Exceptions win, and a domain does not include its subdomains."""

    domains: list[str]
    addresses: list[str]
    exceptions: list[str]


class DelegationAnswer(TypedDict):
    client_id: str
    scopes: list[str]
    admin_url: str
    """Fills the form of Google’s Admin console; it replaces nothing that is listed."""
    domains: list[DelegatedDomain]


class DelegationCheck(TypedDict):
    """Whether a service account may act for a user, scope by scope."""

    domain: str
    works: bool
    """Google gives a token for the address with all scopes."""
    scopes: list[DelegationCheckScope]
    cause: str | None
    what_happened: str | None
    who: Literal["end_user", "developer", "workspace_admin", None]
    remedy: str | None


class DelegationCheckScope(TypedDict):
    scope: str
    status: Literal["listed", "not_listed", "unknown"]
    """Listed, not_listed, or unknown where Google did not answer that."""


class DelegationCheckAnswer(TypedDict):
    data: DelegationCheck


class DelegationGrantedEvent(TypedDict):
    """Google gave the first token for a user of a Workspace domain, or the first after `DelegationLost`. All connections of the domain work."""

    type: Literal["DelegationGranted"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: DelegationGrantedEventData


class DelegationGrantedEventData(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    domain: str
    """The Workspace domain."""


class DelegationLostEvent(TypedDict):
    """The administrator of a Workspace domain does not list the service account, so no connection of the domain works. Sent once, until `DelegationGranted`."""

    type: Literal["DelegationLost"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: DelegationLostEventData


class DelegationLostEventData(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    domain: str
    """The Workspace domain."""
    provider_error: str
    """Google’s error code."""
    remedy: str
    """What to do about it, in sentences for people."""


class DeletedConnection(TypedDict):
    success: bool
    """Always true."""
    revocation: DeletedConnectionRevocation


class DeletedConnectionRevocation(TypedDict):
    status: Literal["not_requested", "revoked", "pending", "skipped"]
    reason: str | None
    retry_at: str | None
    shares_grant_with: int | None


class DeletedIntegration(TypedDict):
    success: bool
    """Always true."""
    deleted_connections: int


class DeletedSessions(TypedDict):
    success: bool
    """Always true."""
    deleted_sessions: int
    has_more: bool


class EndpointTest(TypedDict):
    """A webhook is enabled or tested."""

    type: Literal["endpoint.test"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: EndpointTestData


class EndpointTestData(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    webhook_id: str
    """Id of the webhook."""


class EndUser(TypedDict):
    """The user of your app that a connection belongs to."""

    id: str
    display_name: str | None
    email: str | None
    tags: dict[str, str] | None
    organization: EndUserOrganization | None


class EndUserOrganization(TypedDict):
    id: str
    display_name: str | None


class EventPage(TypedDict):
    events: list[ConnectionEvent]
    next_cursor: str | None
    """Send it as `cursor` for the next page; null at the end. A page ends at 4 MB."""
    next_before: str | None
    """The same as next_cursor, by its former name."""


class FailedCall(TypedDict):
    id: str
    """Sorts by the end of the call."""
    request_id: str
    time: str
    """When the call began."""
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
    """Google’s reason for a failure."""
    head_ms: int | None
    """Time until Google’s status line; null if there was none."""
    total_ms: int
    """Time until the last byte was sent."""
    attempts: int
    """Requests sent to Google."""
    refreshed: bool
    """Whether the call waited for a new access token."""
    bytes_in: int
    bytes_out: int
    complete: bool
    """False if the answer was cut off, by Google or by the caller."""
    stands_for: int
    """10 if only one call in ten is logged, which happens above 10,000 rows a day."""
    failure: Literal["provider_failed", "rate_limited", "gateway_failed", "refused", "broken_off"]
    """Provider_failed: Google answered 5xx. rate_limited: Google answered 429. gateway_failed: the gateway answered 5xx itself. refused: any other 4xx, of Google or of the gateway. broken_off: the answer was cut off."""
    connection_name: str
    """Name, e-mail address or id of the end user, or the connection’s id where nothing else is known."""


class FailedCallPage(TypedDict):
    data: list[FailedCall]
    next_cursor: str | None
    """Send as cursor for the next page; null at the end."""
    log: FailedCallPageLog


class FailedCallPageLog(TypedDict):
    mode: Literal["off", "errors", "all"]
    """Which calls this deployment logs."""
    retention_days: int


class Feed(TypedDict):
    id: str
    provider_config_key: str
    connection_id: str
    resource: str
    """Drive, drives, drive:<id>, folder:<id>, calendar:<id>, calendar_list, acl:<id> or settings."""
    state: Literal["starting", "watching", "polling", "paused", "failing", "waiting"]
    """Starting: the first position in the history is being fetched. watching: a push channel is open. polling: push is not available, and reason says why. waiting: the next pull waits for Google’s quota until next_pull_at. paused: the connection needs a new authorization. failing: Google refuses the resource or, with the reason overdue, no read has succeeded for eight minutes after it was due."""
    reason: str | None
    """Why the feed polls, waits, pauses or fails, or what it leaves out."""
    explanation: str | None
    remedy: str | None
    delivery: Literal["bus", "pull"]
    """Bus: batches are also sent as events. pull: batches are available only through this API."""
    safety_interval_sec: int
    """Seconds between pulls without a message, while a channel is open."""
    poll_interval_sec: int
    """Seconds between pulls without a channel."""
    meaning: bool
    """Whether changes say in `what` what they were."""
    seen: bool
    """Whether, with meaning, changes of files are also reported that only `seen` describes, such as that somebody opened a file."""
    reminders: list[int]
    """Of a calendar: how many minutes before its start an event is reported in a batch of kind `starts`."""
    last_sequence: int
    """Number of the last batch; 0 before the first."""
    last_change_at: str | None
    last_pull_at: str | None
    next_pull_at: str
    """When the next pull is due if no message arrives before."""
    channel_ends_at: str | None
    """End granted by Google; a new channel is opened before then."""
    failed_attempts: int
    behind_since: str | None
    """Set while the feed is behind, because it fails, is paused, waits for quota, or was not pulled for eight minutes after it was due: its last pull, or its creation before the first."""
    created_at: str
    managed_by: ManagedBy | None
    messages: int
    """Messages that Google has sent."""
    last_message_at: str | None
    pull_waiting: bool
    """A message has arrived that no pull has followed yet."""
    cursors: list[FeedCursor]
    drives: list[str] | None
    """Ids of the shared drives that a feed of drives follows; null for every other resource."""


class FeedAnswer(TypedDict):
    data: Feed


class FeedBatch(TypedDict):
    sequence: int
    kind: Literal["changes", "gap", "starts"]
    """Gap: changes before this batch may be missing; compare everything that you store of the resource. starts: events that start soon, as `reminders` of the feed ask for; they have not changed."""
    reason: str | None
    """Reason for a gap."""
    stored_at: str
    changes: list[FeedChange]


class _FeedChangeAlways(TypedDict):
    id: str
    """Google’s id of the changed item."""
    kind: Literal["file", "drive", "event", "calendar", "acl", "setting"]
    removed: bool
    """Deleted, or no longer accessible to the account; in a feed of drive:<id> also moved out of that shared drive. In a feed of drive or drives, a file that was moved and can still be read is not removed. In a feed of folder:<id>, whatever is not below the folder any more, or in the trash."""


class FeedChange(_FeedChangeAlways, total=False):
    time: str
    mime_type: str
    minutes_before: int
    """In a batch of kind starts: which reminder it is. `time` is when the event starts."""
    subtree: bool
    """In a feed of folder:<id>, of a folder: everything below it has come, moved or gone with it. List what is below it, or drop that if the folder is removed."""
    what: list[Literal["created", "content", "renamed", "moved", "shared", "trashed", "restored", "removed", "updated", "seen", "responded", "cancelled", "entered", "left", "unknown"]]
    """With meaning, what the change was; several words if several things changed. Files: created, content, renamed, moved, shared, trashed, restored, removed, updated, seen. In a feed of folder:<id>, also without meaning: entered, left. Events: created, moved, responded, updated, cancelled. unknown: the feed has not seen the item before, and the item is older than the feed’s knowledge."""


class FeedChangedEvent(TypedDict):
    """A [feed](changes.md) has a new batch. Feeds with `"delivery": "pull"` send none."""

    type: Literal["FeedChanged"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: FeedChangedEventData


class _FeedChangedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of the batch in its feed, counting up by one from 1. Read a missing one with `GET /feeds/{id}/changes`."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    feed_id: str
    """Id of the feed."""
    resource: str
    """What the feed watches, such as `drive` or `calendar:primary`."""
    kind: Literal["changes", "gap", "starts"]
    """What the batch is."""
    changes: str
    """A list of [changes](changes.md#reading-changes) as JSON text, empty for a gap."""


class FeedChangedEventData(_FeedChangedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    reason: Literal["cursor_expired", "account_changed", "client_changed", "restored", "folder_moved"]
    """Why there is a gap."""
    remedy: str
    """Of a gap: what to do."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class FeedChanges(TypedDict):
    data: list[FeedBatch]
    last_sequence: int
    """Number of the feed’s last batch."""
    has_more: bool
    """There are more batches: ask again at once after the last batch of this answer."""
    feed: FeedStanding


class FeedCreatedEvent(TypedDict):
    """A feed was created, or restored from a backup."""

    type: Literal["FeedCreated"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: FeedCreatedEventData


class _FeedCreatedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of the last batch of the feed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    feed_id: str
    """Id of the feed."""
    resource: str
    """What the feed watches, such as `drive` or `calendar:primary`."""


class FeedCreatedEventData(_FeedCreatedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    reason: Literal["restored"]
    """Absent for a new one."""
    actor: str
    """Who asked for it; absent for a restored one: `key:…`, `iam:…`, `operator:…` or `session:…`."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class FeedCursor(TypedDict):
    name: str
    sequence: int
    """The last batch that the consumer has processed."""
    lag: int
    """Batches that the consumer has not read."""
    moved_at: str


class FeedCursorAnswer(TypedDict):
    data: FeedCursor


class FeedDeletedEvent(TypedDict):
    """A feed was deleted."""

    type: Literal["FeedDeleted"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: FeedDeletedEventData


class _FeedDeletedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of the last batch of the feed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    feed_id: str
    """Id of the feed."""
    resource: str
    """What the feed watches, such as `drive` or `calendar:primary`."""


class FeedDeletedEventData(_FeedDeletedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    reason: Literal["connection_deleted", "resource_refused"]
    """Why; absent if somebody asked for it."""
    actor: str
    """Who asked for it; absent where the gateway found that its connection no longer exists: `key:…`, `iam:…`, `operator:…` or `session:…`."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class FeedFailingEvent(TypedDict):
    """A feed fails, or a consumer of it has fallen behind."""

    type: Literal["FeedFailing"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: FeedFailingEventData


class _FeedFailingEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of the last batch of the feed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    feed_id: str
    """Id of the feed."""
    resource: str
    """What the feed watches, such as `drive` or `calendar:primary`."""
    reason: Literal["resource_refused", "cursor_expired_again", "overdue", "consumer_behind"]
    """Why."""
    remedy: str
    """What to do about it, in sentences for people."""


class FeedFailingEventData(_FeedFailingEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class FeedPage(TypedDict):
    data: list[FeedSummary]
    next_cursor: str | None
    """Send it as `cursor` for the next page; null at the end. A page ends at 4 MB."""


class FeedPausedEvent(TypedDict):
    """A feed waits for a new authorization of its connection, and then continues at its position."""

    type: Literal["FeedPaused"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: FeedPausedEventData


class _FeedPausedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of the last batch of the feed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    feed_id: str
    """Id of the feed."""
    resource: str
    """What the feed watches, such as `drive` or `calendar:primary`."""
    reason: Literal["reauthorization_required"]
    """Why."""
    remedy: str
    """What to do about it, in sentences for people."""


class FeedPausedEventData(_FeedPausedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class FeedResumedEvent(TypedDict):
    """A feed that was paused or failing continues, and reads what it has missed."""

    type: Literal["FeedResumed"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: FeedResumedEventData


class _FeedResumedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of the last batch of the feed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    feed_id: str
    """Id of the feed."""
    resource: str
    """What the feed watches, such as `drive` or `calendar:primary`."""


class FeedResumedEventData(_FeedResumedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    reason: Literal["push_not_supported", "address_not_authorized", "address_not_https", "watch_refused"]
    """Why it is polled; absent if Google sends messages, or if that is not known yet."""
    remedy: str
    """What would end the polling."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class FeedStanding(TypedDict):
    """Whether the feed is read at all: no batches can mean that nothing changed, or that it is paused."""

    state: Literal["starting", "watching", "polling", "paused", "failing", "waiting"]
    """Starting: the first position in the history is being fetched. watching: a push channel is open. polling: push is not available, and reason says why. waiting: the next pull waits for Google’s quota until next_pull_at. paused: the connection needs a new authorization. failing: Google refuses the resource or, with the reason overdue, no read has succeeded for eight minutes after it was due."""
    reason: str | None
    """Why the feed polls, waits, pauses or fails, or what it leaves out."""
    explanation: str | None
    remedy: str | None


class FeedSummary(TypedDict):
    id: str
    provider_config_key: str
    connection_id: str
    resource: str
    """Drive, drives, drive:<id>, folder:<id>, calendar:<id>, calendar_list, acl:<id> or settings."""
    state: Literal["starting", "watching", "polling", "paused", "failing", "waiting"]
    """Starting: the first position in the history is being fetched. watching: a push channel is open. polling: push is not available, and reason says why. waiting: the next pull waits for Google’s quota until next_pull_at. paused: the connection needs a new authorization. failing: Google refuses the resource or, with the reason overdue, no read has succeeded for eight minutes after it was due."""
    reason: str | None
    """Why the feed polls, waits, pauses or fails, or what it leaves out."""
    explanation: str | None
    remedy: str | None
    delivery: Literal["bus", "pull"]
    """Bus: batches are also sent as events. pull: batches are available only through this API."""
    safety_interval_sec: int
    """Seconds between pulls without a message, while a channel is open."""
    poll_interval_sec: int
    """Seconds between pulls without a channel."""
    meaning: bool
    """Whether changes say in `what` what they were."""
    seen: bool
    """Whether, with meaning, changes of files are also reported that only `seen` describes, such as that somebody opened a file."""
    reminders: list[int]
    """Of a calendar: how many minutes before its start an event is reported in a batch of kind `starts`."""
    last_sequence: int
    """Number of the last batch; 0 before the first."""
    last_change_at: str | None
    last_pull_at: str | None
    next_pull_at: str
    """When the next pull is due if no message arrives before."""
    channel_ends_at: str | None
    """End granted by Google; a new channel is opened before then."""
    failed_attempts: int
    behind_since: str | None
    """Set while the feed is behind, because it fails, is paused, waits for quota, or was not pulled for eight minutes after it was due: its last pull, or its creation before the first."""
    created_at: str
    managed_by: ManagedBy | None
    connection_name: str
    """Name, e-mail address or id of the end user, or the connection’s id where nothing else is known."""


class FeedUpdatedEvent(TypedDict):
    """Delivery, intervals, meanings or reminders of a feed were set."""

    type: Literal["FeedUpdated"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: FeedUpdatedEventData


class _FeedUpdatedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of the last batch of the feed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    feed_id: str
    """Id of the feed."""
    resource: str
    """What the feed watches, such as `drive` or `calendar:primary`."""
    actor: str
    """Who asked for it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class FeedUpdatedEventData(_FeedUpdatedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""


class FilesPickedEvent(TypedDict):
    """An end user has selected files in Google’s picker. `GET /connect/session` lists them."""

    type: Literal["FilesPicked"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: FilesPickedEventData


class _FilesPickedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    files: str
    """How many files."""
    actor: str
    """The connect session: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class FilesPickedEventData(_FilesPickedEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    cause: str
    """Deprecated, gone in 0.4.0: read `files`."""


class GatewayError(TypedDict):
    error: GatewayErrorError


class _GatewayErrorErrorAlways(TypedDict):
    code: Literal["invalid_headers", "invalid_path", "invalid_query_params", "invalid_body", "missing_auth_header", "invalid_secret_key", "invalid_session_token", "invalid_operator_token", "key_expired", "unknown_role", "path_not_allowed", "forbidden", "limited_by_key", "agentic_integration", "subject_not_allowed", "unknown_method", "approval_required", "approval_impossible", "budget_spent", "approval_stale", "approval_expired", "cursor_too_old", "not_undoable", "recent_sign_in_required", "second_factor_required", "unknown_integration", "unknown_connection", "not_found", "not_supported", "method_not_allowed", "conflict", "confirmation_required", "account_not_known", "request_in_progress", "answer_not_kept", "request_too_large", "idempotency_key_reused", "reauthorization_required", "integration_credentials_rejected", "rate_limited", "quota_reserved", "internal_error", "upstream_unreachable", "upstream_invalid_response", "service_unavailable", "token_refresh_unavailable", "upstream_timeout"]
    message: str
    status: int
    request_id: str
    """Identifies the request in the gateway’s log."""


class GatewayErrorError(_GatewayErrorErrorAlways, total=False):
    applied: Literal["no", "unknown"]
    """For a failed call to the provider: whether the provider may have carried it out."""
    errors: list[Problem]
    """All problems of the request."""
    errors_left_out: int
    """How many more problems there are; an answer lists at most 100."""
    connection: ConnectionDiagnosis
    limit: KeyLimitStanding
    approval: WaitingApproval


class Health(TypedDict):
    status: Literal["ok"]


class HeartbeatEvent(TypedDict):
    """Every ten minutes, while the path of events works: table, stream, bus. It is in no list."""

    type: Literal["Heartbeat"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: HeartbeatEventData


class HeartbeatEventData(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""


class HigherLimitsEndingEvent(TypedDict):
    """The limits in `quota` of an integration end in 90, 30 or 7 days. From `ends_at` on, the gateway counts Google’s Standard tier."""

    type: Literal["HigherLimitsEnding"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: HigherLimitsEndingEventData


class HigherLimitsEndingEventData(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    provider: str
    """The provider, such as `google-drive`."""
    cloud_project: str
    """Number of the Google Cloud project."""
    ends_at: str
    """When the limits end: `until`, or Google’s own date."""
    days_left: Literal["7", "30", "90"]
    """Days that are left at most."""


class _ImportConnectionBodyAlways(TypedDict):
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""


class ImportConnectionBody(_ImportConnectionBodyAlways, total=False):
    connection_id: str
    """Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -."""
    subject: str
    """For an integration of kind delegated, instead of credentials: the user’s primary address."""
    credentials: ImportConnectionBodyCredentials
    """Required unless there is a subject."""
    consented_at: str
    """When the user gave consent, between 2004 and now."""
    metadata: dict[str, Any] | None
    connection_config: dict[str, Any] | None
    end_user: ImportConnectionBodyEndUser
    organization: ImportConnectionBodyOrganization | None
    tags: dict[str, str]


class _ImportConnectionBodyCredentialsAlways(TypedDict):
    type: Literal["OAUTH2"]
    refresh_token: str


class ImportConnectionBodyCredentials(_ImportConnectionBodyCredentialsAlways, total=False):
    """Required unless there is a subject."""

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
    """Its id, sent as Provider-Config-Key in calls."""
    provider: Literal["google-drive", "google-calendar"]
    display_name: str
    public_name: str | None
    """Name on pages that end users see; null = display_name."""
    public_names: IntegrationPublicNames | None
    """The name for readers of these languages, instead of public_name; null removes them all."""
    logo: str
    forward_webhooks: bool
    created_at: str
    updated_at: str
    scopes: list[str]
    kind: Literal["oauth", "delegated"]
    delegation: Delegation | None
    """Null for kind oauth."""
    credentials_source: Literal["own", "test"]
    publishing_status: Literal["testing", "production"]
    audience: Literal["external", "internal"]
    mode: Literal["test", "live"]
    include_granted_scopes: bool
    hosted_domain: str | None
    """Only accounts of this Workspace domain can connect; * = any Workspace domain; null = every account."""
    agentic: bool
    """Whether the OAuth client is marked for AI agents: no proxy, feeds or file picker, and no REST calls at all."""
    budget: Budget | None
    """What the calls of all its connections may take together; null = not limited."""
    quota: OwnQuota | None
    """Google’s quotas of its Cloud project; null = those of new projects (GET /quota shows them)."""
    managed_by: ManagedBy | None
    testing_seen_at: str | None
    """Time of a consent which showed that Google treats the app as External and in Testing, whatever publishing_status says: such grants end after seven days. Null if grants do not show this."""
    credentials_fault: IntegrationCredentialsFault | None
    """Present while the provider refuses the OAuth client."""
    health: IntegrationHealth


class Integration(_IntegrationAlways, total=False):
    webhook_url: Literal[None]
    """With include=webhook."""
    credentials: IntegrationCredentials
    """With include=credentials."""


class IntegrationPublicNames(TypedDict, total=False):
    """The name for readers of these languages, instead of public_name; null removes them all."""

    en: str
    de: str
    fr: str
    es: str
    pt: str
    ja: str


class IntegrationCredentialsFault(TypedDict):
    """Present while the provider refuses the OAuth client."""

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
    webhook_secret: Literal[None]


class IntegrationAnswer(TypedDict):
    data: Integration


class IntegrationCreatedEvent(TypedDict):
    """An integration was created, or restored from a backup."""

    type: Literal["IntegrationCreated"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: IntegrationCreatedEventData


class _IntegrationCreatedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the integration, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    health: Literal["working", "not_checked_yet", "refused"]
    """Health of the integration after the event."""


class IntegrationCreatedEventData(_IntegrationCreatedEventDataAlways, total=False):
    reason: Literal["restored"]
    """Absent for a new one."""
    actor: str
    """Who created it; absent for a restored one: `key:…`, `iam:…`, `operator:…` or `session:…`."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class IntegrationCredentialsRejectedEvent(TypedDict):
    """Google refuses the OAuth client of an integration. All its connections wait. Do not ask users to reconnect."""

    type: Literal["IntegrationCredentialsRejected"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: IntegrationCredentialsRejectedEventData


class _IntegrationCredentialsRejectedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the integration, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    provider_error: str
    """Google’s own code, such as `invalid_client` or `deleted_client`."""
    remedy: str
    """What happened and what to do about it, in sentences for people."""
    health: Literal["refused"]
    """Health of the integration after the event."""


class IntegrationCredentialsRejectedEventData(_IntegrationCredentialsRejectedEventDataAlways, total=False):
    cause: str
    """Deprecated, gone in 0.4.0: read `provider_error`."""


class IntegrationDeletedEvent(TypedDict):
    """An integration was deleted, after all its connections."""

    type: Literal["IntegrationDeleted"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: IntegrationDeletedEventData


class IntegrationDeletedEventData(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the integration, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    actor: str
    """Who deleted it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class IntegrationGrantsFailingEvent(TypedDict):
    """Five connections of one integration died within ten minutes. Check its OAuth client and administrators before you ask users to reconnect."""

    type: Literal["IntegrationGrantsFailing"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: IntegrationGrantsFailingEventData


class IntegrationGrantsFailingEventData(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    cause: Literal["user_revoked", "token_revoked", "shared_grant_ended", "password_changed", "refresh_token_limit", "account_token_limit", "time_limited_access_over", "admin_restricted", "context_aware_access", "session_length_over", "testing_mode_expired", "unused_six_months", "account_unavailable", "account_restricted", "advanced_protection", "rotation_lost", "credentials_changed", "delegation_pending", "delegation_missing", "delegation_incomplete", "subject_unknown", "subject_not_allowed", "unknown"]
    """The most likely cause of the latest death."""
    remedy: str
    """What to do about it, in sentences for people."""


class IntegrationHealth(TypedDict):
    """Whether Google accepts the OAuth client: not_checked_yet until its first success, also after a change of credentials, then working."""

    status: Literal["working", "not_checked_yet", "refused"]
    reason: str | None
    """Google’s error about the OAuth client."""
    certain: bool | None
    """For a refusal: false if it is only likely."""
    since: str | None
    who: Literal["developer", "operator", None]
    """Who can fix a refusal: operator if the integration uses the test credentials."""
    remedy: str | None


class IntegrationList(TypedDict):
    data: list[Integration]
    next_cursor: str | None
    """Send it as `cursor` for the next page; null at the end. A page ends at 4 MB."""


class IntegrationRecoveredEvent(TypedDict):
    """Google accepts the OAuth client of an integration again."""

    type: Literal["IntegrationRecovered"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: IntegrationRecoveredEventData


class _IntegrationRecoveredEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the integration, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    provider_error: str
    """Google’s code while it refused the client."""
    health: Literal["working"]
    """Health of the integration after the event."""


class IntegrationRecoveredEventData(_IntegrationRecoveredEventDataAlways, total=False):
    cause: str
    """Deprecated, gone in 0.4.0: read `provider_error`."""


class IntegrationUpdatedEvent(TypedDict):
    """Settings, scopes or the OAuth client of an integration were changed."""

    type: Literal["IntegrationUpdated"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: IntegrationUpdatedEventData


class _IntegrationUpdatedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the integration, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    health: Literal["working", "not_checked_yet", "refused"]
    """Health of the integration after the event."""
    actor: str
    """Who changed it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class IntegrationUpdatedEventData(_IntegrationUpdatedEventDataAlways, total=False):
    reason: Literal["renamed"]
    """Present for a new id, which is `integration_id`."""
    cause: str
    """Deprecated, gone in 0.4.0: read `reason`."""


class IntroduceOperatorBody(TypedDict):
    id_token: str


class Journal(TypedDict):
    data: list[JournalRow]
    next_cursor: str | None
    """Cursor of the next page."""
    kept_days: int
    """For how many days a write can be undone."""


class JournalRow(TypedDict):
    id: str
    """Sorts by time."""
    time: str
    """Just before the write was sent."""
    provider_config_key: str
    connection_id: str
    key_id: str
    """First 12 characters of the secret key’s id; undo for what an undo wrote itself."""
    request_id: str
    method: str | None
    """The provider’s id of the method, or tools/ and the tool of its MCP server; null if the request is none."""
    object: JournalRowObject | None
    """What was written; null if that is not known."""
    outcome: Literal["begun", "done", "refused", "unknown"]
    """Refused: the provider changed nothing; begun and unknown: its answer was not seen."""
    not_undoable: str | None
    """Why it cannot be undone: no_inverse, permanent, google_document, owner_change, inherited, write_only, too_large, not_readable, unknown_request, unreadable_body, no_id, outcome_unknown, gone, refused, no_access, no_tool, provider_asks. null: it can be."""
    undone_at: str | None
    undoes: str | None
    """Of what an undo wrote: the row that it undid."""


class JournalRowObject(TypedDict):
    """What was written; null if that is not known."""

    kind: str
    """Such as drive.file or calendar.event."""
    ids: list[str]
    """Ids of its path, outermost first."""


class KeyBudget(TypedDict, total=False):
    """Most calls, units of the provider’s quotas and bytes of answers."""

    calls: int
    units: int
    bytes: int


class _KeyLimitsAlways(TypedDict):
    mode: Literal["observe", "enforce"]
    """`observe` lets every call pass and counts those that `enforce` would refuse."""


class KeyLimits(_KeyLimitsAlways, total=False):
    """What the proxied calls of a secret key are limited to."""

    allow: list[str]
    """Methods, groups such as drive.files.* and sets such as drive:read that may be called."""
    deny: list[str]
    """The same, that may not be called, whatever is allowed."""
    approve: list[str]
    """The same, and classes of changes (delete, share, invite, replace, write), whose calls wait until a person approves them."""
    approval: Literal["google", "gateway", "both"]
    """Who asks about calls to Google’s MCP servers that approve covers: Google by its own forms, the gateway, or both. Default: gateway."""
    methods: list[str]
    """Ids of the methods that are left, worked out when the limits were set; absent: all."""
    integrations: list[str]
    connections: list[str]
    resources: list[str]
    """Calendars, files and folders that requests may name; everything else is refused."""
    end_users: dict[str, str]
    """Tags that a connection must have, with their values."""
    sources: list[str]
    """Addresses and networks that calls may come from."""
    minute: KeyBudget
    day: KeyBudget
    """From midnight to midnight, UTC."""
    priority: Literal["background"]
    """Every call counts as one in the background, whatever Gateway-Priority says."""
    expires_at: str
    journal: bool | Literal["required"]
    """What its writes change is kept for seven days, so that they can be undone; `required`: a write that could not be undone is refused."""


class _KeyLimitStandingAlways(TypedDict):
    name: str
    """Member of the key’s limits, such as methods or day.units."""


class KeyLimitStanding(_KeyLimitStandingAlways, total=False):
    """The limit of the secret key that refuses the call."""

    method: str
    """The provider’s method that the key may not call."""
    member: str
    """The parameter, member or header for which nobody can approve the call."""
    allowed: list[str]
    """What the key may do, as it was named."""
    denied: list[str]
    """What the key may not do, as it was named."""
    most: int
    """Of a budget: all of it."""
    left: int
    """Of a budget: what is left of it."""
    resets_at: str
    """Of a budget: when all of it is free again."""


class LastHour(TypedDict):
    data: LastHourData


class LastHourData(TypedDict):
    minutes: list[MinuteOfCalls]
    counted_until: str | None
    """Calls that ended before are counted; null before the first minute is."""
    verdict: Literal["no_calls", "healthy", "provider", "quota", "gateway", "callers", "mixed"]
    text: str
    """The verdict in a sentence."""
    evidence: list[str]
    """What the verdict rests on, in sentences."""


class LikelyCause(TypedDict):
    cause: str
    likelihood: float
    who: Literal["end_user", "developer", "workspace_admin"]
    """Who can fix it."""
    explanation: str
    remedy: str


class LimitMethod(TypedDict):
    id: str
    """The provider’s id of the method; #media: where it answers with bytes."""
    set: str
    """The set that it belongs to, such as drive:read."""
    meaning: str
    provider: str


class LimitMethodList(TypedDict):
    data: list[LimitMethod]


class ManagedBy(TypedDict):
    """The CloudFormation stack that declares this, with its logical ids."""

    stack: str
    stack_id: str
    resources: list[str]


class MetadataEcho(TypedDict):
    connection_id: str | list[str]
    provider_config_key: str
    metadata: dict[str, Any]


class MinuteOfCalls(TypedDict):
    time: str
    """When the minute began."""
    calls: int
    ok: int
    """Answered with less than 400 and sent whole, or waiting for approval; an approved call is counted again when it is made."""
    provider_failed: int
    """Google answered 5xx."""
    rate_limited: int
    """Google answered 429."""
    gateway_failed: int
    """The gateway answered 5xx itself."""
    refused: int
    """Google or the gateway answered with another 4xx."""
    broken_off: int
    """The answer was cut off."""


class MoveFeedCursorBody(TypedDict):
    sequence: int


class _NotUndoableAlways(TypedDict):
    id: str
    """Sorts by time."""
    time: str
    """Just before the write was sent."""
    provider_config_key: str
    connection_id: str
    key_id: str
    """First 12 characters of the secret key’s id; undo for what an undo wrote itself."""
    request_id: str
    method: str | None
    """The provider’s id of the method, or tools/ and the tool of its MCP server; null if the request is none."""
    object: NotUndoableObject | None
    """What was written; null if that is not known."""
    reason: str
    """Why it cannot be undone: no_inverse, permanent, google_document, owner_change, inherited, write_only, too_large, not_readable, unknown_request, unreadable_body, no_id, outcome_unknown, gone, refused, no_access, no_tool, provider_asks."""


class NotUndoable(_NotUndoableAlways, total=False):
    changes: list[NotUndoableChange] | None
    """Only with dry_run and write_id: what the write changed, by member; values that are no texts as JSON, long ones cut. null: the journal does not know it."""


class NotUndoableObject(TypedDict):
    """What was written; null if that is not known."""

    kind: str
    """Such as drive.file or calendar.event."""
    ids: list[str]
    """Ids of its path, outermost first."""


class NotUndoableChange(TypedDict):
    member: str
    before: str | None
    """Null: it was not there."""
    after: str | None


class ObservedCalls(TypedDict):
    data: ObservedCallsData


class ObservedCallsData(TypedDict):
    since: str
    """Midnight, UTC, seven days ago with today."""
    counted_until: str | None
    """Calls that ended before are counted; null = none is yet."""
    calls: int
    """Proxied calls of the key since then."""
    would_refuse: int
    """Those among them that enforced limits would have refused."""
    rows: list[ObservedCallsDataRow]


class ObservedCallsDataRow(TypedDict):
    limit: str
    """Such as methods, connections or day.units."""
    method: str | None
    """The provider’s id of the method; null: the request is none that limits can name."""
    calls: int
    last_at: str


class Overview(TypedDict):
    data: OverviewData


class OverviewData(TypedDict):
    read_at: str
    counted_at: str | None
    """When all connections were last counted: one or two minutes after a change in a small account, up to a quarter of an hour in a large one. statuses and causes include later changes; failing, refused_by_provider and ends are from this count. Null before the first count."""
    integrations: int
    statuses: OverviewDataStatuses
    health: OverviewDataHealth
    """Every connection in one of them: dead or client_refused as of now, failing and refused_by_provider as of the last count; all others work."""
    by_integration: list[OverviewDataByIntegration]
    """The same for each integration."""
    attention: list[Attention]
    """Everything that needs somebody: what does not work first, then the newest first. Incidents are from the last count. Webhooks, keys and quotas are there for callers that may change the whole account; of more than 500 feeds, the newest are looked at."""
    causes: list[OverviewDataCause]
    """Causes of dead connections, most frequent first."""
    status_by_day: list[OverviewDataStatusByDay]
    """Connections at the end of each of the last 14 days, starting with the first day on which changes were counted."""
    changes_by_day: list[OverviewDataChangesByDay]
    """Changes of connections on the same days."""
    ending_total: int
    """Number of connections known to end within 7 days."""
    ending_by_day: list[OverviewDataEndingByDay]
    ending: list[OverviewDataEnding]
    """The first 20 of them to end."""
    rejected_integrations: list[OverviewDataRejectedIntegration]
    """Integrations whose OAuth client the provider refuses."""
    crowded_accounts: list[OverviewDataCrowdedAccount]
    """Provider accounts near the limit of refresh tokens, each by its newest connection."""


class OverviewDataStatuses(TypedDict):
    active: int
    reauthorization_required: int
    failing: int
    """Active connections whose calls Google refuses."""
    refused_by_provider: int
    """Active connections whose tokens Google does not renew."""


class OverviewDataHealth(TypedDict):
    """Every connection in one of them: dead or client_refused as of now, failing and refused_by_provider as of the last count; all others work."""

    working: int
    """Their calls work, as far as is known."""
    failing: int
    """Google refuses their calls."""
    refused_by_provider: int
    """Google does not renew their tokens."""
    client_refused: int
    """Google refuses the OAuth client of their integration."""
    dead: int
    """They need a new authorization."""


class OverviewDataByIntegration(TypedDict):
    unique_key: str
    display_name: str
    working: int
    failing: int
    """Google refuses their calls."""
    refused_by_provider: int
    """Google does not renew their tokens."""
    client_refused: int
    """Google refuses the OAuth client of their integration."""
    dead: int
    """They need a new authorization."""
    week: OverviewDataByIntegrationWeek
    """What became of its connections in the last seven days, today included."""


class OverviewDataByIntegrationWeek(TypedDict):
    """What became of its connections in the last seven days, today included."""

    created: int
    deleted: int
    died: int
    mended: int


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
    """Connections that came to need a new authorization."""
    died_by_cause: list[OverviewDataChangesByDayDiedByCause]
    """Most frequent first."""
    mended: int
    """Connections that were authorized again."""
    refreshes: OverviewDataChangesByDayRefreshes
    """Refresh attempts by result."""


class OverviewDataChangesByDayDiedByCause(TypedDict):
    cause: str
    count: int


class OverviewDataChangesByDayRefreshes(TypedDict):
    """Refresh attempts by result."""

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


class OwnQuota(TypedDict, total=False):
    """Google’s quotas of the Cloud project, as its console shows them, where they differ from those of new projects."""

    counted_in: Literal["units", "requests"]
    """Cloud projects from before May 2026 may count requests of Drive. If omitted: units."""
    per_minute: int
    """Units or requests a minute of the project."""
    per_minute_and_user: int
    """Units or requests a minute of one of its users."""
    per_day: int | None
    """Units or requests a day: the threshold that QuotaReached and dayLimit count against; null = none."""
    bytes_out_per_day: int | None
    """The same for bytes of answers; null = none."""
    tier: Literal["standard", "internal", "scaled"]
    """As the Cloud console shows it; internal = the internal-use exception. If omitted: standard."""
    billing_account: str
    """Of a project in the tier scaled."""
    until: str
    """First day (UTC) on which the Standard tier counts instead, where it is lower. If omitted: 2027-04-01 for higher limits in the tier standard; otherwise never."""
    tool_requests_per_day: int
    """Requests a day (Pacific Time) to Google’s MCP server of this API. If omitted: 5000."""
    tool_keys: int
    """Agent keys that share one half of them evenly. If omitted: 20."""


class PendingRevocations(TypedDict):
    data: PendingRevocationsData


class PendingRevocationsData(TypedDict):
    pending: int
    """Number of grants that the provider has not revoked yet."""
    complete: bool
    """False if there are more than were counted."""
    oldest: list[PendingRevocationsDataOldest]


class PendingRevocationsDataOldest(TypedDict):
    provider_config_key: str
    connection_id: str
    requested_at: str
    retry_at: str
    failed_attempts: int


class Problem(TypedDict):
    """One problem of a request: its place and what to do."""

    path: str
    message: str


class ProjectQuota(TypedDict):
    provider: str
    cloud_project: str
    """Number of the Google Cloud project of the OAuth client."""
    integrations: list[str]
    """Integrations that use this project now."""
    counted_in: Literal["units", "requests"]
    """Older Cloud projects count requests of Drive: all units here are requests then."""
    units: ProjectQuotaUnits
    """Units of Google’s quota; for Calendar a call is one."""
    bytes_out: ProjectQuotaBytesOut
    """Bytes of answers."""
    calls: ProjectQuotaCalls
    """Calls, a batch counted once."""
    answered: ProjectQuotaAnswered
    """Calls with a 2xx answer."""
    tier: Literal["standard", "internal", "scaled"]
    limits_end: str | None
    """When the limits in quota end or ended."""
    background_units: int
    """Units of today that feeds and checks took, among the others."""
    busiest_minute: ProjectQuotaBusiestMinute | None
    """Of the last hour; null if nothing was called."""
    units_per_minute_and_user: int | None
    """Google’s quota of one user in a minute."""
    reached: list[ProjectQuotaReached]
    """Shares of the day that QuotaReached has reported, in order of time."""


class ProjectQuotaUnits(TypedDict):
    """Units of Google’s quota; for Calendar a call is one."""

    used: int
    limit: int | None
    """The daily threshold; null where none is set."""
    share: float | None
    """Of the limit; 1 is all of it."""
    forecast: int
    """What will have been used when the day ends."""
    forecast_share: float | None
    """Of the limit; 1 is all of it."""


class ProjectQuotaBytesOut(TypedDict):
    """Bytes of answers."""

    used: int
    limit: int | None
    """The daily threshold; null where none is set."""
    share: float | None
    """Of the limit; 1 is all of it."""
    forecast: int
    """What will have been used when the day ends."""
    forecast_share: float | None
    """Of the limit; 1 is all of it."""


class ProjectQuotaCalls(TypedDict):
    """Calls, a batch counted once."""

    used: int
    forecast: int


class ProjectQuotaAnswered(TypedDict):
    """Calls with a 2xx answer."""

    used: int
    forecast: int


class ProjectQuotaBusiestMinute(TypedDict):
    """Of the last hour; null if nothing was called."""

    at: str
    units: int
    limit: int | None
    share: float | None
    """Of the limit; 1 is all of it."""


class ProjectQuotaReached(TypedDict):
    of: Literal["units", "bytes_out"]
    percent: int
    at: str


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
    """Path and query of a first call."""
    sample_calls: list[ProviderSampleCall]


class ProviderServer(TypedDict):
    id: str
    display_name: str
    has_testing_mode: bool
    """Whether the provider reviews apps and ends the grants of unpublished apps."""


class ProviderConsole(TypedDict):
    clients_url: str
    """Where OAuth clients are created."""
    enable_api_url: str | None
    """Where the API is enabled, if necessary."""
    enable_tool_server_url: str | None
    """Where the provider’s MCP server is enabled, which agentic integrations need; null = it has none."""


class ProviderSampleCall(TypedDict):
    label: str
    target: str


class ProviderAnswer(TypedDict):
    data: Provider


class ProviderList(TypedDict):
    data: list[Provider]


class Quota(TypedDict):
    data: QuotaData


class QuotaData(TypedDict):
    counted_until: str | None
    """Calls that ended before are counted; null before the first minute is counted."""
    day: str
    """Google’s day: it begins at midnight Pacific Time."""
    resets_at: str
    """When Google’s next day begins."""
    projects: list[ProjectQuota]
    """By API and Cloud project, the fullest first."""
    billing: list[QuotaDataBilling] | None
    """Projects in the tier scaled by billing account; null for a key that is limited to some integrations."""
    tools: list[QuotaDataTool]
    """Requests to Google’s MCP servers."""
    integrations: list[QuotaDataIntegration]
    """What proxied calls took today by integration, most first."""
    keys: list[QuotaDataKey] | None
    """The same by secret key, by the first 12 characters of its id; null for a key that is limited to some integrations."""


class QuotaDataBilling(TypedDict):
    provider: str
    billing_account: str | None
    cloud_projects: list[str]
    answered: QuotaDataBillingAnswered
    allowance: int | None
    """A day; null = not known."""
    above_allowance: QuotaDataBillingAboveAllowance | None
    """Null = not known."""
    usd: QuotaDataBillingUsd | None
    """Null = not known; no price is estimated."""
    charged_from: str
    prices_read_on: str


class QuotaDataBillingAnswered(TypedDict):
    used: int
    forecast: int


class QuotaDataBillingAboveAllowance(TypedDict):
    """Null = not known."""

    used: int
    forecast: int


class QuotaDataBillingUsd(TypedDict):
    """Null = not known; no price is estimated."""

    used: float
    forecast: float


class QuotaDataTool(TypedDict):
    provider: str
    cloud_project: str
    integrations: list[str]
    used: int
    """Requests of all keys today."""
    limit: int
    share: float
    """Of the limit; 1 is all of it."""
    keys: int
    """Keys that share one half."""
    per_key: int
    """What each may always use."""
    common: QuotaDataToolCommon
    """First come, first served."""


class QuotaDataToolCommon(TypedDict):
    """First come, first served."""

    used: int
    limit: int


class QuotaDataIntegration(TypedDict):
    provider_config_key: str
    units: int
    bytes_out: int


class QuotaDataKey(TypedDict):
    key_id: str
    units: int
    bytes_out: int


class QuotaReachedEvent(TypedDict):
    """Calls have used 50, 80 or 100 % of a Cloud project’s daily threshold for an API. Each share is sent once a day."""

    type: Literal["QuotaReached"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: QuotaReachedEventData


class QuotaReachedEventData(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    provider: str
    """The provider, such as `google-drive`."""
    cloud_project: str
    """Number of the Google Cloud project."""
    quota: Literal["units", "bytes_out"]
    """What Google counts."""
    percent: Literal["50", "80", "100"]
    """Share that is used, in percent."""
    used: str
    """Amount used when the event was sent."""
    most: str
    """The daily threshold: `quota` of the integration, or that of new projects."""
    when_spent: Literal["warn", "stop"]
    """What happens to calls once all of it is used."""
    day: str
    """Google’s day, which begins at midnight Pacific Time."""
    resets_at: str
    """When the next one begins."""


class Readiness(TypedDict):
    data: ReadinessData


class ReadinessData(TypedDict):
    ready: bool
    publishing_status: Literal["testing", "production"]
    audience: Literal["external", "internal"]
    redirect_uri: str
    """Register it at Google for the OAuth client."""
    javascript_origin: str
    """Register it only if a library in your front end needs it: the gateway does not."""
    domain: ReadinessDataDomain
    """Restrictions of the gateway’s address. With your own domain: what requires it to be verified for the OAuth client’s Cloud project, which only Google’s console shows."""
    security_events: ReadinessDataSecurityEvents | None
    """Whether Google’s security events of the OAuth client’s Cloud project reach the gateway: recommended, not required. Null without an own client, for providers that send none, and in a deployment without them."""
    strictest_class: Literal["non-sensitive", "sensitive", "restricted"]
    scopes: list[ReadinessDataScope]
    steps: list[ReadinessDataStep]
    alternatives: list[ReadinessDataAlternative]
    """Scopes to request instead that need fewer reviews."""
    risks: list[str]
    agents: ReadinessDataAgents | None
    """Null for an integration that is not agentic."""


class ReadinessDataDomain(TypedDict):
    """Restrictions of the gateway’s address. With your own domain: what requires it to be verified for the OAuth client’s Cloud project, which only Google’s console shows."""

    host: str
    own: bool
    """False for an address of AWS or of this computer."""
    losses: list[ReadinessDataDomainLosse]


class ReadinessDataDomainLosse(TypedDict):
    capability: Literal["app_verification", "push_messages", "security_events", "connect_page"]
    needs: Literal["own_domain", "verified_domain"]
    what: str


class ReadinessDataSecurityEvents(TypedDict):
    """Whether Google’s security events of the OAuth client’s Cloud project reach the gateway: recommended, not required. Null without an own client, for providers that send none, and in a deployment without them."""

    cloud_project: str
    state: Literal["not_registered", "not_verified", "verified"]
    verified_at: str | None
    last_event_at: str | None
    what: str
    """Where they stand, and what is missing."""


class ReadinessDataScope(TypedDict):
    scope: str
    review_class: Literal["non-sensitive", "sensitive", "restricted"]
    meaning: str
    """What it allows, in words for end users."""
    reviews: list[Literal["app_verification", "security_assessment"]]
    """The steps below that this scope requires."""


class ReadinessDataStep(TypedDict):
    id: str
    needed: bool
    done: bool | None
    """Null if only Google’s console shows it."""
    what: str


class ReadinessDataAlternative(TypedDict):
    instead_of: list[str]
    scope: str
    what: str


class ReadinessDataAgents(TypedDict):
    """Null for an integration that is not agentic."""

    seen: list[str]
    """What worked in this integration, with its time."""
    untried: list[str]
    """What nobody has tried yet."""


class ReconnectLinks(TypedDict):
    id: str
    """The batch’s id."""
    created_at: str
    created_by: str
    """A key or an operator."""
    created_by_name: str | None
    """The key’s name or the operator’s e-mail address; null if unknown, and for keys that are limited to some integrations."""
    expires_at: str
    revoked_at: str | None
    links: list[ReconnectLinksLink]


class ReconnectLinksLink(TypedDict):
    provider_config_key: str
    connection_id: str
    connection_name: str
    """Name, e-mail address or id of the end user, or the connection’s id where nothing else is known, or any longer."""
    end_user: ReconnectLinksLinkEndUser | None
    state: Literal["waiting", "came_back", "expired", "revoked", "deleted"]
    """Came_back: the user has given new consent since the link was created, through the link or in another way."""
    came_back_at: str | None


class ReconnectLinksLinkEndUser(TypedDict):
    id: str
    display_name: str | None
    email: str | None


class RefreshRefusal(TypedDict):
    """Google does not renew the token and has ended nothing by that; the gateway keeps asking."""

    provider_error: str
    """Google’s error code, or the kind of its answer, such as http_403."""
    what_happened: str
    remedy: str
    since: str


class RefreshTokenLimitNearEvent(TypedDict):
    """An account has 90 or more live refresh tokens under one OAuth client. Above 100, Google ends the oldest without notice. Sent once per consent."""

    type: Literal["RefreshTokenLimitNear"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: RefreshTokenLimitNearEventData


class _RefreshTokenLimitNearEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """Number of this event among those that changed the connection, counting up by one."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    integration_id: str
    """Id of the integration (`provider_config_key` in the API)."""
    connection_id: str
    """Id of the connection."""
    live_tokens: str
    """Refresh tokens of the account that may be live."""
    token_limit: str
    """Google’s limit."""
    remedy: str
    """What to do about it, in sentences for people."""
    health: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead"]
    """Health of the connection after the event."""


class RefreshTokenLimitNearEventData(_RefreshTokenLimitNearEventDataAlways, total=False):
    end_user_id: str
    """Your id of the end user, if the connection has one."""
    cause: str
    """Deprecated, gone in 0.4.0: read `live_tokens` and `token_limit`."""


class RegisteredRole(TypedDict):
    data: SecretKey


class _RegisterRoleBodyAlways(TypedDict):
    name: str
    right: Literal["proxy", "read", "full"]
    role_arn: str


class RegisterRoleBody(_RegisterRoleBodyAlways, total=False):
    integration_ids: list[str]
    can_read_credentials: bool
    limits: RegisterRoleBodyLimits
    role_id: str


class _RegisterRoleBodyLimitsAlways(TypedDict):
    mode: Literal["observe", "enforce"]


class RegisterRoleBodyLimits(_RegisterRoleBodyLimitsAlways, total=False):
    allow: list[str]
    deny: list[str]
    approve: list[str]
    approval: Literal["google", "gateway", "both"]
    integrations: list[str]
    connections: list[str]
    resources: list[str]
    end_users: dict[str, str]
    sources: list[str]
    minute: RegisterRoleBodyLimitsMinute
    day: RegisterRoleBodyLimitsDay
    priority: Literal["background"]
    expires_at: str
    journal: bool | Literal["required"]


class RegisterRoleBodyLimitsMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class RegisterRoleBodyLimitsDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class RegisterSecurityEventsBody(TypedDict, total=False):
    verification: str | None
    """Text that the next verification from Google must contain."""


class Scope(TypedDict):
    scope: str
    review_class: Literal["non-sensitive", "sensitive", "restricted"]
    meaning: str
    """What it allows, in words for end users."""


class SearchAnswer(TypedDict):
    data: SearchAnswerData


class SearchAnswerData(TypedDict):
    connections: list[ConnectionListItem]
    total: int
    """Number of connections."""
    total_is_complete: bool
    """False if there are more than were counted."""
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
    """SHA-256 of the key, hex; of a role, of its ARN without the path."""
    name: str
    right: Literal["proxy", "read", "full"]
    integration_ids: list[str] | None
    """Integrations to which the key is limited; null = all."""
    can_read_credentials: bool
    created_at: str
    created_by: str | None
    """Who created it: key:<start of the id>, iam:<AWS account>:<role>, operator:<id at the issuer>, stack:<name>, or gateway for the first key; null = unknown."""
    created_by_name: str | None
    """The key’s or role’s name or the operator’s e-mail address; null if unknown."""
    last_used_at: str | None
    """A proxied call shows within five minutes, any other within ten."""
    revoked_at: str | None
    hint: str | None
    """The last characters of the key; null on keys created before these were stored."""
    is_this_key: bool
    limits: KeyLimits | None
    """What its proxied calls are limited to; null = nothing."""
    role_arn: str | None
    """The IAM role that calls below /iam, which has no key; null = a secret key."""
    role_id: str | None
    """Unique id that the role must have; null = any."""
    managed_by: ManagedBy | None
    agent: AgentBinding | None
    """Of an assistant’s key, which works only at /mcp; null = another key."""


class SecretKeyCreatedEvent(TypedDict):
    """A secret key was created, by a person, by a new deployment or from a backup."""

    type: Literal["SecretKeyCreated"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: SecretKeyCreatedEventData


class _SecretKeyCreatedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`; `1` for the first key of a deployment."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    key_id: str
    """First 12 characters of the key’s `id` in `GET /account/keys`."""


class SecretKeyCreatedEventData(_SecretKeyCreatedEventDataAlways, total=False):
    reason: Literal["restored"]
    """Absent for a new one."""
    actor: str
    """Who created it; absent for the first key and for a restored one: `key:…`, `iam:…`, `operator:…` or `session:…`."""
    cause: str
    """Deprecated, gone in 0.4.0: read `key_id`, which stands behind `key:` here."""


class SecretKeyLimitsChangedEvent(TypedDict):
    """Limits of a secret key were set, changed or removed."""

    type: Literal["SecretKeyLimitsChanged"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: SecretKeyLimitsChangedEventData


class _SecretKeyLimitsChangedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    key_id: str
    """First 12 characters of the key’s `id` in `GET /account/keys`."""


class SecretKeyLimitsChangedEventData(_SecretKeyLimitsChangedEventDataAlways, total=False):
    actor: str
    """Who changed them: `key:…`, `iam:…`, `operator:…` or `session:…`."""
    cause: str
    """Deprecated, gone in 0.4.0: read `key_id`, which stands behind `key:` here."""


class SecretKeyList(TypedDict):
    data: list[SecretKey]
    next_cursor: str | None
    """Send it as `cursor` for the next page; null at the end. A page ends at 4 MB."""


class SecretKeyRevokedEvent(TypedDict):
    """A secret key was revoked."""

    type: Literal["SecretKeyRevoked"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: SecretKeyRevokedEventData


class _SecretKeyRevokedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    key_id: str
    """First 12 characters of the key’s `id` in `GET /account/keys`."""


class SecretKeyRevokedEventData(_SecretKeyRevokedEventDataAlways, total=False):
    actor: str
    """Who revoked it: `key:…`, `iam:…`, `operator:…` or `session:…`."""
    cause: str
    """Deprecated, gone in 0.4.0: read `key_id`, which stands behind `key:` here."""


class SecurityEventProject(TypedDict):
    cloud_project: str
    """The number with which the ids of its OAuth clients begin."""
    integrations: list[str]
    """Integrations of the account with clients of this project."""
    state: Literal["not_registered", "not_verified", "verified"]
    """Not_registered: the gateway refuses security events of this project. not_verified: it accepts them, but has not heard from Google since the last verification was asked for."""
    registered_at: str | None
    verified_at: str | None
    """When the answer to the last verification came."""
    last_event_at: str | None
    """When a security event last came, to the minute; a verification is one."""


class SecurityEventProjectAnswer(TypedDict):
    data: SecurityEventProject


class SecurityEvents(TypedDict):
    data: SecurityEventsData


class SecurityEventsData(TypedDict):
    receiver_url: str
    """Delivery URL to register at Google."""
    event_types: list[str]
    """Event types to register at Google."""
    projects: list[SecurityEventProject]


class SecurityEventsRegisteredEvent(TypedDict):
    """The gateway began to accept Google’s security events of a Cloud project."""

    type: Literal["SecurityEventsRegistered"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: SecurityEventsRegisteredEventData


class SecurityEventsRegisteredEventData(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    cloud_project: str
    """Number of the Google Cloud project."""
    actor: str
    """Who registered them: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class SecurityEventsRemovedEvent(TypedDict):
    """The gateway no longer accepts Google’s security events of a Cloud project."""

    type: Literal["SecurityEventsRemoved"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: SecurityEventsRemovedEventData


class SecurityEventsRemovedEventData(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    cloud_project: str
    """Number of the Google Cloud project."""
    actor: str
    """Who turned them off: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ServerToolsAcceptedEvent(TypedDict):
    """An operator or a key accepted tools of a provider’s MCP server as they are now."""

    type: Literal["ServerToolsAccepted"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ServerToolsAcceptedEventData


class ServerToolsAcceptedEventData(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    provider: str
    """The provider, such as `google-calendar`."""
    tools: str
    """Names of the tools, separated by commas."""
    actor: str
    """Who accepted them: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class ServerToolsChangedEvent(TypedDict):
    """A provider’s MCP server describes tools differently, or has new ones that the gateway knows. Assistants do not see them until an operator accepts them."""

    type: Literal["ServerToolsChanged"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: ServerToolsChangedEventData


class ServerToolsChangedEventData(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    provider: str
    """The provider, such as `google-calendar`."""
    tools: str
    """Names of the tools, separated by commas."""


class ServiceAccountKeyFile(TypedDict):
    """The key file of a service account, as Google’s console makes it."""

    private_key_id: str
    private_key: str


class SetMetadataBody(TypedDict):
    connection_id: str | list[str]
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    metadata: dict[str, Any]


class SetTestCredentialsBody(TypedDict):
    client_id: str
    client_secret: str


class ShownApproval(TypedDict):
    id: str
    status: Literal["pending", "approved", "refused", "expired", "running", "done", "failed", "stale", "unknown"]
    method: str
    """Google’s id of the method."""
    provider_config_key: str
    connection_id: str
    key_id: str
    """The key that called: the first 12 characters of its id."""
    key_name: str
    requested_at: str
    expires_at: str
    decided_at: str | None
    decided_by: str | None
    ended_at: str | None
    object: ApprovalObject | None
    """What the call is about; null where it names none."""
    outcome: str | None
    """Google’s status, or why nothing was sent."""
    about: AboutApproval | None
    """For operators and keys with the right full: while it waits, and once somebody has decided."""
    result: ApprovalResult | None
    """For the key that called, once it has ended."""


class StartedAuthorization(TypedDict):
    data: StartedAuthorizationData


class StartedAuthorizationData(TypedDict):
    authorization_url: str
    provider_config_key: str


class Success(TypedDict):
    success: bool
    """Always true."""


class TestCredentials(TypedDict):
    data: TestCredentialsData


class TestCredentialsData(TypedDict):
    provider: Literal["google-drive", "google-calendar"]
    configured: bool
    client_id: str | None


class TestCredentialsChangedEvent(TypedDict):
    """The OAuth client that test connections of a provider use was set."""

    type: Literal["TestCredentialsChanged"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: TestCredentialsChangedEventData


class _TestCredentialsChangedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    provider: str
    """The provider, such as `google-drive`."""
    actor: str
    """Who set it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class TestCredentialsChangedEventData(_TestCredentialsChangedEventDataAlways, total=False):
    cause: str
    """Deprecated, gone in 0.4.0: read `provider`."""


class TestCredentialsRemovedEvent(TypedDict):
    """The OAuth client that test connections of a provider use was removed."""

    type: Literal["TestCredentialsRemoved"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: TestCredentialsRemovedEventData


class _TestCredentialsRemovedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    provider: str
    """The provider, such as `google-drive`."""
    actor: str
    """Who removed it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class TestCredentialsRemovedEventData(_TestCredentialsRemovedEventDataAlways, total=False):
    cause: str
    """Deprecated, gone in 0.4.0: read `provider`."""


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


class UndoChangesBody(TypedDict, total=False):
    key_id: str
    """Id of a secret key, or its first 12 characters: its writes on every connection."""
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    connection_id: str
    """Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -."""
    since: str
    """The first writes to undo."""
    write_id: str
    """Only this write, instead of since and until."""
    until: str
    """Only writes before this time; absent: all until now."""
    dry_run: bool
    """Look and compare, and change nothing."""
    cursor: str
    """`next_cursor` of the previous response, with the same other members."""


class _UndoConflictAlways(TypedDict):
    id: str
    """Sorts by time."""
    time: str
    """Just before the write was sent."""
    provider_config_key: str
    connection_id: str
    key_id: str
    """First 12 characters of the secret key’s id; undo for what an undo wrote itself."""
    request_id: str
    method: str | None
    """The provider’s id of the method, or tools/ and the tool of its MCP server; null if the request is none."""
    object: UndoConflictObject | None
    """What was written; null if that is not known."""
    now: UndoConflictNow


class UndoConflict(_UndoConflictAlways, total=False):
    changes: list[UndoConflictChange] | None
    """Only with dry_run and write_id: what the write changed, by member; values that are no texts as JSON, long ones cut. null: the journal does not know it."""


class UndoConflictObject(TypedDict):
    """What was written; null if that is not known."""

    kind: str
    """Such as drive.file or calendar.event."""
    ids: list[str]
    """Ids of its path, outermost first."""


class UndoConflictNow(TypedDict):
    exists: bool
    version: str | None
    """The provider’s version or etag of it."""
    differs: list[str]
    """Members that are otherwise than the write left them; empty if only the version is."""


class UndoConflictChange(TypedDict):
    member: str
    before: str | None
    """Null: it was not there."""
    after: str | None


class _UndoneWriteAlways(TypedDict):
    id: str
    """Sorts by time."""
    time: str
    """Just before the write was sent."""
    provider_config_key: str
    connection_id: str
    key_id: str
    """First 12 characters of the secret key’s id; undo for what an undo wrote itself."""
    request_id: str
    method: str | None
    """The provider’s id of the method, or tools/ and the tool of its MCP server; null if the request is none."""
    object: UndoneWriteObject | None
    """What was written; null if that is not known."""


class UndoneWrite(_UndoneWriteAlways, total=False):
    changes: list[UndoneWriteChange] | None
    """Only with dry_run and write_id: what the write changed, by member; values that are no texts as JSON, long ones cut. null: the journal does not know it."""


class UndoneWriteObject(TypedDict):
    """What was written; null if that is not known."""

    kind: str
    """Such as drive.file or calendar.event."""
    ids: list[str]
    """Ids of its path, outermost first."""


class UndoneWriteChange(TypedDict):
    member: str
    before: str | None
    """Null: it was not there."""
    after: str | None


class UndoReport(TypedDict):
    undone: list[UndoneWrite]
    """Newest first; of a dry run what would be undone."""
    conflicts: list[UndoConflict]
    """Writes on objects that somebody else has changed since. These were left alone."""
    not_undoable: list[NotUndoable]
    next_cursor: str | None
    """Send it as cursor to continue; null: the range is done."""


class UpdateConnectionBody(TypedDict, total=False):
    end_user: UpdateConnectionBodyEndUser
    organization: UpdateConnectionBodyOrganization | None
    tags: dict[str, str]
    budget: UpdateConnectionBodyBudget | None
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


class UpdateConnectionBodyBudget(TypedDict, total=False):
    minute: UpdateConnectionBodyBudgetMinute
    day: UpdateConnectionBodyBudgetDay
    when_spent: Literal["warn", "stop"]


class UpdateConnectionBodyBudgetMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class UpdateConnectionBodyBudgetDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class UpdateFeedBody(TypedDict, total=False):
    delivery: Literal["bus", "pull"]
    safety_interval_sec: int
    poll_interval_sec: int
    meaning: bool
    seen: bool
    reminders: list[int]


class UpdateIntegrationBody(TypedDict, total=False):
    unique_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    display_name: str
    public_name: str | None
    public_names: UpdateIntegrationBodyPublicNames | None
    scopes: list[str]
    publishing_status: Literal["testing", "production"]
    audience: Literal["external", "internal"]
    mode: Literal["test", "live"]
    include_granted_scopes: bool
    hosted_domain: str | None
    budget: UpdateIntegrationBodyBudget | None
    quota: UpdateIntegrationBodyQuota | None
    delegation: UpdateIntegrationBodyDelegation
    agentic: bool
    """Fixed when the integration is created; only the present value is accepted."""
    credentials: UpdateIntegrationBodyCredentials
    credentials_source: Literal["own", "test"]
    forward_webhooks: bool
    integration_config: dict[str, Any] | None
    custom: dict[str, Any] | None


class UpdateIntegrationBodyPublicNames(TypedDict, total=False):
    en: str
    de: str
    fr: str
    es: str
    pt: str
    ja: str


class UpdateIntegrationBodyBudget(TypedDict, total=False):
    minute: UpdateIntegrationBodyBudgetMinute
    day: UpdateIntegrationBodyBudgetDay
    when_spent: Literal["warn", "stop"]


class UpdateIntegrationBodyBudgetMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class UpdateIntegrationBodyBudgetDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class UpdateIntegrationBodyQuota(TypedDict, total=False):
    counted_in: Literal["units", "requests"]
    per_minute: int
    per_minute_and_user: int
    per_day: int | None
    bytes_out_per_day: int | None
    tier: Literal["standard", "internal", "scaled"]
    billing_account: str
    until: str
    tool_requests_per_day: int
    tool_keys: int


class UpdateIntegrationBodyDelegation(TypedDict, total=False):
    via: Literal["aws", "key"]
    audience: str
    key: str | ServiceAccountKeyFile
    subjects: UpdateIntegrationBodyDelegationSubjects
    allow_domain_admin_access: bool
    new_subjects_per_hour: int


class UpdateIntegrationBodyDelegationSubjects(TypedDict, total=False):
    domains: list[str]
    addresses: list[str]
    exceptions: list[str]


class _UpdateIntegrationBodyCredentialsAlways(TypedDict):
    type: Literal["OAUTH2"]


class UpdateIntegrationBodyCredentials(_UpdateIntegrationBodyCredentialsAlways, total=False):
    client_id: str
    client_secret: str
    scopes: str | None
    webhook_secret: Literal[None]


class UpdateMetadataBody(TypedDict):
    connection_id: str | list[str]
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    metadata: dict[str, Any]


class UpdateSecretKeyBody(TypedDict):
    limits: UpdateSecretKeyBodyLimits | None


class _UpdateSecretKeyBodyLimitsAlways(TypedDict):
    mode: Literal["observe", "enforce"]


class UpdateSecretKeyBodyLimits(_UpdateSecretKeyBodyLimitsAlways, total=False):
    allow: list[str]
    deny: list[str]
    approve: list[str]
    approval: Literal["google", "gateway", "both"]
    integrations: list[str]
    connections: list[str]
    resources: list[str]
    end_users: dict[str, str]
    sources: list[str]
    minute: UpdateSecretKeyBodyLimitsMinute
    day: UpdateSecretKeyBodyLimitsDay
    priority: Literal["background"]
    expires_at: str
    journal: bool | Literal["required"]


class UpdateSecretKeyBodyLimitsMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class UpdateSecretKeyBodyLimitsDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class UpdateWebhookBody(TypedDict, total=False):
    url: str
    """Https on port 443, with a public host."""
    description: str | None
    types: list[Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionCauseProven", "ConnectionRecovered", "ConnectionRefreshRefused", "ConnectionRefreshRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "DelegationGranted", "DelegationLost", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "SecretKeyLimitsChanged", "ApprovalRequested", "ApprovalLinkCreated", "ApprovalDecided", "ApprovalEnded", "FeedCreated", "FeedUpdated", "FeedDeleted", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing", "SecurityEventsRegistered", "SecurityEventsRemoved", "ConnectionSecurityEvent", "ChangesUndone", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "BudgetReached", "QuotaReached", "HigherLimitsEnding", "ServerToolsChanged", "ServerToolsAccepted", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "ConnectSessionDeleted", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "Heartbeat"]] | None
    integrations: list[str] | None
    status: Literal["disabled"]


class Usage(TypedDict):
    data: UsageData


UsageData = TypedDict("UsageData", {
    "from": "str",
    "to": "str",
    "rows": "list[UsageRow]",
    "counted_until": "str | None",
    "missing_calls": "int",
    "incomplete": "list[UsageDataIncomplete]",
})


UsageDataIncomplete = TypedDict("UsageDataIncomplete", {
    "from": "str",
    "to": "str",
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
    """Answered with less than 400 and sent whole, or waiting for approval; an approved call is counted again when it is made."""
    provider_refused: int
    """Google answered 4xx, other than 429."""
    provider_failed: int
    """Google answered 5xx."""
    rate_limited: int
    """Google answered 429."""
    gateway_refused: int
    """The gateway answered the call itself."""
    gateway_failed: int
    """Those of them that it answered with 5xx."""
    broken_off: int
    """The answer was cut off."""
    bytes_in: int
    bytes_out: int
    mean_ms: int
    refreshed: int
    """Calls that waited for a new access token."""
    units: int
    """Units that the calls took of Google’s quotas, as Google prices its methods; a method that is not known counts as the dearest."""


class WaitingApproval(TypedDict):
    """The approval that the call waits for."""

    approval_id: str
    url: str
    """Page where a person decides."""
    expires_at: str
    """When it has waited for too long."""


class Webhook(TypedDict):
    id: str
    url: str
    description: str | None
    types: list[str] | None
    """Event types that it receives; null = all."""
    integrations: list[str] | None
    """Integrations whose events it receives; null = all, and the account’s own events."""
    status: Literal["unproven", "enabled", "disabled"]
    disabled_because: Literal["gone", "failing", "requested", None]
    """Gone: it answered 410. failing: it failed for five days. requested: it was disabled by request."""
    disabled_at: str | None
    enabled_at: str | None
    last_success_at: str | None
    failures_in_a_row: int
    resting_until: str | None
    """Nothing is sent until then, because it failed several times in a row."""
    previous_secret_until: str | None
    """Until then, messages are also signed with the previous secret."""
    managed_by: ManagedBy | None
    created_at: str
    updated_at: str


class WebhookAnswer(TypedDict):
    data: Webhook


class WebhookAttempt(TypedDict):
    at: str
    duration_ms: int
    status: int | None
    """Null if there was no answer."""
    error: str | None
    """Null for a success. answered_with_error, gone, redirect_not_followed, timeout, connection_refused, connection_reset, name_not_found, tls_failed, address_not_public, address_not_allowed, invalid_response, unreachable or message_too_large."""
    answer: str | None
    """Start of the answer to a failed attempt, at most 500 characters."""


class WebhookAttemptAnswer(TypedDict):
    data: WebhookAttempt


class WebhookCreatedEvent(TypedDict):
    """A webhook was created, or restored from a backup."""

    type: Literal["WebhookCreated"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: WebhookCreatedEventData


class _WebhookCreatedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    webhook_id: str
    """Id of the webhook."""


class WebhookCreatedEventData(_WebhookCreatedEventDataAlways, total=False):
    reason: Literal["restored"]
    """Absent for a new one."""
    actor: str
    """Who created it; absent for a restored one: `key:…`, `iam:…`, `operator:…` or `session:…`."""
    cause: str
    """Deprecated, gone in 0.4.0: read `webhook_id`."""


class WebhookDeletedEvent(TypedDict):
    """A webhook was deleted."""

    type: Literal["WebhookDeleted"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: WebhookDeletedEventData


class _WebhookDeletedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    webhook_id: str
    """Id of the webhook."""
    actor: str
    """Who asked for it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class WebhookDeletedEventData(_WebhookDeletedEventDataAlways, total=False):
    cause: str
    """Deprecated, gone in 0.4.0: read `webhook_id`."""


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


class WebhookDisabledEvent(TypedDict):
    """A webhook was disabled. Its events are kept for 14 days."""

    type: Literal["WebhookDisabled"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: WebhookDisabledEventData


class _WebhookDisabledEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    webhook_id: str
    """Id of the webhook."""
    reason: Literal["gone", "failing", "requested"]
    """Why."""


class WebhookDisabledEventData(_WebhookDisabledEventDataAlways, total=False):
    remedy: str
    """What to do about it; absent if somebody disabled it."""
    actor: str
    """Who disabled it; absent if its endpoint fails: `key:…`, `iam:…`, `operator:…` or `session:…`."""
    cause: str
    """Deprecated, gone in 0.4.0: read `webhook_id`."""


class WebhookEnabledEvent(TypedDict):
    """A webhook was enabled: its endpoint returned 2xx for `endpoint.test`."""

    type: Literal["WebhookEnabled"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: WebhookEnabledEventData


class _WebhookEnabledEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    webhook_id: str
    """Id of the webhook."""
    actor: str
    """Who asked for it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class WebhookEnabledEventData(_WebhookEnabledEventDataAlways, total=False):
    cause: str
    """Deprecated, gone in 0.4.0: read `webhook_id`."""


class WebhookList(TypedDict):
    data: list[Webhook]


class WebhookReplay(TypedDict):
    data: WebhookReplayData


class WebhookReplayData(TypedDict):
    queued: int
    next_from: str | None
    """Send it as from to continue; null at the end."""


class WebhookSecretRotatedEvent(TypedDict):
    """A webhook got a new secret. For 24 hours messages carry both signatures."""

    type: Literal["WebhookSecretRotated"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: WebhookSecretRotatedEventData


class _WebhookSecretRotatedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    webhook_id: str
    """Id of the webhook."""
    actor: str
    """Who asked for it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class WebhookSecretRotatedEventData(_WebhookSecretRotatedEventDataAlways, total=False):
    cause: str
    """Deprecated, gone in 0.4.0: read `webhook_id`."""


class WebhookUpdatedEvent(TypedDict):
    """Address, description or filters of a webhook were changed."""

    type: Literal["WebhookUpdated"]
    timestamp: str
    """When it happened, ISO 8601 in UTC."""
    data: WebhookUpdatedEventData


class _WebhookUpdatedEventDataAlways(TypedDict):
    event_id: str
    """Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`."""
    sequence: str
    """`0`: nothing that is numbered has changed."""
    time: str
    """When it happened, ISO 8601 in UTC."""
    account_id: str
    """The account, `default` unless you have several."""
    webhook_id: str
    """Id of the webhook."""
    actor: str
    """Who asked for it: `key:…`, `iam:…`, `operator:…` or `session:…`."""


class WebhookUpdatedEventData(_WebhookUpdatedEventDataAlways, total=False):
    cause: str
    """Deprecated, gone in 0.4.0: read `webhook_id`."""


class WebhookWithSecret(TypedDict):
    data: WebhookWithSecretData


class WebhookWithSecretData(TypedDict):
    id: str
    url: str
    description: str | None
    types: list[str] | None
    """Event types that it receives; null = all."""
    integrations: list[str] | None
    """Integrations whose events it receives; null = all, and the account’s own events."""
    status: Literal["unproven", "enabled", "disabled"]
    disabled_because: Literal["gone", "failing", "requested", None]
    """Gone: it answered 410. failing: it failed for five days. requested: it was disabled by request."""
    disabled_at: str | None
    enabled_at: str | None
    last_success_at: str | None
    failures_in_a_row: int
    resting_until: str | None
    """Nothing is sent until then, because it failed several times in a row."""
    previous_secret_until: str | None
    """Until then, messages are also signed with the previous secret."""
    managed_by: ManagedBy | None
    created_at: str
    updated_at: str
    secret: str
    """Secret with which messages are signed, shown only this once."""


WebhookEvent = (
    ConnectionCreatedEvent
    | ConnectionReauthorizedEvent
    | ConnectionScopesChangedEvent
    | ConnectionExpiringEvent
    | ConnectionReauthorizationRequiredEvent
    | ConnectionCauseProvenEvent
    | ConnectionRecoveredEvent
    | ConnectionRefreshRefusedEvent
    | ConnectionRefreshRecoveredEvent
    | ConnectionDeletedEvent
    | ConnectionUpdatedEvent
    | ConnectionRestoredEvent
    | IntegrationCredentialsRejectedEvent
    | IntegrationRecoveredEvent
    | IntegrationGrantsFailingEvent
    | DelegationGrantedEvent
    | DelegationLostEvent
    | RefreshTokenLimitNearEvent
    | IntegrationCreatedEvent
    | IntegrationUpdatedEvent
    | IntegrationDeletedEvent
    | SecretKeyCreatedEvent
    | SecretKeyRevokedEvent
    | SecretKeyLimitsChangedEvent
    | BudgetReachedEvent
    | QuotaReachedEvent
    | HigherLimitsEndingEvent
    | ServerToolsChangedEvent
    | ServerToolsAcceptedEvent
    | TestCredentialsChangedEvent
    | TestCredentialsRemovedEvent
    | ConnectSessionCreatedEvent
    | ConnectSessionDeletedEvent
    | AuthorizationStartedEvent
    | AuthorizationFailedEvent
    | ConnectionConfirmationPendingEvent
    | ConnectionNotConfirmedEvent
    | FilesPickedEvent
    | ConnectionCredentialsReadEvent
    | ApprovalRequestedEvent
    | ApprovalLinkCreatedEvent
    | ApprovalDecidedEvent
    | ApprovalEndedEvent
    | FeedCreatedEvent
    | FeedUpdatedEvent
    | FeedDeletedEvent
    | FeedChangedEvent
    | FeedPausedEvent
    | FeedResumedEvent
    | FeedFailingEvent
    | SecurityEventsRegisteredEvent
    | SecurityEventsRemovedEvent
    | ConnectionSecurityEventEvent
    | ChangesUndoneEvent
    | WebhookCreatedEvent
    | WebhookUpdatedEvent
    | WebhookDeletedEvent
    | WebhookSecretRotatedEvent
    | WebhookEnabledEvent
    | WebhookDisabledEvent
    | ConnectionTriedEvent
    | ConnectionGrantRevokedEvent
    | HeartbeatEvent
    | EndpointTest
)
"""A message to an endpoint. Later versions may send further types and members: answer those that you do not know with 2xx."""


class _ImportConnectionCredentialsAlways(TypedDict):
    type: Literal["OAUTH2"]
    refresh_token: str


class ImportConnectionCredentials(_ImportConnectionCredentialsAlways, total=False):
    """Required unless there is a subject."""

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


class _CreateAdminSessionOrganizationAlways(TypedDict):
    id: str


class CreateAdminSessionOrganization(_CreateAdminSessionOrganizationAlways, total=False):
    """The customer whose administrator this is for."""

    display_name: str | None


class ListReconnectLinksAnswerData(TypedDict):
    id: str
    """The batch’s id."""
    created_at: str
    created_by: str
    """A key or an operator."""
    created_by_name: str | None
    """The key’s name or the operator’s e-mail address; null if unknown, and for keys that are limited to some integrations."""
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
    cause: Literal["user_revoked", "token_revoked", "shared_grant_ended", "password_changed", "refresh_token_limit", "account_token_limit", "time_limited_access_over", "admin_restricted", "context_aware_access", "session_length_over", "testing_mode_expired", "unused_six_months", "account_unavailable", "account_restricted", "advanced_protection", "rotation_lost", "credentials_changed", "delegation_pending", "delegation_missing", "delegation_incomplete", "subject_unknown", "subject_not_allowed", "unknown"]
    provider_config_key: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    cursor: str
    """`next_cursor` of the previous page."""


class _CreateSecretKeyLimitsAlways(TypedDict):
    mode: Literal["observe", "enforce"]


class CreateSecretKeyLimits(_CreateSecretKeyLimitsAlways, total=False):
    allow: list[str]
    deny: list[str]
    approve: list[str]
    approval: Literal["google", "gateway", "both"]
    integrations: list[str]
    connections: list[str]
    resources: list[str]
    end_users: dict[str, str]
    sources: list[str]
    minute: CreateSecretKeyLimitsMinute
    day: CreateSecretKeyLimitsDay
    priority: Literal["background"]
    expires_at: str
    journal: bool | Literal["required"]


class CreateSecretKeyLimitsMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class CreateSecretKeyLimitsDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class _RegisterRoleLimitsAlways(TypedDict):
    mode: Literal["observe", "enforce"]


class RegisterRoleLimits(_RegisterRoleLimitsAlways, total=False):
    allow: list[str]
    deny: list[str]
    approve: list[str]
    approval: Literal["google", "gateway", "both"]
    integrations: list[str]
    connections: list[str]
    resources: list[str]
    end_users: dict[str, str]
    sources: list[str]
    minute: RegisterRoleLimitsMinute
    day: RegisterRoleLimitsDay
    priority: Literal["background"]
    expires_at: str
    journal: bool | Literal["required"]


class RegisterRoleLimitsMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class RegisterRoleLimitsDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class _UpdateSecretKeyLimitsAlways(TypedDict):
    mode: Literal["observe", "enforce"]


class UpdateSecretKeyLimits(_UpdateSecretKeyLimitsAlways, total=False):
    allow: list[str]
    deny: list[str]
    approve: list[str]
    approval: Literal["google", "gateway", "both"]
    integrations: list[str]
    connections: list[str]
    resources: list[str]
    end_users: dict[str, str]
    sources: list[str]
    minute: UpdateSecretKeyLimitsMinute
    day: UpdateSecretKeyLimitsDay
    priority: Literal["background"]
    expires_at: str
    journal: bool | Literal["required"]


class UpdateSecretKeyLimitsMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class UpdateSecretKeyLimitsDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class AcceptAgentToolsTool(TypedDict):
    name: str
    hash: str


class CreateAgentConnection(TypedDict):
    integration_id: str
    """Use 1 to 255 letters, digits, spaces or ~ : . @ _ -."""
    connection_id: str
    """Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -."""


class _CreateAgentLimitsAlways(TypedDict):
    mode: Literal["observe", "enforce"]


class CreateAgentLimits(_CreateAgentLimitsAlways, total=False):
    allow: list[str]
    deny: list[str]
    approve: list[str]
    approval: Literal["google", "gateway", "both"]
    integrations: list[str]
    connections: list[str]
    resources: list[str]
    end_users: dict[str, str]
    sources: list[str]
    minute: CreateAgentLimitsMinute
    day: CreateAgentLimitsDay
    priority: Literal["background"]
    expires_at: str
    journal: bool | Literal["required"]


class CreateAgentLimitsMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class CreateAgentLimitsDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class CreateIntegrationPublicNames(TypedDict, total=False):
    en: str
    de: str
    fr: str
    es: str
    pt: str
    ja: str


class CreateIntegrationBudget(TypedDict, total=False):
    minute: CreateIntegrationBudgetMinute
    day: CreateIntegrationBudgetDay
    when_spent: Literal["warn", "stop"]


class CreateIntegrationBudgetMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class CreateIntegrationBudgetDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class CreateIntegrationQuota(TypedDict, total=False):
    counted_in: Literal["units", "requests"]
    per_minute: int
    per_minute_and_user: int
    per_day: int | None
    bytes_out_per_day: int | None
    tier: Literal["standard", "internal", "scaled"]
    billing_account: str
    until: str
    tool_requests_per_day: int
    tool_keys: int


class _CreateIntegrationDelegationAlways(TypedDict):
    service_account: str
    client_id: str
    project_number: str
    via: Literal["aws", "key"]


class CreateIntegrationDelegation(_CreateIntegrationDelegationAlways, total=False):
    audience: str
    key: str | ServiceAccountKeyFile
    subjects: CreateIntegrationDelegationSubjects
    allow_domain_admin_access: bool
    new_subjects_per_hour: int


class CreateIntegrationDelegationSubjects(TypedDict, total=False):
    domains: list[str]
    addresses: list[str]
    exceptions: list[str]


class _CreateIntegrationCredentialsAlways(TypedDict):
    type: Literal["OAUTH2"]
    client_id: str
    client_secret: str


class CreateIntegrationCredentials(_CreateIntegrationCredentialsAlways, total=False):
    scopes: str | None
    webhook_secret: Literal[None]


class CreateQuickstartIntegrationPublicNames(TypedDict, total=False):
    en: str
    de: str
    fr: str
    es: str
    pt: str
    ja: str


class CreateQuickstartIntegrationBudget(TypedDict, total=False):
    minute: CreateQuickstartIntegrationBudgetMinute
    day: CreateQuickstartIntegrationBudgetDay
    when_spent: Literal["warn", "stop"]


class CreateQuickstartIntegrationBudgetMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class CreateQuickstartIntegrationBudgetDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class CreateQuickstartIntegrationQuota(TypedDict, total=False):
    counted_in: Literal["units", "requests"]
    per_minute: int
    per_minute_and_user: int
    per_day: int | None
    bytes_out_per_day: int | None
    tier: Literal["standard", "internal", "scaled"]
    billing_account: str
    until: str
    tool_requests_per_day: int
    tool_keys: int


class UpdateIntegrationPublicNames(TypedDict, total=False):
    en: str
    de: str
    fr: str
    es: str
    pt: str
    ja: str


class UpdateIntegrationBudget(TypedDict, total=False):
    minute: UpdateIntegrationBudgetMinute
    day: UpdateIntegrationBudgetDay
    when_spent: Literal["warn", "stop"]


class UpdateIntegrationBudgetMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class UpdateIntegrationBudgetDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class UpdateIntegrationQuota(TypedDict, total=False):
    counted_in: Literal["units", "requests"]
    per_minute: int
    per_minute_and_user: int
    per_day: int | None
    bytes_out_per_day: int | None
    tier: Literal["standard", "internal", "scaled"]
    billing_account: str
    until: str
    tool_requests_per_day: int
    tool_keys: int


class UpdateIntegrationDelegation(TypedDict, total=False):
    via: Literal["aws", "key"]
    audience: str
    key: str | ServiceAccountKeyFile
    subjects: UpdateIntegrationDelegationSubjects
    allow_domain_admin_access: bool
    new_subjects_per_hour: int


class UpdateIntegrationDelegationSubjects(TypedDict, total=False):
    domains: list[str]
    addresses: list[str]
    exceptions: list[str]


class _UpdateIntegrationCredentialsAlways(TypedDict):
    type: Literal["OAUTH2"]


class UpdateIntegrationCredentials(_UpdateIntegrationCredentialsAlways, total=False):
    client_id: str
    client_secret: str
    scopes: str | None
    webhook_secret: Literal[None]


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


class UpdateConnectionBudget(TypedDict, total=False):
    minute: UpdateConnectionBudgetMinute
    day: UpdateConnectionBudgetDay
    when_spent: Literal["warn", "stop"]


class UpdateConnectionBudgetMinute(TypedDict, total=False):
    calls: int
    units: int
    bytes: int


class UpdateConnectionBudgetDay(TypedDict, total=False):
    calls: int
    units: int
    bytes: int
