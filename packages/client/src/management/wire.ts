/**
 * Bodies and answers of the management API as its OpenAPI document names them.
 * Written by `npm run generate` from the routes that describe them.
 */

export type AboutApproval = {
/** What the call does, with names as Google has them now. */
readonly sentence: string;
/** Address of the Google account that the call is made as. */
readonly account: string | null;
/** Everything that the call changes, and who can open what it comes to. */
readonly facts: readonly (ApprovalFact)[];
/** What leaves the organization or becomes public. */
readonly risks: readonly (string)[];
/** Who gets an e-mail from Google, and why nobody can approve it. */
readonly remarks: readonly (string)[];
/** false: not all of it could be read, so nobody can approve it now. */
readonly is_certain: boolean;
/** The state that is described here. Send it with the decision: only this state is changed. */
readonly seen: string;
/** The request itself; null once somebody has decided. */
readonly request: ApprovalRequest | null;
};

export type AcceptAgentToolsBody = {
readonly endpoint: "full" | "self";
readonly tools: readonly ({
readonly name: string;
readonly hash: string;
})[];
};

export type AcceptedAgentTools = {
readonly data: AgentToolList;
};

export type AgentBinding = {
/** Your id of the end user whose connections these are; null: they name none. */
readonly end_user_id: string | null;
readonly connections: readonly ({
readonly integration_id: string;
readonly connection_id: string;
})[];
/** Tools that it may be given; null = all that its limits leave. */
readonly tools: readonly (string)[] | null;
};

export type AgentTool = {
/** As the provider’s server names it. */
readonly name: string;
/** As assistants see it; null = never offered. */
readonly offered_as: string | null;
/** What it does; null for a tool that this version does not know, which is refused. */
readonly class: "read" | "write" | "delete" | "share" | null;
/** offered: as it was accepted. changed and new wait for an operator and are hidden. unknown: this version has no class for it. gone: the server lists it no longer. */
readonly state: "offered" | "changed" | "new" | "unknown" | "gone";
readonly accepted: {
/** SHA-256 of name, title, description, schema and hints. */
readonly hash: string;
readonly description: string;
readonly input_schema: { readonly [name: string]: unknown };
} | null;
/** What the server says now, where it waits. */
readonly waiting: {
/** SHA-256 of name, title, description, schema and hints. */
readonly hash: string;
readonly description: string;
readonly input_schema: { readonly [name: string]: unknown };
} | null;
};

export type AgentToolList = {
readonly provider: "google-drive" | "google-calendar";
/** full: all tools, for clients that can show Google’s forms. self: for all others. */
readonly endpoint: "full" | "self";
readonly fetched_at: string;
readonly tools: readonly (AgentTool)[];
};

export type AgentToolLists = {
readonly data: readonly (AgentToolList)[];
};

export type Approval = {
readonly id: string;
readonly status: "pending" | "approved" | "refused" | "expired" | "running" | "done" | "failed" | "stale" | "unknown";
/** Google’s id of the method. */
readonly method: string;
readonly provider_config_key: string;
readonly connection_id: string;
/** The key that called: the first 12 characters of its id. */
readonly key_id: string;
readonly key_name: string;
readonly requested_at: string;
readonly expires_at: string;
readonly decided_at: string | null;
readonly decided_by: string | null;
readonly ended_at: string | null;
/** What the call is about; null where it names none. */
readonly object: ApprovalObject | null;
/** Google’s status, or why nothing was sent. */
readonly outcome: string | null;
/** For operators and keys with the right full: while it waits, and once somebody has decided. */
readonly about: AboutApproval | null;
};

export type ApprovalAnswer = {
readonly data: ShownApproval;
};

export type ApprovalDecidedEvent = {
readonly type: "ApprovalDecided";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Id of the approval. */
readonly approval_id: string;
/** Google’s id of the method, such as `drive.files.delete`. */
readonly method: string;
/** The secret key that called: the first 12 characters of its `id`. */
readonly key_id: string;
/** What the call is about; absent if it names no object. */
readonly object_kind?: "file" | "shared_drive" | "event" | "calendar";
/** Google’s id of it. */
readonly object_id?: string;
/** What was decided. */
readonly outcome: "approved" | "refused";
/** Who decided: `operator:…`, `end_user:…` after a sign-in, or `link:…` with the key or operator that created the link. */
readonly actor: string;
};
};

export type ApprovalEndedEvent = {
readonly type: "ApprovalEnded";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Id of the approval. */
readonly approval_id: string;
/** Google’s id of the method, such as `drive.files.delete`. */
readonly method: string;
/** The secret key that called: the first 12 characters of its `id`. */
readonly key_id: string;
/** What the call is about; absent if it names no object. */
readonly object_kind?: "file" | "shared_drive" | "event" | "calendar";
/** Google’s id of it. */
readonly object_id?: string;
/** How it ended. */
readonly outcome: "done" | "failed" | "stale" | "unknown" | "expired";
};
};

export type ApprovalFact = {
/** What changes, or Google’s name of the member. */
readonly name: string;
readonly before: string | null;
/** null: it is taken away. */
readonly after: string | null;
/** It opens access, or leaves the organization. */
readonly is_risk: boolean;
};

export type ApprovalLink = {
readonly url: string;
readonly expires_at: string;
};

export type ApprovalLinkCreatedEvent = {
readonly type: "ApprovalLinkCreated";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Id of the approval. */
readonly approval_id: string;
/** Google’s id of the method, such as `drive.files.delete`. */
readonly method: string;
/** The secret key that called: the first 12 characters of its `id`. */
readonly key_id: string;
/** What the call is about; absent if it names no object. */
readonly object_kind?: "file" | "shared_drive" | "event" | "calendar";
/** Google’s id of it. */
readonly object_id?: string;
/** Until when the link works. */
readonly ends_at: string;
/** The key or the operator: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
};
};

export type ApprovalList = {
readonly data: readonly (Approval)[];
};

export type ApprovalObject = {
readonly kind: string;
readonly id: string;
};

export type ApprovalRequest = {
readonly method: string;
readonly target: string;
readonly content_type: string | null;
readonly body: string | null;
};

export type ApprovalRequestedEvent = {
readonly type: "ApprovalRequested";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Id of the approval. */
readonly approval_id: string;
/** Google’s id of the method, such as `drive.files.delete`. */
readonly method: string;
/** The secret key that called: the first 12 characters of its `id`. */
readonly key_id: string;
/** What the call is about; absent if it names no object. */
readonly object_kind?: "file" | "shared_drive" | "event" | "calendar";
/** Google’s id of it. */
readonly object_id?: string;
/** Until when it waits. */
readonly ends_at: string;
/** The key that called: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
};
};

export type ApprovalResult = {
/** Google’s status. */
readonly status: number;
readonly headers: { readonly [name: string]: string };
/** Text, or Base64; null: larger than 64 KB, and not kept. */
readonly body: string | null;
readonly body_encoding: "utf8" | "base64";
};

export type Attention = {
/** client: an OAuth client that Google refuses. delegation: a Workspace domain that does not list a service account. incident: connections of one integration that stopped for one reason, within an hour or one by one. webhook, feed: one that fails. security_events: a registered Cloud project whose security events do not come. approval: calls that wait for a person, and approved ones that did not begin or whose outcome is not known. budget: a day’s budget, or Google’s quota of the day, of which 80 or 100 % is used. account: near the limit of refresh tokens. key: not used for 90 days. */
readonly kind: "client" | "delegation" | "incident" | "approval" | "feed" | "security_events" | "webhook" | "server_tools" | "budget" | "account" | "key";
/** error: something does not work. warning: it will not for long, or nobody needs it. */
readonly severity: "error" | "warning";
/** What is wrong. */
readonly title: string;
readonly explanation: string;
/** Who can fix it. */
readonly who: "end_user" | "developer" | "workspace_admin";
/** What to do, in order. */
readonly steps: readonly (string)[];
/** What goes wrong if a later step comes before the first one. */
readonly warning: string | null;
readonly since: string | null;
/** Of an incident: when the last connection stopped. */
readonly until: string | null;
/** Connections, or other things of the kind. */
readonly count: number;
/** Of an incident: all connections of this integration, state and reason, also from other times. */
readonly total: number | null;
readonly provider_config_key: string | null;
/** Of an incident. */
readonly state: "dead" | "refused_by_provider" | "failing" | null;
/** Cause of death, Google’s reason or error code, or the budget, such as integration.day.units. */
readonly reason: string | null;
/** Of the connection, webhook, feed, key or Cloud project, where it is about one. */
readonly id: string | null;
};

export type AuditEvent = {
readonly event_id: string;
readonly type: "ConnectionCreated" | "ConnectionReauthorized" | "ConnectionScopesChanged" | "ConnectionExpiring" | "ConnectionReauthorizationRequired" | "ConnectionCauseProven" | "ConnectionRecovered" | "ConnectionRefreshRefused" | "ConnectionRefreshRecovered" | "ConnectionDeleted" | "ConnectionUpdated" | "ConnectionRestored" | "IntegrationCredentialsRejected" | "IntegrationRecovered" | "IntegrationGrantsFailing" | "DelegationGranted" | "DelegationLost" | "RefreshTokenLimitNear" | "IntegrationCreated" | "IntegrationUpdated" | "IntegrationDeleted" | "SecretKeyCreated" | "SecretKeyRevoked" | "SecretKeyLimitsChanged" | "ApprovalRequested" | "ApprovalLinkCreated" | "ApprovalDecided" | "ApprovalEnded" | "FeedCreated" | "FeedUpdated" | "FeedDeleted" | "FeedChanged" | "FeedPaused" | "FeedResumed" | "FeedFailing" | "SecurityEventsRegistered" | "SecurityEventsRemoved" | "ConnectionSecurityEvent" | "ChangesUndone" | "WebhookCreated" | "WebhookUpdated" | "WebhookDeleted" | "WebhookSecretRotated" | "WebhookEnabled" | "WebhookDisabled" | "BudgetReached" | "QuotaReached" | "HigherLimitsEnding" | "ServerToolsChanged" | "ServerToolsAccepted" | "TestCredentialsChanged" | "TestCredentialsRemoved" | "ConnectSessionCreated" | "ConnectSessionDeleted" | "AuthorizationStarted" | "AuthorizationFailed" | "ConnectionConfirmationPending" | "ConnectionNotConfirmed" | "FilesPicked" | "ConnectionCredentialsRead" | "ConnectionTried" | "ConnectionGrantRevoked" | "Heartbeat";
readonly time: string;
/** `key:`, `iam:`, `operator:`, `session:` or `stack:`, then an id or name; null for the gateway’s own work. */
readonly actor: string | null;
/** The operator’s e-mail address or the key’s name; null if unknown. */
readonly actor_name: string | null;
readonly provider_config_key: string | null;
readonly connection_id: string | null;
/** Name, e-mail address or id of its end user, or the connection’s id where nothing else is known; null where there is no connection, or no longer. */
readonly connection_name: string | null;
readonly end_user_id: string | null;
/** Why a grant died. Of other types deprecated, gone in 0.4.0: read reason, key_id and the like in data. */
readonly cause: string | null;
readonly request_id: string;
/** What the event says: the detail on the bus, and data of the webhook of its type. Empty members are not sent. */
readonly data: { readonly [name: string]: string };
};

export type AuditPage = {
readonly data: readonly (AuditEvent)[];
/** Send as cursor for the next page; null at the end. */
readonly next_cursor: string | null;
/** Set after an upgrade from a version without this list: events from before this time are added bit by bit, and those of connections that no longer exist stay missing. null: nothing is missing. */
readonly complete_since: string | null;
};

export type AuthorizationFailedEvent = {
readonly type: "AuthorizationFailed";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Absent for a new connection. */
readonly connection_id?: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** What happened. */
readonly reason: "malformed_answer" | "unknown_state" | "other_browser" | "timed_out" | "session_ended" | "session_used" | "other_issuer" | "refused" | "pick_cancelled" | "admin_blocked" | "account_restricted" | "account_protected" | "organization_only" | "sign_in_needed" | "provider_trouble" | "app_misconfigured" | "app_disabled" | "provider_refused" | "integration_gone" | "integration_changed" | "credentials_missing" | "client_rejected" | "code_rejected" | "provider_unreachable" | "no_refresh_token" | "only_sign_in" | "account_unproven" | "wrong_account" | "wrong_domain" | "connection_deleted" | "connection_ended" | "changed_meanwhile" | "internal";
/** What to do about it, in sentences for people. */
readonly remedy: string;
/** The connect session: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type AuthorizationStartedEvent = {
readonly type: "AuthorizationStarted";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Absent for a new connection. */
readonly connection_id?: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** The connect session: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
};
};

export type Budget = {
readonly minute?: KeyBudget;
/** From midnight to midnight, UTC. */
readonly day?: KeyBudget;
/** Once a day’s budget is used up: `warn` sends events and lets calls pass, `stop` refuses them until midnight UTC. A minute’s budget always refuses. */
readonly when_spent: "warn" | "stop";
};

export type BudgetReachedEvent = {
readonly type: "BudgetReached";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id?: string;
/** Id of the connection. */
readonly connection_id?: string;
/** The secret key, if the budget is one of a key. */
readonly key_id?: string;
/** The budget, such as `integration.day.units` or `key.day.calls`. */
readonly budget: string;
/** Share that is used, in percent. */
readonly percent: "50" | "80" | "100";
/** Amount used when the event was sent. */
readonly used: string;
/** The whole budget. */
readonly most: string;
/** What happens to calls that no longer fit. */
readonly when_spent: "warn" | "stop" | "observe";
/** The day, UTC. */
readonly day: string;
/** When the whole budget is free again. */
readonly resets_at: string;
};
};

export type Call = {
/** Sorts by the end of the call. */
readonly id: string;
readonly request_id: string;
/** When the call began. */
readonly time: string;
readonly provider_config_key: string;
readonly connection_id: string;
/** First 12 characters of the secret key’s id. */
readonly key_id: string;
readonly method: string;
/** Pattern of the path: each id is {}; {unmatched} for a path Google does not document. */
readonly path: string;
readonly status: number;
readonly answered_by: "provider" | "gateway";
/** Code of the gateway’s own answer. */
readonly error_code: string | null;
/** Google’s reason for a failure. */
readonly reason: string | null;
/** Time until Google’s status line; null if there was none. */
readonly head_ms: number | null;
/** Time until the last byte was sent. */
readonly total_ms: number;
/** Requests sent to Google. */
readonly attempts: number;
/** Whether the call waited for a new access token. */
readonly refreshed: boolean;
readonly bytes_in: number;
readonly bytes_out: number;
/** false if the answer was cut off, by Google or by the caller. */
readonly complete: boolean;
/** 10 if only one call in ten is logged, which happens above 10,000 rows a day. */
readonly stands_for: number;
};

export type CallAnswer = {
readonly data: Call;
};

export type CallFault = {
/** Google’s reason, or the status where it gives none. */
readonly reason: string;
readonly what_happened: string;
/** Who can fix it. */
readonly who: "end_user" | "developer" | "workspace_admin";
readonly remedy: string;
/** Where at Google it is fixed; null if not in a console. */
readonly console_url: string | null;
readonly since: string;
};

export type CallPage = {
readonly data: readonly (Call)[];
/** Send as cursor for the next page; null at the end. */
readonly next_cursor: string | null;
readonly log: {
/** Which calls this deployment logs. */
readonly mode: "off" | "errors" | "all";
readonly retention_days: number;
/** Until when every call of the connection is logged. */
readonly recording_until: string | null;
};
};

export type CallRecording = {
readonly data: {
readonly recording_until: string | null;
};
};

export type ChangedIntegration = {
readonly data: Integration;
readonly warnings: readonly (Problem)[];
};

export type ChangedSecretKey = {
readonly data: SecretKey;
};

export type ChangesUndoneEvent = {
readonly type: "ChangesUndone";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Number of writes that were undone. */
readonly undone: string;
/** Number left alone because the object had changed since. */
readonly conflicts: string;
/** Number that cannot be undone. */
readonly not_undoable: string;
/** The secret key whose writes were undone; absent if those of all keys were. */
readonly key_id?: string;
/** Who undid them: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
};
};

export type CheckClientBody = {
readonly client_id: string;
readonly client_secret: string;
};

export type CheckDelegationBody = {
/** The address of any user of the domain. */
readonly address: string;
};

export type ClientCheck = {
/** unreachable: the provider gave no usable answer. */
readonly verdict: "accepted" | "unknown_client_id" | "wrong_secret" | "refused" | "unreachable";
/** Error code of the provider. */
readonly error: string | null;
readonly message: string;
};

export type ConfirmConnectionBody = {
readonly handle: string;
readonly end_user_id: string;
};

export type ConfirmedConnection = {
readonly data: {
/** Stable number below 2^53, unique in the account. */
readonly id: number;
readonly connection_id: string;
/** The integration’s unique_key. */
readonly provider_config_key: string;
readonly provider: "google-drive" | "google-calendar";
/** Not empty while the connection needs a new authorization or a confirmation. */
readonly errors: readonly ({
readonly type: "auth";
readonly log_id: string;
})[];
readonly end_user: EndUser | null;
readonly tags: { readonly [name: string]: string };
readonly metadata: { readonly [name: string]: unknown } | null;
readonly status: "active" | "reauthorization_required";
/** Why it needs a new authorization. */
readonly cause: string | null;
/** The account at the provider; null where no identity was granted. */
readonly provider_account: {
readonly subject: string;
readonly email: string | null;
/** Google Workspace domain; null for an account without one, absent if unknown. */
readonly hosted_domain?: string | null;
} | null;
readonly created: string;
/** Requested but not granted; a reconnect session requests them again. */
readonly missing_scopes: readonly (string)[];
readonly is_reconnect: boolean;
};
};

export type Connection = {
/** Stable number below 2^53, unique in the account. */
readonly id: number;
readonly connection_id: string;
/** The integration’s unique_key. */
readonly provider_config_key: string;
readonly provider: "google-drive" | "google-calendar";
/** Not empty while the connection needs a new authorization or a confirmation. */
readonly errors: readonly ({
readonly type: "auth";
readonly log_id: string;
})[];
readonly end_user: EndUser | null;
readonly tags: { readonly [name: string]: string };
readonly metadata: { readonly [name: string]: unknown } | null;
readonly status: "active" | "reauthorization_required" | "pending_confirmation";
/** Why it needs a new authorization. */
readonly cause: string | null;
/** The account at the provider; null where no identity was granted. */
readonly provider_account: {
readonly subject: string;
readonly email: string | null;
/** Google Workspace domain; null for an account without one, absent if unknown. */
readonly hosted_domain?: string | null;
} | null;
readonly connection_config: { readonly [name: string]: unknown };
readonly webhook_url_override: null;
readonly created_at: string;
readonly updated_at: string;
readonly last_fetched_at: string | null;
readonly credentials: Credentials;
readonly death: ConnectionDiagnosis | null;
readonly requested_scopes: readonly (string)[];
readonly granted_scopes: readonly (string)[];
/** Requested but not granted. */
readonly missing_scopes: readonly (string)[];
readonly consented_at: string;
readonly access_token_expires_at: string;
readonly last_used_at: string | null;
readonly last_refreshed_at: string | null;
readonly health: ConnectionHealth;
/** Set from the first refusal to renew the token until a refresh succeeds; null otherwise. */
readonly refresh_refusal: RefreshRefusal | null;
/** What its calls may take; null = not limited. */
readonly budget: Budget | null;
/** Set while the health of the connection is failing; null otherwise. */
readonly call_fault: CallFault | null;
/** Other connections that end together with this one’s grant; null if unknown. */
readonly shares_grant_with: number | null;
/** Known and likely future problems of the grant. */
readonly forecasts: {
readonly testing_mode_ends_at: string | null;
readonly access_ends_at: string | null;
readonly refresh_token_limit: {
readonly live: number;
readonly limit: number;
} | null;
};
};

export type ConnectionCauseProvenEvent = {
readonly type: "ConnectionCauseProven";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the connection, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** The proven cause. */
readonly cause: "user_revoked" | "token_revoked" | "shared_grant_ended" | "password_changed" | "refresh_token_limit" | "account_token_limit" | "time_limited_access_over" | "admin_restricted" | "context_aware_access" | "session_length_over" | "testing_mode_expired" | "unused_six_months" | "account_unavailable" | "account_restricted" | "advanced_protection" | "rotation_lost" | "credentials_changed" | "delegation_pending" | "delegation_missing" | "delegation_incomplete" | "subject_unknown" | "subject_not_allowed" | "unknown";
/** What happened and what to do about it, in sentences for people. */
readonly remedy: string;
/** Health of the connection after the event. */
readonly health: "dead";
};
};

export type ConnectionCheck = {
readonly data: {
/** Whether the provider accepts the connection’s token. */
readonly works: boolean;
/** ok, or why not. */
readonly reason: string;
readonly message: string;
readonly who: "end_user" | "developer" | "workspace_admin" | null;
readonly remedy: string | null;
/** The provider’s status, if it was called. */
readonly upstream_status: number | null;
readonly connection: ConnectionDiagnosis | null;
};
};

export type ConnectionConfirmationPendingEvent = {
readonly type: "ConnectionConfirmationPending";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** The connect session: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
};
};

export type ConnectionCounts = {
readonly data: {
readonly from: string;
readonly to: string;
readonly rows: readonly ({
/** UTC. */
readonly day: string;
readonly provider_config_key: string;
readonly created: number;
readonly deleted: number;
/** Connections that came to need a new authorization. */
readonly died: number;
/** Most frequent first. */
readonly died_by_cause: readonly ({
readonly cause: string;
readonly count: number;
})[];
/** Connections that were authorized again. */
readonly mended: number;
/** Refresh attempts by result. */
readonly refreshes: {
readonly renewed: number;
/** The grant was found dead. */
readonly refused: number;
readonly client_refused: number;
/** Tried again later. */
readonly failed: number;
};
})[];
readonly total: {
readonly created: number;
readonly deleted: number;
/** Connections that came to need a new authorization. */
readonly died: number;
/** Most frequent first. */
readonly died_by_cause: readonly ({
readonly cause: string;
readonly count: number;
})[];
/** Connections that were authorized again. */
readonly mended: number;
/** Refresh attempts by result. */
readonly refreshes: {
readonly renewed: number;
/** The grant was found dead. */
readonly refused: number;
readonly client_refused: number;
/** Tried again later. */
readonly failed: number;
};
};
};
};

export type ConnectionCreatedEvent = {
readonly type: "ConnectionCreated";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the connection, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Absent for a usual consent. */
readonly reason?: "imported" | "delegated" | "account_unknown";
/** Health of the connection after the event. */
readonly health: "active" | "not_used_yet" | "failing" | "ends_soon" | "refused_by_provider" | "client_refused" | "dead";
/** The connect session that it was made in, or who imported or confirmed it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type ConnectionCredentialsReadEvent = {
readonly type: "ConnectionCredentialsRead";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Which tokens. */
readonly credentials: "access_token" | "refresh_token";
/** Who read them: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `credentials`. */
readonly cause?: string;
};
};

export type ConnectionDeletedEvent = {
readonly type: "ConnectionDeleted";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the connection, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Absent if the grant is left as it is. */
readonly reason?: "revocation_requested" | "record_unreadable";
/** Who deleted it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type ConnectionDiagnosis = {
readonly status: "reauthorization_required";
/** The most likely cause, such as user_revoked; certain says whether it is proven. */
readonly cause: string;
/** Whether the provider’s answer or the stored facts prove the cause. */
readonly certain: boolean;
/** One sentence; begins with “Probably:” unless the cause is certain. */
readonly what_happened: string;
readonly likely_causes: readonly (LikelyCause)[];
readonly remedy: string;
/** The provider’s own code, such as invalid_grant. */
readonly provider_error: string;
/** Whether the same grant may work again without the user once a restriction is lifted; check with POST /connections/{connectionId}/refresh. */
readonly can_be_checked_again: boolean;
readonly since: string;
/** The provider’s signed statement that proves the cause; null if none does. Google sends them when security events are registered. */
readonly evidence: {
/** Type of the security event, such as account-disabled. */
readonly type: string;
/** The provider’s own word, such as hijacking. */
readonly reason: string | null;
readonly stated_at: string;
} | null;
};

export type ConnectionEvent = {
readonly event_id: string;
readonly type: "ConnectionCreated" | "ConnectionReauthorized" | "ConnectionScopesChanged" | "ConnectionExpiring" | "ConnectionReauthorizationRequired" | "ConnectionCauseProven" | "ConnectionRecovered" | "ConnectionRefreshRefused" | "ConnectionRefreshRecovered" | "ConnectionDeleted" | "ConnectionUpdated" | "ConnectionRestored" | "IntegrationCredentialsRejected" | "IntegrationRecovered" | "IntegrationGrantsFailing" | "DelegationGranted" | "DelegationLost" | "RefreshTokenLimitNear" | "IntegrationCreated" | "IntegrationUpdated" | "IntegrationDeleted" | "SecretKeyCreated" | "SecretKeyRevoked" | "SecretKeyLimitsChanged" | "ApprovalRequested" | "ApprovalLinkCreated" | "ApprovalDecided" | "ApprovalEnded" | "FeedCreated" | "FeedUpdated" | "FeedDeleted" | "FeedChanged" | "FeedPaused" | "FeedResumed" | "FeedFailing" | "SecurityEventsRegistered" | "SecurityEventsRemoved" | "ConnectionSecurityEvent" | "ChangesUndone" | "WebhookCreated" | "WebhookUpdated" | "WebhookDeleted" | "WebhookSecretRotated" | "WebhookEnabled" | "WebhookDisabled" | "BudgetReached" | "QuotaReached" | "HigherLimitsEnding" | "ServerToolsChanged" | "ServerToolsAccepted" | "TestCredentialsChanged" | "TestCredentialsRemoved" | "ConnectSessionCreated" | "ConnectSessionDeleted" | "AuthorizationStarted" | "AuthorizationFailed" | "ConnectionConfirmationPending" | "ConnectionNotConfirmed" | "FilesPicked" | "ConnectionCredentialsRead" | "ConnectionTried" | "ConnectionGrantRevoked" | "Heartbeat";
/** Counts up per connection; 0 for events that changed nothing. */
readonly sequence: number;
readonly time: string;
readonly end_user_id: string | null;
/** Why a grant died. Of other types deprecated, gone in 0.4.0: read reason, key_id and the like in data. */
readonly cause: string | null;
readonly remedy: string | null;
/** Who caused it; null for the gateway’s own work. */
readonly actor: string | null;
/** The operator’s e-mail address or the key’s name; null if unknown, and for keys that are limited to some integrations. */
readonly actor_name: string | null;
readonly request_id: string;
/** What the event says: the detail on the bus, and data of the webhook of its type. Empty members are not sent. */
readonly data: { readonly [name: string]: string };
};

export type ConnectionExpiringEvent = {
readonly type: "ConnectionExpiring";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the connection, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Why it will end. */
readonly reason: "testing_mode" | "time_limited_access";
/** When it will end. */
readonly ends_at: string;
/** What to do about it, in sentences for people. */
readonly remedy: string;
/** Health of the connection after the event. */
readonly health: "active" | "not_used_yet" | "failing" | "ends_soon" | "refused_by_provider" | "client_refused" | "dead";
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type ConnectionGrantRevokedEvent = {
readonly type: "ConnectionGrantRevoked";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** What happened to the grant. */
readonly outcome: "revoked" | "already_invalid" | "superseded_by_new_consent" | "client_gone" | "no_revocation_endpoint";
/** @deprecated gone in 0.4.0: read `outcome`. */
readonly cause?: string;
};
};

export type ConnectionHealth = {
readonly status: "active" | "not_used_yet" | "failing" | "ends_soon" | "refused_by_provider" | "client_refused" | "dead";
/** Why the grant ended or will end, why Google refuses calls, or its error about the OAuth client or about the connection’s token. */
readonly reason: string | null;
/** For a dead grant: false if the cause is only likely. */
readonly certain: boolean | null;
readonly since: string | null;
/** For a grant that ends soon. */
readonly ends_at: string | null;
};

export type ConnectionList = {
readonly connections: readonly (ConnectionListItem)[];
/** Send as cursor for the next page; null at the end. */
readonly next_cursor: string | null;
/** With include=total: number of connections in the list. */
readonly total?: number | null;
/** False if there are more than were counted. */
readonly total_is_complete?: boolean;
};

export type ConnectionListItem = {
/** Stable number below 2^53, unique in the account. */
readonly id: number;
readonly connection_id: string;
/** The integration’s unique_key. */
readonly provider_config_key: string;
readonly provider: "google-drive" | "google-calendar";
/** Not empty while the connection needs a new authorization or a confirmation. */
readonly errors: readonly ({
readonly type: "auth";
readonly log_id: string;
})[];
readonly end_user: EndUser | null;
readonly tags: { readonly [name: string]: string };
readonly metadata: { readonly [name: string]: unknown } | null;
readonly status: "active" | "reauthorization_required";
/** Why it needs a new authorization. */
readonly cause: string | null;
/** The account at the provider; null where no identity was granted. */
readonly provider_account: {
readonly subject: string;
readonly email: string | null;
/** Google Workspace domain; null for an account without one, absent if unknown. */
readonly hosted_domain?: string | null;
} | null;
readonly created: string;
readonly health: ConnectionHealth;
/** With include=last_used; accurate to ten minutes. */
readonly last_used_at?: string | null;
};

export type ConnectionNotConfirmedEvent = {
readonly type: "ConnectionNotConfirmed";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Why not. */
readonly reason: "not_confirmed_in_time" | "other_end_user" | "withdrawn" | "integration_gone" | "connection_deleted";
/** Who ended it; absent when time ran out: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor?: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type ConnectionReauthorizationRequiredEvent = {
readonly type: "ConnectionReauthorizationRequired";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the connection, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** The most likely cause. `remedy` begins with “Probably:” unless it is proven; `GET /connections/{id}` lists all likely causes. */
readonly cause: "user_revoked" | "token_revoked" | "shared_grant_ended" | "password_changed" | "refresh_token_limit" | "account_token_limit" | "time_limited_access_over" | "admin_restricted" | "context_aware_access" | "session_length_over" | "testing_mode_expired" | "unused_six_months" | "account_unavailable" | "account_restricted" | "advanced_protection" | "rotation_lost" | "credentials_changed" | "delegation_pending" | "delegation_missing" | "delegation_incomplete" | "subject_unknown" | "subject_not_allowed" | "unknown";
/** What happened and what to do about it, in sentences for people. */
readonly remedy: string;
/** Health of the connection after the event. */
readonly health: "dead";
};
};

export type ConnectionReauthorizedEvent = {
readonly type: "ConnectionReauthorized";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the connection, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Absent if the account is the same. */
readonly reason?: "account_changed" | "account_unknown" | "account_not_known_before";
/** Health of the connection after the event. */
readonly health: "active" | "not_used_yet" | "failing" | "ends_soon" | "refused_by_provider" | "client_refused" | "dead";
/** The connect session of the consent, or who confirmed it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type ConnectionRecoveredEvent = {
readonly type: "ConnectionRecovered";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the connection, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** The former cause of death. */
readonly cause: "user_revoked" | "token_revoked" | "shared_grant_ended" | "password_changed" | "refresh_token_limit" | "account_token_limit" | "time_limited_access_over" | "admin_restricted" | "context_aware_access" | "session_length_over" | "testing_mode_expired" | "unused_six_months" | "account_unavailable" | "account_restricted" | "advanced_protection" | "rotation_lost" | "credentials_changed" | "delegation_pending" | "delegation_missing" | "delegation_incomplete" | "subject_unknown" | "subject_not_allowed" | "unknown";
/** Health of the connection after the event. */
readonly health: "active" | "not_used_yet" | "failing" | "ends_soon" | "refused_by_provider" | "client_refused" | "dead";
};
};

export type ConnectionRefreshRecoveredEvent = {
readonly type: "ConnectionRefreshRecovered";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the connection, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Google’s former error code. */
readonly provider_error: string;
/** Health of the connection after the event. */
readonly health: "active" | "not_used_yet" | "failing" | "ends_soon" | "refused_by_provider" | "client_refused" | "dead";
};
};

export type ConnectionRefreshRefusedEvent = {
readonly type: "ConnectionRefreshRefused";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the connection, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Google’s error code, or the kind of its response, such as `http_403`. */
readonly provider_error: string;
/** What Google answers and what to do about it, in sentences for people. */
readonly remedy: string;
/** Health of the connection after the event. */
readonly health: "refused_by_provider" | "client_refused";
};
};

export type ConnectionRestoredEvent = {
readonly type: "ConnectionRestored";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the connection, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Why it was restored. */
readonly reason: "missing" | "damaged" | "deleted" | "overwritten";
/** Health of the connection after the event. */
readonly health: "active" | "not_used_yet" | "failing" | "ends_soon" | "refused_by_provider" | "client_refused" | "dead";
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type ConnectionScopesChangedEvent = {
readonly type: "ConnectionScopesChanged";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the connection, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** What changed. */
readonly reason: "scopes_gained" | "scopes_lost" | "scopes_gained_and_lost";
/** Health of the connection after the event. */
readonly health: "active" | "not_used_yet" | "failing" | "ends_soon" | "refused_by_provider" | "client_refused" | "dead";
/** The connect session of the consent, or who confirmed it; absent after a refresh: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor?: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type ConnectionSecurityEventEvent = {
readonly type: "ConnectionSecurityEvent";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** What happened. */
readonly security_event: "tokens-revoked" | "token-revoked" | "account-disabled" | "account-enabled" | "account-purged" | "sessions-revoked" | "account-credential-change-required";
/** Google’s reason, such as `hijacking`. */
readonly stated_reason?: string;
/** When Google stated it, by its clock. */
readonly stated_at: string;
};
};

export type ConnectionTriedEvent = {
readonly type: "ConnectionTried";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Who tried it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
};
};

export type ConnectionUpdatedEvent = {
readonly type: "ConnectionUpdated";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the connection, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Absent for end user, tags and metadata. */
readonly reason?: "calls_recorded" | "calls_no_longer_recorded";
/** Health of the connection after the event. */
readonly health: "active" | "not_used_yet" | "failing" | "ends_soon" | "refused_by_provider" | "client_refused" | "dead";
/** Who changed it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type ConnectSession = {
readonly data: {
readonly endUser: { readonly [name: string]: unknown } | null;
readonly connectUISettings: { readonly [name: string]: unknown };
readonly allowed_integrations: readonly (string)[];
readonly integrations_config_defaults: { readonly [name: string]: unknown };
readonly isReconnecting: boolean;
readonly status: "pending" | "authorizing" | "pending_confirmation" | "connected" | "cancelled" | "refused" | "failed" | "expired";
readonly connection_id: string | null;
readonly provider_config_key: string | null;
readonly error: {
readonly type: string;
readonly message: string;
} | null;
readonly missing_scopes: readonly ({
readonly scope: string;
readonly meaning: string;
})[];
readonly pick: {
readonly connection_id: string | null;
readonly multiple: boolean;
readonly mime_types: readonly (string)[];
readonly file_ids: readonly (string)[];
readonly folders: boolean;
} | null;
readonly picked: readonly ({
readonly id: string;
readonly mime_type: string | null;
readonly confirmed: boolean;
})[];
readonly admin: {
readonly organization: {
readonly id: string;
readonly display_name: string | null;
};
readonly client_id: string;
readonly scopes: readonly (string)[];
readonly admin_url: string;
} | null;
readonly language: string;
readonly expires_at: string;
readonly return_url: string | null;
readonly for_whom: string | null;
readonly app_name: string | null;
readonly account_email: string | null;
readonly integrations: readonly ({
readonly provider_config_key: string;
readonly display_name: string;
readonly provider: string;
readonly provider_name: string;
readonly server: {
readonly id: string;
readonly display_name: string;
};
readonly available: boolean;
readonly scopes: readonly ({
readonly scope: string;
readonly meaning: string;
readonly granted: boolean;
})[];
})[];
};
};

export type ConnectSessionCreatedEvent = {
readonly type: "ConnectSessionCreated";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** The integration, if the session allows only one. */
readonly integration_id?: string;
/** Absent for a new connection. */
readonly connection_id?: string;
/** Your id of the end user, if the session or its connection names one. */
readonly end_user_id?: string;
/** The session, as `actor` of later events names it. */
readonly session_id: string;
/** Who created it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `session_id`, which stands behind `session:` here. */
readonly cause?: string;
};
};

export type ConnectSessionDeletedEvent = {
readonly type: "ConnectSessionDeleted";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** The integration, if the session allowed only one. */
readonly integration_id?: string;
/** Absent for a new connection. */
readonly connection_id?: string;
/** Your id of the end user. */
readonly end_user_id: string;
/** The session, as `actor` of its events names it. */
readonly session_id: string;
/** Who deleted it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
};
};

export type CreateAdminSessionBody = {
/** use 1 to 255 letters, digits, spaces or ~ : . @ _ - */
readonly integration_id: string;
/** The customer whose administrator this is for. */
readonly organization: {
readonly id: string;
readonly display_name?: string | null;
};
readonly language?: "en" | "de" | "fr" | "es" | "pt" | "ja";
};

export type CreateAgentBody = {
readonly name: string;
readonly end_user_id?: string;
readonly integrations?: readonly (string)[];
readonly connections?: readonly ({
/** use 1 to 255 letters, digits, spaces or ~ : . @ _ - */
readonly integration_id: string;
/** use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ - */
readonly connection_id: string;
})[];
readonly tools?: readonly ("drive_search_files" | "drive_list_recent_files" | "drive_get_file_metadata" | "drive_read_file_content" | "drive_create_file" | "drive_copy_file" | "drive_rename_or_move_file" | "drive_update_file_content" | "drive_trash_file" | "calendar_list_calendars" | "calendar_list_events" | "calendar_get_event" | "calendar_find_free_time" | "calendar_create_event" | "calendar_update_event" | "calendar_respond_to_event" | "calendar_delete_event" | "gateway_approval_status" | "drive_google_search_files" | "drive_google_list_recent_files" | "drive_google_get_file_metadata" | "drive_google_get_file_permissions" | "drive_google_read_file_content" | "drive_google_download_file_content" | "drive_google_create_file" | "drive_google_copy_file" | "calendar_google_list_calendars" | "calendar_google_list_events" | "calendar_google_get_event" | "calendar_google_search_events" | "calendar_google_suggest_time" | "calendar_google_create_event" | "calendar_google_update_event" | "calendar_google_delete_event" | "calendar_google_respond_to_event")[];
readonly limits?: {
readonly mode: "observe" | "enforce";
readonly allow?: readonly (string)[];
readonly deny?: readonly (string)[];
readonly approve?: readonly (string)[];
readonly approval?: "google" | "gateway" | "both";
readonly integrations?: readonly (string)[];
readonly connections?: readonly (string)[];
readonly resources?: readonly (string)[];
readonly end_users?: { readonly [name: string]: string };
readonly sources?: readonly (string)[];
readonly minute?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly day?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly priority?: "background";
readonly expires_at?: string;
readonly journal?: boolean | "required";
};
};

export type CreateConnectSessionBody = {
readonly end_user?: {
readonly id: string;
readonly email?: string | null;
readonly display_name?: string | null;
readonly tags?: { readonly [name: string]: string } | null;
};
readonly organization?: {
readonly id: string;
readonly display_name?: string | null;
} | null;
readonly allowed_integrations?: readonly (string)[];
readonly integrations_config_defaults?: { readonly [name: string]: {
readonly user_scopes?: string;
readonly authorization_params?: {
readonly login_hint?: string;
readonly hd?: string;
readonly include_granted_scopes?: "true" | "false";
readonly prompt?: string;
};
readonly connection_config?: {
readonly oauth_scopes_override?: string;
};
} };
readonly overrides?: { readonly [name: string]: {
readonly docs_connect?: string;
} };
readonly webhook_url_override?: string | null;
readonly tags?: { readonly [name: string]: string };
readonly return_url?: string;
readonly language?: "en" | "de" | "fr" | "es" | "pt" | "ja";
readonly confirm?: boolean;
readonly pick?: {
/** use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ - */
readonly connection_id?: string;
readonly multiple?: boolean;
readonly mime_types?: readonly (string)[];
readonly file_ids?: readonly (string)[];
readonly folders?: boolean;
};
readonly reuse_connection?: boolean;
};

export type CreatedAgent = {
readonly data: {
/** SHA-256 of the key, hex; of a role, of its ARN without the path. */
readonly id: string;
readonly name: string;
readonly right: "proxy" | "read" | "full";
/** Integrations to which the key is limited; null = all. */
readonly integration_ids: readonly (string)[] | null;
readonly can_read_credentials: boolean;
readonly created_at: string;
/** Who created it: key:<start of the id>, iam:<AWS account>:<role>, operator:<id at the issuer>, stack:<name>, or gateway for the first key; null = unknown. */
readonly created_by: string | null;
/** The key’s or role’s name or the operator’s e-mail address; null if unknown. */
readonly created_by_name: string | null;
/** A proxied call shows within five minutes, any other within ten. */
readonly last_used_at: string | null;
readonly revoked_at: string | null;
/** The last characters of the key; null on keys created before these were stored. */
readonly hint: string | null;
readonly is_this_key: boolean;
/** What its proxied calls are limited to; null = nothing. */
readonly limits: KeyLimits | null;
/** The IAM role that calls below /iam, which has no key; null = a secret key. */
readonly role_arn: string | null;
/** Unique id that the role must have; null = any. */
readonly role_id: string | null;
readonly managed_by: ManagedBy | null;
/** Of an assistant’s key, which works only at /mcp; null = another key. */
readonly agent: AgentBinding | null;
/** The key itself, shown only this once. */
readonly agent_key: string;
/** Where assistants call with it. */
readonly mcp_url: string;
/** What to know before you use the key, such as Google’s rule for AI agents. */
readonly warnings: readonly (Problem)[];
};
};

export type CreatedApprovalLink = {
readonly data: ApprovalLink;
};

export type CreatedConnectSession = {
readonly data: {
/** Opens the session; shown only this once. */
readonly token: string;
/** Send the end user here. */
readonly connect_link: string;
readonly expires_at: string;
};
};

export type CreatedReconnectLinks = {
/** The batch’s id. */
readonly id: string;
readonly created_at: string;
/** A key or an operator. */
readonly created_by: string;
/** The key’s name or the operator’s e-mail address; null if unknown, and for keys that are limited to some integrations. */
readonly created_by_name: string | null;
readonly expires_at: string;
readonly revoked_at: string | null;
readonly links: readonly ({
readonly provider_config_key: string;
readonly connection_id: string;
readonly end_user: {
readonly id: string;
readonly display_name: string | null;
readonly email: string | null;
} | null;
readonly provider_email: string | null;
readonly connect_link: string;
/** Of the subject, of the names in the message, and of the message where none was sent; null where the end user’s is not known and none was named, which means English. */
readonly language: "en" | "de" | "fr" | "es" | "pt" | "ja" | null;
/** For an e-mail with the message. */
readonly subject: string;
/** To be sent to the end user; never null. */
readonly message: string | null;
})[];
readonly refused: readonly ({
readonly provider_config_key: string;
readonly connection_id: string;
readonly reason: string;
})[];
/** Send it as `cursor` for the next page; null at the end. A page ends at 4 MB. */
readonly next_cursor: string | null;
};

export type CreatedSecretKey = {
readonly data: {
/** SHA-256 of the key, hex; of a role, of its ARN without the path. */
readonly id: string;
readonly name: string;
readonly right: "proxy" | "read" | "full";
/** Integrations to which the key is limited; null = all. */
readonly integration_ids: readonly (string)[] | null;
readonly can_read_credentials: boolean;
readonly created_at: string;
/** Who created it: key:<start of the id>, iam:<AWS account>:<role>, operator:<id at the issuer>, stack:<name>, or gateway for the first key; null = unknown. */
readonly created_by: string | null;
/** The key’s or role’s name or the operator’s e-mail address; null if unknown. */
readonly created_by_name: string | null;
/** A proxied call shows within five minutes, any other within ten. */
readonly last_used_at: string | null;
readonly revoked_at: string | null;
/** The last characters of the key; null on keys created before these were stored. */
readonly hint: string | null;
readonly is_this_key: boolean;
/** What its proxied calls are limited to; null = nothing. */
readonly limits: KeyLimits | null;
/** The IAM role that calls below /iam, which has no key; null = a secret key. */
readonly role_arn: string | null;
/** Unique id that the role must have; null = any. */
readonly role_id: string | null;
readonly managed_by: ManagedBy | null;
/** Of an assistant’s key, which works only at /mcp; null = another key. */
readonly agent: AgentBinding | null;
/** The key itself, shown only this once. */
readonly secret_key: string;
};
};

export type CreateFeedBody = {
/** use 1 to 255 letters, digits, spaces or ~ : . @ _ - */
readonly provider_config_key: string;
/** use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ - */
readonly connection_id: string;
readonly resource: string;
readonly delivery?: "bus" | "pull";
readonly safety_interval_sec?: number;
readonly poll_interval_sec?: number;
readonly meaning?: boolean;
readonly seen?: boolean;
readonly reminders?: readonly (number)[];
};

export type CreateIntegrationBody = {
readonly provider: "google-drive" | "google-calendar";
/** use 1 to 255 letters, digits, spaces or ~ : . @ _ - */
readonly unique_key: string;
readonly display_name?: string;
readonly public_name?: string | null;
readonly public_names?: {
readonly en?: string;
readonly de?: string;
readonly fr?: string;
readonly es?: string;
readonly pt?: string;
readonly ja?: string;
} | null;
readonly scopes?: readonly (string)[];
readonly publishing_status?: "testing" | "production";
readonly audience?: "external" | "internal";
readonly mode?: "test" | "live";
readonly include_granted_scopes?: boolean;
readonly hosted_domain?: string | null;
readonly budget?: {
readonly minute?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly day?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly when_spent?: "warn" | "stop";
} | null;
readonly quota?: {
readonly counted_in?: "units" | "requests";
readonly per_minute?: number;
readonly per_minute_and_user?: number;
readonly per_day?: number | null;
readonly bytes_out_per_day?: number | null;
readonly tier?: "standard" | "internal" | "scaled";
readonly billing_account?: string;
readonly until?: string;
readonly tool_requests_per_day?: number;
readonly tool_keys?: number;
} | null;
/** delegated: a service account acts for users of Workspace domains. The default is oauth. */
readonly kind?: "oauth" | "delegated";
readonly delegation?: {
readonly service_account: string;
readonly client_id: string;
readonly project_number: string;
readonly via: "aws" | "key";
readonly audience?: string;
readonly key?: string | ServiceAccountKeyFile;
readonly subjects?: {
readonly domains?: readonly (string)[];
readonly addresses?: readonly (string)[];
readonly exceptions?: readonly (string)[];
};
readonly allow_domain_admin_access?: boolean;
readonly new_subjects_per_hour?: number;
};
/** True where the OAuth client is marked for AI agents at Google: assistants call Google’s MCP servers with it, and the gateway sends no REST calls. Fixed for the life of the integration. The default is false. */
readonly agentic?: boolean;
readonly credentials?: {
readonly type: "OAUTH2";
readonly client_id: string;
readonly client_secret: string;
readonly scopes?: string | null;
readonly webhook_secret?: null;
};
readonly credentials_source?: "own" | "test";
readonly forward_webhooks?: boolean;
readonly integration_config?: { readonly [name: string]: unknown } | null;
readonly custom?: { readonly [name: string]: unknown } | null;
};

export type CreateQuickstartIntegrationBody = {
readonly provider: "google-drive" | "google-calendar";
/** use 1 to 255 letters, digits, spaces or ~ : . @ _ - */
readonly unique_key: string;
readonly display_name?: string;
readonly public_name?: string | null;
readonly public_names?: {
readonly en?: string;
readonly de?: string;
readonly fr?: string;
readonly es?: string;
readonly pt?: string;
readonly ja?: string;
} | null;
readonly scopes?: readonly (string)[];
readonly publishing_status?: "testing" | "production";
readonly audience?: "external" | "internal";
readonly mode?: "test" | "live";
readonly include_granted_scopes?: boolean;
readonly hosted_domain?: string | null;
readonly budget?: {
readonly minute?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly day?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly when_spent?: "warn" | "stop";
} | null;
readonly quota?: {
readonly counted_in?: "units" | "requests";
readonly per_minute?: number;
readonly per_minute_and_user?: number;
readonly per_day?: number | null;
readonly bytes_out_per_day?: number | null;
readonly tier?: "standard" | "internal" | "scaled";
readonly billing_account?: string;
readonly until?: string;
readonly tool_requests_per_day?: number;
readonly tool_keys?: number;
} | null;
readonly forward_webhooks?: boolean;
readonly integration_config?: { readonly [name: string]: unknown } | null;
readonly custom?: { readonly [name: string]: unknown } | null;
};

export type CreateReconnectLinksBody = {
readonly connections?: readonly ({
/** use 1 to 255 letters, digits, spaces or ~ : . @ _ - */
readonly provider_config_key: string;
/** use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ - */
readonly connection_id: string;
})[];
readonly all_dead?: {
readonly cause?: "user_revoked" | "token_revoked" | "shared_grant_ended" | "password_changed" | "refresh_token_limit" | "account_token_limit" | "time_limited_access_over" | "admin_restricted" | "context_aware_access" | "session_length_over" | "testing_mode_expired" | "unused_six_months" | "account_unavailable" | "account_restricted" | "advanced_protection" | "rotation_lost" | "credentials_changed" | "delegation_pending" | "delegation_missing" | "delegation_incomplete" | "subject_unknown" | "subject_not_allowed" | "unknown";
/** use 1 to 255 letters, digits, spaces or ~ : . @ _ - */
readonly provider_config_key?: string;
/** `next_cursor` of the previous page. */
readonly cursor?: string;
};
readonly lifetime_sec?: number;
readonly message?: string;
readonly language?: "en" | "de" | "fr" | "es" | "pt" | "ja";
};

export type CreateReconnectSessionBody = {
/** use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ - */
readonly connection_id: string;
/** use 1 to 255 letters, digits, spaces or ~ : . @ _ - */
readonly integration_id: string;
readonly end_user?: {
readonly id: string;
readonly email?: string | null;
readonly display_name?: string | null;
readonly tags?: { readonly [name: string]: string } | null;
};
readonly organization?: {
readonly id: string;
readonly display_name?: string | null;
} | null;
readonly integrations_config_defaults?: { readonly [name: string]: {
readonly user_scopes?: string;
readonly authorization_params?: {
readonly login_hint?: string;
readonly hd?: string;
readonly include_granted_scopes?: "true" | "false";
readonly prompt?: string;
};
readonly connection_config?: {
readonly oauth_scopes_override?: string;
};
} };
readonly overrides?: { readonly [name: string]: {
readonly docs_connect?: string;
} };
readonly webhook_url_override?: string | null;
readonly tags?: { readonly [name: string]: string };
readonly return_url?: string;
readonly language?: "en" | "de" | "fr" | "es" | "pt" | "ja";
readonly confirm?: boolean;
readonly allow_account_change?: boolean;
};

export type CreateSecretKeyBody = {
readonly name: string;
readonly right: "proxy" | "read" | "full";
readonly integration_ids?: readonly (string)[];
readonly can_read_credentials?: boolean;
readonly limits?: {
readonly mode: "observe" | "enforce";
readonly allow?: readonly (string)[];
readonly deny?: readonly (string)[];
readonly approve?: readonly (string)[];
readonly approval?: "google" | "gateway" | "both";
readonly integrations?: readonly (string)[];
readonly connections?: readonly (string)[];
readonly resources?: readonly (string)[];
readonly end_users?: { readonly [name: string]: string };
readonly sources?: readonly (string)[];
readonly minute?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly day?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly priority?: "background";
readonly expires_at?: string;
readonly journal?: boolean | "required";
};
};

export type CreateWebhookBody = {
/** https on port 443, with a public host. */
readonly url: string;
readonly description?: string | null;
readonly types?: readonly ("ConnectionCreated" | "ConnectionReauthorized" | "ConnectionScopesChanged" | "ConnectionExpiring" | "ConnectionReauthorizationRequired" | "ConnectionCauseProven" | "ConnectionRecovered" | "ConnectionRefreshRefused" | "ConnectionRefreshRecovered" | "ConnectionDeleted" | "ConnectionUpdated" | "ConnectionRestored" | "IntegrationCredentialsRejected" | "IntegrationRecovered" | "IntegrationGrantsFailing" | "DelegationGranted" | "DelegationLost" | "RefreshTokenLimitNear" | "IntegrationCreated" | "IntegrationUpdated" | "IntegrationDeleted" | "SecretKeyCreated" | "SecretKeyRevoked" | "SecretKeyLimitsChanged" | "ApprovalRequested" | "ApprovalLinkCreated" | "ApprovalDecided" | "ApprovalEnded" | "FeedCreated" | "FeedUpdated" | "FeedDeleted" | "FeedChanged" | "FeedPaused" | "FeedResumed" | "FeedFailing" | "SecurityEventsRegistered" | "SecurityEventsRemoved" | "ConnectionSecurityEvent" | "ChangesUndone" | "WebhookCreated" | "WebhookUpdated" | "WebhookDeleted" | "WebhookSecretRotated" | "WebhookEnabled" | "WebhookDisabled" | "BudgetReached" | "QuotaReached" | "HigherLimitsEnding" | "ServerToolsChanged" | "ServerToolsAccepted" | "TestCredentialsChanged" | "TestCredentialsRemoved" | "ConnectSessionCreated" | "ConnectSessionDeleted" | "AuthorizationStarted" | "AuthorizationFailed" | "ConnectionConfirmationPending" | "ConnectionNotConfirmed" | "FilesPicked" | "ConnectionCredentialsRead" | "ConnectionTried" | "ConnectionGrantRevoked" | "Heartbeat")[] | null;
readonly integrations?: readonly (string)[] | null;
};

export type Credentials = {
readonly type?: "OAUTH2";
readonly access_token?: string;
readonly expires_at?: string;
readonly refresh_token?: string;
readonly raw?: {
readonly access_token: string;
readonly expires_at: string;
readonly refresh_token: string;
readonly token_type: "Bearer";
readonly scope: string;
};
};

export type DecideApprovalBody = {
readonly decision: "approve" | "refuse";
/** about.seen of the approval that was looked at. */
readonly seen?: string | null;
};

export type DecidedApproval = {
readonly data: Approval;
};

export type DelegatedDomain = {
readonly domain: string;
/** lost: Google says that its administrator does not list the service account. */
readonly status: "granted" | "lost" | "unknown";
readonly since: string;
readonly checked_at: string | null;
};

export type Delegation = {
readonly service_account: string;
/** The numeric client id that administrators list. */
readonly client_id: string;
readonly project_number: string;
readonly via: "aws" | "key";
readonly audience: string | null;
/** Id of the uploaded key; the key itself is never shown. */
readonly key_id: string | null;
readonly key_added_at: string | null;
/** The users that it can act for. Exceptions win, and a domain does not include its subdomains. */
readonly subjects: {
readonly domains: readonly (string)[];
readonly addresses: readonly (string)[];
readonly exceptions: readonly (string)[];
};
readonly allow_domain_admin_access: boolean;
readonly new_subjects_per_hour: number;
};

export type DelegationAnswer = {
readonly client_id: string;
readonly scopes: readonly (string)[];
/** Fills the form of Google’s Admin console; it replaces nothing that is listed. */
readonly admin_url: string;
readonly domains: readonly (DelegatedDomain)[];
};

export type DelegationCheck = {
readonly domain: string;
/** Google gives a token for the address with all scopes. */
readonly works: boolean;
readonly scopes: readonly ({
readonly scope: string;
/** listed, not_listed, or unknown where Google did not answer that. */
readonly status: "listed" | "not_listed" | "unknown";
})[];
readonly cause: string | null;
readonly what_happened: string | null;
readonly who: "end_user" | "developer" | "workspace_admin" | null;
readonly remedy: string | null;
};

export type DelegationCheckAnswer = {
readonly data: DelegationCheck;
};

export type DelegationGrantedEvent = {
readonly type: "DelegationGranted";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** The Workspace domain. */
readonly domain: string;
};
};

export type DelegationLostEvent = {
readonly type: "DelegationLost";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** The Workspace domain. */
readonly domain: string;
/** Google’s error code. */
readonly provider_error: string;
/** What to do about it, in sentences for people. */
readonly remedy: string;
};
};

export type DeletedConnection = {
/** Always true. */
readonly success: boolean;
readonly revocation: {
readonly status: "not_requested" | "revoked" | "pending" | "skipped";
readonly reason: string | null;
readonly retry_at: string | null;
readonly shares_grant_with: number | null;
};
};

export type DeletedIntegration = {
/** Always true. */
readonly success: boolean;
readonly deleted_connections: number;
};

export type DeletedSessions = {
/** Always true. */
readonly success: boolean;
readonly deleted_sessions: number;
readonly has_more: boolean;
};

export type EndpointTest = {
readonly type: "endpoint.test";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the webhook. */
readonly webhook_id: string;
};
};

export type EndUser = {
readonly id: string;
readonly display_name: string | null;
readonly email: string | null;
readonly tags: { readonly [name: string]: string } | null;
readonly organization: {
readonly id: string;
readonly display_name: string | null;
} | null;
};

export type EventPage = {
readonly events: readonly (ConnectionEvent)[];
/** Send it as `cursor` for the next page; null at the end. A page ends at 4 MB. */
readonly next_cursor: string | null;
/** The same as next_cursor, by its former name. */
readonly next_before: string | null;
};

export type FailedCall = {
/** Sorts by the end of the call. */
readonly id: string;
readonly request_id: string;
/** When the call began. */
readonly time: string;
readonly provider_config_key: string;
readonly connection_id: string;
/** First 12 characters of the secret key’s id. */
readonly key_id: string;
readonly method: string;
/** Pattern of the path: each id is {}; {unmatched} for a path Google does not document. */
readonly path: string;
readonly status: number;
readonly answered_by: "provider" | "gateway";
/** Code of the gateway’s own answer. */
readonly error_code: string | null;
/** Google’s reason for a failure. */
readonly reason: string | null;
/** Time until Google’s status line; null if there was none. */
readonly head_ms: number | null;
/** Time until the last byte was sent. */
readonly total_ms: number;
/** Requests sent to Google. */
readonly attempts: number;
/** Whether the call waited for a new access token. */
readonly refreshed: boolean;
readonly bytes_in: number;
readonly bytes_out: number;
/** false if the answer was cut off, by Google or by the caller. */
readonly complete: boolean;
/** 10 if only one call in ten is logged, which happens above 10,000 rows a day. */
readonly stands_for: number;
/** provider_failed: Google answered 5xx. rate_limited: Google answered 429. gateway_failed: the gateway answered 5xx itself. refused: any other 4xx, of Google or of the gateway. broken_off: the answer was cut off. */
readonly failure: "provider_failed" | "rate_limited" | "gateway_failed" | "refused" | "broken_off";
/** Name, e-mail address or id of the end user, or the connection’s id where nothing else is known. */
readonly connection_name: string;
};

export type FailedCallPage = {
readonly data: readonly (FailedCall)[];
/** Send as cursor for the next page; null at the end. */
readonly next_cursor: string | null;
readonly log: {
/** Which calls this deployment logs. */
readonly mode: "off" | "errors" | "all";
readonly retention_days: number;
};
};

export type Feed = {
readonly id: string;
readonly provider_config_key: string;
readonly connection_id: string;
/** drive, drives, drive:<id>, folder:<id>, calendar:<id>, calendar_list, acl:<id> or settings. */
readonly resource: string;
/** starting: the first position in the history is being fetched. watching: a push channel is open. polling: push is not available, and reason says why. waiting: the next pull waits for Google’s quota until next_pull_at. paused: the connection needs a new authorization. failing: Google refuses the resource or, with the reason overdue, no read has succeeded for eight minutes after it was due. */
readonly state: "starting" | "watching" | "polling" | "paused" | "failing" | "waiting";
/** Why the feed polls, waits, pauses or fails, or what it leaves out. */
readonly reason: string | null;
readonly explanation: string | null;
readonly remedy: string | null;
/** bus: batches are also sent as events. pull: batches are available only through this API. */
readonly delivery: "bus" | "pull";
/** Seconds between pulls without a message, while a channel is open. */
readonly safety_interval_sec: number;
/** Seconds between pulls without a channel. */
readonly poll_interval_sec: number;
/** Whether changes say in `what` what they were. */
readonly meaning: boolean;
/** Whether, with meaning, changes of files are also reported that only `seen` describes, such as that somebody opened a file. */
readonly seen: boolean;
/** Of a calendar: how many minutes before its start an event is reported in a batch of kind `starts`. */
readonly reminders: readonly (number)[];
/** Number of the last batch; 0 before the first. */
readonly last_sequence: number;
readonly last_change_at: string | null;
readonly last_pull_at: string | null;
/** When the next pull is due if no message arrives before. */
readonly next_pull_at: string;
/** End granted by Google; a new channel is opened before then. */
readonly channel_ends_at: string | null;
readonly failed_attempts: number;
/** Set while the feed is behind, because it fails, is paused, waits for quota, or was not pulled for eight minutes after it was due: its last pull, or its creation before the first. */
readonly behind_since: string | null;
readonly created_at: string;
readonly managed_by: ManagedBy | null;
/** Messages that Google has sent. */
readonly messages: number;
readonly last_message_at: string | null;
/** A message has arrived that no pull has followed yet. */
readonly pull_waiting: boolean;
readonly cursors: readonly (FeedCursor)[];
/** Ids of the shared drives that a feed of drives follows; null for every other resource. */
readonly drives: readonly (string)[] | null;
};

export type FeedAnswer = {
readonly data: Feed;
};

export type FeedBatch = {
readonly sequence: number;
/** gap: changes before this batch may be missing; compare everything that you store of the resource. starts: events that start soon, as `reminders` of the feed ask for; they have not changed. */
readonly kind: "changes" | "gap" | "starts";
/** Reason for a gap. */
readonly reason: string | null;
readonly stored_at: string;
readonly changes: readonly (FeedChange)[];
};

export type FeedChange = {
/** Google’s id of the changed item. */
readonly id: string;
readonly kind: "file" | "drive" | "event" | "calendar" | "acl" | "setting";
/** Deleted, or no longer accessible to the account; in a feed of drive:<id> also moved out of that shared drive. In a feed of drive or drives, a file that was moved and can still be read is not removed. In a feed of folder:<id>, whatever is not below the folder any more, or in the trash. */
readonly removed: boolean;
readonly time?: string;
readonly mime_type?: string;
/** In a batch of kind starts: which reminder it is. `time` is when the event starts. */
readonly minutes_before?: number;
/** In a feed of folder:<id>, of a folder: everything below it has come, moved or gone with it. List what is below it, or drop that if the folder is removed. */
readonly subtree?: boolean;
/** With meaning, what the change was; several words if several things changed. Files: created, content, renamed, moved, shared, trashed, restored, removed, updated, seen. In a feed of folder:<id>, also without meaning: entered, left. Events: created, moved, responded, updated, cancelled. unknown: the feed has not seen the item before, and the item is older than the feed’s knowledge. */
readonly what?: readonly ("created" | "content" | "renamed" | "moved" | "shared" | "trashed" | "restored" | "removed" | "updated" | "seen" | "responded" | "cancelled" | "entered" | "left" | "unknown")[];
};

export type FeedChangedEvent = {
readonly type: "FeedChanged";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of the batch in its feed, counting up by one from 1. Read a missing one with `GET /feeds/{id}/changes`. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Id of the feed. */
readonly feed_id: string;
/** What the feed watches, such as `drive` or `calendar:primary`. */
readonly resource: string;
/** What the batch is. */
readonly kind: "changes" | "gap" | "starts";
/** A list of [changes](changes.md#reading-changes) as JSON text, empty for a gap. */
readonly changes: string;
/** Why there is a gap. */
readonly reason?: "cursor_expired" | "account_changed" | "client_changed" | "restored" | "folder_moved";
/** Of a gap: what to do. */
readonly remedy?: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type FeedChanges = {
readonly data: readonly (FeedBatch)[];
/** Number of the feed’s last batch. */
readonly last_sequence: number;
/** There are more batches: ask again at once after the last batch of this answer. */
readonly has_more: boolean;
readonly feed: FeedStanding;
};

export type FeedCreatedEvent = {
readonly type: "FeedCreated";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of the last batch of the feed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Id of the feed. */
readonly feed_id: string;
/** What the feed watches, such as `drive` or `calendar:primary`. */
readonly resource: string;
/** Absent for a new one. */
readonly reason?: "restored";
/** Who asked for it; absent for a restored one: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor?: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type FeedCursor = {
readonly name: string;
/** The last batch that the consumer has processed. */
readonly sequence: number;
/** Batches that the consumer has not read. */
readonly lag: number;
readonly moved_at: string;
};

export type FeedCursorAnswer = {
readonly data: FeedCursor;
};

export type FeedDeletedEvent = {
readonly type: "FeedDeleted";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of the last batch of the feed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Id of the feed. */
readonly feed_id: string;
/** What the feed watches, such as `drive` or `calendar:primary`. */
readonly resource: string;
/** Why; absent if somebody asked for it. */
readonly reason?: "connection_deleted" | "resource_refused";
/** Who asked for it; absent where the gateway found that its connection no longer exists: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor?: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type FeedFailingEvent = {
readonly type: "FeedFailing";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of the last batch of the feed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Id of the feed. */
readonly feed_id: string;
/** What the feed watches, such as `drive` or `calendar:primary`. */
readonly resource: string;
/** Why. */
readonly reason: "resource_refused" | "cursor_expired_again" | "overdue" | "consumer_behind";
/** What to do about it, in sentences for people. */
readonly remedy: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type FeedPage = {
readonly data: readonly (FeedSummary)[];
/** Send it as `cursor` for the next page; null at the end. A page ends at 4 MB. */
readonly next_cursor: string | null;
};

export type FeedPausedEvent = {
readonly type: "FeedPaused";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of the last batch of the feed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Id of the feed. */
readonly feed_id: string;
/** What the feed watches, such as `drive` or `calendar:primary`. */
readonly resource: string;
/** Why. */
readonly reason: "reauthorization_required";
/** What to do about it, in sentences for people. */
readonly remedy: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type FeedResumedEvent = {
readonly type: "FeedResumed";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of the last batch of the feed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Id of the feed. */
readonly feed_id: string;
/** What the feed watches, such as `drive` or `calendar:primary`. */
readonly resource: string;
/** Why it is polled; absent if Google sends messages, or if that is not known yet. */
readonly reason?: "push_not_supported" | "address_not_authorized" | "address_not_https" | "watch_refused";
/** What would end the polling. */
readonly remedy?: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type FeedStanding = {
/** starting: the first position in the history is being fetched. watching: a push channel is open. polling: push is not available, and reason says why. waiting: the next pull waits for Google’s quota until next_pull_at. paused: the connection needs a new authorization. failing: Google refuses the resource or, with the reason overdue, no read has succeeded for eight minutes after it was due. */
readonly state: "starting" | "watching" | "polling" | "paused" | "failing" | "waiting";
/** Why the feed polls, waits, pauses or fails, or what it leaves out. */
readonly reason: string | null;
readonly explanation: string | null;
readonly remedy: string | null;
};

export type FeedSummary = {
readonly id: string;
readonly provider_config_key: string;
readonly connection_id: string;
/** drive, drives, drive:<id>, folder:<id>, calendar:<id>, calendar_list, acl:<id> or settings. */
readonly resource: string;
/** starting: the first position in the history is being fetched. watching: a push channel is open. polling: push is not available, and reason says why. waiting: the next pull waits for Google’s quota until next_pull_at. paused: the connection needs a new authorization. failing: Google refuses the resource or, with the reason overdue, no read has succeeded for eight minutes after it was due. */
readonly state: "starting" | "watching" | "polling" | "paused" | "failing" | "waiting";
/** Why the feed polls, waits, pauses or fails, or what it leaves out. */
readonly reason: string | null;
readonly explanation: string | null;
readonly remedy: string | null;
/** bus: batches are also sent as events. pull: batches are available only through this API. */
readonly delivery: "bus" | "pull";
/** Seconds between pulls without a message, while a channel is open. */
readonly safety_interval_sec: number;
/** Seconds between pulls without a channel. */
readonly poll_interval_sec: number;
/** Whether changes say in `what` what they were. */
readonly meaning: boolean;
/** Whether, with meaning, changes of files are also reported that only `seen` describes, such as that somebody opened a file. */
readonly seen: boolean;
/** Of a calendar: how many minutes before its start an event is reported in a batch of kind `starts`. */
readonly reminders: readonly (number)[];
/** Number of the last batch; 0 before the first. */
readonly last_sequence: number;
readonly last_change_at: string | null;
readonly last_pull_at: string | null;
/** When the next pull is due if no message arrives before. */
readonly next_pull_at: string;
/** End granted by Google; a new channel is opened before then. */
readonly channel_ends_at: string | null;
readonly failed_attempts: number;
/** Set while the feed is behind, because it fails, is paused, waits for quota, or was not pulled for eight minutes after it was due: its last pull, or its creation before the first. */
readonly behind_since: string | null;
readonly created_at: string;
readonly managed_by: ManagedBy | null;
/** Name, e-mail address or id of the end user, or the connection’s id where nothing else is known. */
readonly connection_name: string;
};

export type FeedUpdatedEvent = {
readonly type: "FeedUpdated";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of the last batch of the feed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Id of the feed. */
readonly feed_id: string;
/** What the feed watches, such as `drive` or `calendar:primary`. */
readonly resource: string;
/** Who asked for it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
};
};

export type FilesPickedEvent = {
readonly type: "FilesPicked";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** How many files. */
readonly files: string;
/** The connect session: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `files`. */
readonly cause?: string;
};
};

export type GatewayError = {
readonly error: {
readonly code: "invalid_headers" | "invalid_path" | "invalid_query_params" | "invalid_body" | "missing_auth_header" | "invalid_secret_key" | "invalid_session_token" | "invalid_operator_token" | "key_expired" | "unknown_role" | "path_not_allowed" | "forbidden" | "limited_by_key" | "agentic_integration" | "subject_not_allowed" | "unknown_method" | "approval_required" | "approval_impossible" | "budget_spent" | "approval_stale" | "approval_expired" | "cursor_too_old" | "not_undoable" | "recent_sign_in_required" | "second_factor_required" | "unknown_integration" | "unknown_connection" | "not_found" | "not_supported" | "method_not_allowed" | "conflict" | "confirmation_required" | "account_not_known" | "request_in_progress" | "answer_not_kept" | "request_too_large" | "idempotency_key_reused" | "reauthorization_required" | "integration_credentials_rejected" | "rate_limited" | "quota_reserved" | "internal_error" | "upstream_unreachable" | "upstream_invalid_response" | "service_unavailable" | "token_refresh_unavailable" | "upstream_timeout";
readonly message: string;
readonly status: number;
/** Identifies the request in the gateway’s log. */
readonly request_id: string;
/** For a failed call to the provider: whether the provider may have carried it out. */
readonly applied?: "no" | "unknown";
/** All problems of the request. */
readonly errors?: readonly (Problem)[];
/** How many more problems there are; an answer lists at most 100. */
readonly errors_left_out?: number;
readonly connection?: ConnectionDiagnosis;
readonly limit?: KeyLimitStanding;
readonly approval?: WaitingApproval;
};
};

export type Health = {
readonly status: "ok";
};

export type HeartbeatEvent = {
readonly type: "Heartbeat";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
};
};

export type HigherLimitsEndingEvent = {
readonly type: "HigherLimitsEnding";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** The provider, such as `google-drive`. */
readonly provider: string;
/** Number of the Google Cloud project. */
readonly cloud_project: string;
/** When the limits end: `until`, or Google’s own date. */
readonly ends_at: string;
/** Days that are left at most. */
readonly days_left: "7" | "30" | "90";
};
};

export type ImportConnectionBody = {
/** use 1 to 255 letters, digits, spaces or ~ : . @ _ - */
readonly provider_config_key: string;
/** use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ - */
readonly connection_id?: string;
/** For an integration of kind delegated, instead of credentials: the user’s primary address. */
readonly subject?: string;
/** Required unless there is a subject. */
readonly credentials?: {
readonly type: "OAUTH2";
readonly access_token?: string;
readonly refresh_token: string;
readonly expires_at?: string | null;
};
/** When the user gave consent, between 2004 and now. */
readonly consented_at?: string;
readonly metadata?: { readonly [name: string]: unknown } | null;
readonly connection_config?: { readonly [name: string]: unknown } | null;
readonly end_user?: {
readonly id: string;
readonly email?: string | null;
readonly display_name?: string | null;
readonly tags?: { readonly [name: string]: string } | null;
};
readonly organization?: {
readonly id: string;
readonly display_name?: string | null;
} | null;
readonly tags?: { readonly [name: string]: string };
};

export type Integration = {
/** Its id, sent as Provider-Config-Key in calls. */
readonly unique_key: string;
readonly provider: "google-drive" | "google-calendar";
readonly display_name: string;
/** Name on pages that end users see; null = display_name. */
readonly public_name: string | null;
/** The name for readers of these languages, instead of public_name; null removes them all. */
readonly public_names: {
readonly en?: string;
readonly de?: string;
readonly fr?: string;
readonly es?: string;
readonly pt?: string;
readonly ja?: string;
} | null;
readonly logo: string;
readonly forward_webhooks: boolean;
readonly created_at: string;
readonly updated_at: string;
readonly scopes: readonly (string)[];
readonly kind: "oauth" | "delegated";
/** Null for kind oauth. */
readonly delegation: Delegation | null;
readonly credentials_source: "own" | "test";
readonly publishing_status: "testing" | "production";
readonly audience: "external" | "internal";
readonly mode: "test" | "live";
readonly include_granted_scopes: boolean;
/** Only accounts of this Workspace domain can connect; * = any Workspace domain; null = every account. */
readonly hosted_domain: string | null;
/** Whether the OAuth client is marked for AI agents: no proxy, feeds or file picker, and no REST calls at all. */
readonly agentic: boolean;
/** What the calls of all its connections may take together; null = not limited. */
readonly budget: Budget | null;
/** Google’s quotas of its Cloud project; null = those of new projects (GET /quota shows them). */
readonly quota: OwnQuota | null;
readonly managed_by: ManagedBy | null;
/** Time of a consent which showed that Google treats the app as External and in Testing, whatever publishing_status says: such grants end after seven days. Null if grants do not show this. */
readonly testing_seen_at: string | null;
/** Present while the provider refuses the OAuth client. */
readonly credentials_fault: {
readonly error: string;
readonly since: string;
readonly retry_at: string;
} | null;
readonly health: IntegrationHealth;
/** With include=webhook. */
readonly webhook_url?: null;
/** With include=credentials. */
readonly credentials?: {
readonly type: "OAUTH2";
readonly client_id: string | null;
/** Always empty: client secrets are never shown. */
readonly client_secret: "";
readonly scopes: string | null;
readonly webhook_secret: null;
};
};

export type IntegrationAnswer = {
readonly data: Integration;
};

export type IntegrationCreatedEvent = {
readonly type: "IntegrationCreated";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the integration, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Absent for a new one. */
readonly reason?: "restored";
/** Health of the integration after the event. */
readonly health: "working" | "not_checked_yet" | "refused";
/** Who created it; absent for a restored one: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor?: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type IntegrationCredentialsRejectedEvent = {
readonly type: "IntegrationCredentialsRejected";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the integration, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Google’s own code, such as `invalid_client` or `deleted_client`. */
readonly provider_error: string;
/** What happened and what to do about it, in sentences for people. */
readonly remedy: string;
/** Health of the integration after the event. */
readonly health: "refused";
/** @deprecated gone in 0.4.0: read `provider_error`. */
readonly cause?: string;
};
};

export type IntegrationDeletedEvent = {
readonly type: "IntegrationDeleted";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the integration, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Who deleted it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
};
};

export type IntegrationGrantsFailingEvent = {
readonly type: "IntegrationGrantsFailing";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** The most likely cause of the latest death. */
readonly cause: "user_revoked" | "token_revoked" | "shared_grant_ended" | "password_changed" | "refresh_token_limit" | "account_token_limit" | "time_limited_access_over" | "admin_restricted" | "context_aware_access" | "session_length_over" | "testing_mode_expired" | "unused_six_months" | "account_unavailable" | "account_restricted" | "advanced_protection" | "rotation_lost" | "credentials_changed" | "delegation_pending" | "delegation_missing" | "delegation_incomplete" | "subject_unknown" | "subject_not_allowed" | "unknown";
/** What to do about it, in sentences for people. */
readonly remedy: string;
};
};

export type IntegrationHealth = {
readonly status: "working" | "not_checked_yet" | "refused";
/** Google’s error about the OAuth client. */
readonly reason: string | null;
/** For a refusal: false if it is only likely. */
readonly certain: boolean | null;
readonly since: string | null;
/** Who can fix a refusal: operator if the integration uses the test credentials. */
readonly who: "developer" | "operator" | null;
readonly remedy: string | null;
};

export type IntegrationList = {
readonly data: readonly (Integration)[];
/** Send it as `cursor` for the next page; null at the end. A page ends at 4 MB. */
readonly next_cursor: string | null;
};

export type IntegrationRecoveredEvent = {
readonly type: "IntegrationRecovered";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the integration, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Google’s code while it refused the client. */
readonly provider_error: string;
/** Health of the integration after the event. */
readonly health: "working";
/** @deprecated gone in 0.4.0: read `provider_error`. */
readonly cause?: string;
};
};

export type IntegrationUpdatedEvent = {
readonly type: "IntegrationUpdated";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the integration, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Present for a new id, which is `integration_id`. */
readonly reason?: "renamed";
/** Health of the integration after the event. */
readonly health: "working" | "not_checked_yet" | "refused";
/** Who changed it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `reason`. */
readonly cause?: string;
};
};

export type IntroduceOperatorBody = {
readonly id_token: string;
};

export type Journal = {
readonly data: readonly (JournalRow)[];
/** cursor of the next page. */
readonly next_cursor: string | null;
/** For how many days a write can be undone. */
readonly kept_days: number;
};

export type JournalRow = {
/** Sorts by time. */
readonly id: string;
/** Just before the write was sent. */
readonly time: string;
readonly provider_config_key: string;
readonly connection_id: string;
/** First 12 characters of the secret key’s id; undo for what an undo wrote itself. */
readonly key_id: string;
readonly request_id: string;
/** The provider’s id of the method, or tools/ and the tool of its MCP server; null if the request is none. */
readonly method: string | null;
/** What was written; null if that is not known. */
readonly object: {
/** Such as drive.file or calendar.event. */
readonly kind: string;
/** Ids of its path, outermost first. */
readonly ids: readonly (string)[];
} | null;
/** refused: the provider changed nothing; begun and unknown: its answer was not seen. */
readonly outcome: "begun" | "done" | "refused" | "unknown";
/** Why it cannot be undone: no_inverse, permanent, google_document, owner_change, inherited, write_only, too_large, not_readable, unknown_request, unreadable_body, no_id, outcome_unknown, gone, refused, no_access, no_tool, provider_asks. null: it can be. */
readonly not_undoable: string | null;
readonly undone_at: string | null;
/** Of what an undo wrote: the row that it undid. */
readonly undoes: string | null;
};

export type KeyBudget = {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};

export type KeyLimits = {
/** `observe` lets every call pass and counts those that `enforce` would refuse. */
readonly mode: "observe" | "enforce";
/** Methods, groups such as drive.files.* and sets such as drive:read that may be called. */
readonly allow?: readonly (string)[];
/** The same, that may not be called, whatever is allowed. */
readonly deny?: readonly (string)[];
/** The same, and classes of changes (delete, share, invite, replace, write), whose calls wait until a person approves them. */
readonly approve?: readonly (string)[];
/** Who asks about calls to Google’s MCP servers that approve covers: Google by its own forms, the gateway, or both. Default: gateway. */
readonly approval?: "google" | "gateway" | "both";
/** Ids of the methods that are left, worked out when the limits were set; absent: all. */
readonly methods?: readonly (string)[];
readonly integrations?: readonly (string)[];
readonly connections?: readonly (string)[];
/** Calendars, files and folders that requests may name; everything else is refused. */
readonly resources?: readonly (string)[];
/** Tags that a connection must have, with their values. */
readonly end_users?: { readonly [name: string]: string };
/** Addresses and networks that calls may come from. */
readonly sources?: readonly (string)[];
readonly minute?: KeyBudget;
/** From midnight to midnight, UTC. */
readonly day?: KeyBudget;
/** Every call counts as one in the background, whatever Gateway-Priority says. */
readonly priority?: "background";
readonly expires_at?: string;
/** What its writes change is kept for seven days, so that they can be undone; `required`: a write that could not be undone is refused. */
readonly journal?: boolean | "required";
};

export type KeyLimitStanding = {
/** Member of the key’s limits, such as methods or day.units. */
readonly name: string;
/** The provider’s method that the key may not call. */
readonly method?: string;
/** The parameter, member or header for which nobody can approve the call. */
readonly member?: string;
/** What the key may do, as it was named. */
readonly allowed?: readonly (string)[];
/** What the key may not do, as it was named. */
readonly denied?: readonly (string)[];
/** Of a budget: all of it. */
readonly most?: number;
/** Of a budget: what is left of it. */
readonly left?: number;
/** Of a budget: when all of it is free again. */
readonly resets_at?: string;
};

export type LastHour = {
readonly data: {
readonly minutes: readonly (MinuteOfCalls)[];
/** Calls that ended before are counted; null before the first minute is. */
readonly counted_until: string | null;
readonly verdict: "no_calls" | "healthy" | "provider" | "quota" | "gateway" | "callers" | "mixed";
/** The verdict in a sentence. */
readonly text: string;
/** What the verdict rests on, in sentences. */
readonly evidence: readonly (string)[];
};
};

export type LikelyCause = {
readonly cause: string;
readonly likelihood: number;
/** Who can fix it. */
readonly who: "end_user" | "developer" | "workspace_admin";
readonly explanation: string;
readonly remedy: string;
};

export type LimitMethod = {
/** The provider’s id of the method; #media: where it answers with bytes. */
readonly id: string;
/** The set that it belongs to, such as drive:read. */
readonly set: string;
readonly meaning: string;
readonly provider: string;
};

export type LimitMethodList = {
readonly data: readonly (LimitMethod)[];
};

export type ManagedBy = {
readonly stack: string;
readonly stack_id: string;
readonly resources: readonly (string)[];
};

export type MetadataEcho = {
readonly connection_id: string | readonly (string)[];
readonly provider_config_key: string;
readonly metadata: { readonly [name: string]: unknown };
};

export type MinuteOfCalls = {
/** When the minute began. */
readonly time: string;
readonly calls: number;
/** Answered with less than 400 and sent whole, or waiting for approval; an approved call is counted again when it is made. */
readonly ok: number;
/** Google answered 5xx. */
readonly provider_failed: number;
/** Google answered 429. */
readonly rate_limited: number;
/** The gateway answered 5xx itself. */
readonly gateway_failed: number;
/** Google or the gateway answered with another 4xx. */
readonly refused: number;
/** The answer was cut off. */
readonly broken_off: number;
};

export type MoveFeedCursorBody = {
readonly sequence: number;
};

export type NotUndoable = {
/** Sorts by time. */
readonly id: string;
/** Just before the write was sent. */
readonly time: string;
readonly provider_config_key: string;
readonly connection_id: string;
/** First 12 characters of the secret key’s id; undo for what an undo wrote itself. */
readonly key_id: string;
readonly request_id: string;
/** The provider’s id of the method, or tools/ and the tool of its MCP server; null if the request is none. */
readonly method: string | null;
/** What was written; null if that is not known. */
readonly object: {
/** Such as drive.file or calendar.event. */
readonly kind: string;
/** Ids of its path, outermost first. */
readonly ids: readonly (string)[];
} | null;
/** Only with dry_run and write_id: what the write changed, by member; values that are no texts as JSON, long ones cut. null: the journal does not know it. */
readonly changes?: readonly ({
readonly member: string;
/** null: it was not there. */
readonly before: string | null;
readonly after: string | null;
})[] | null;
/** Why it cannot be undone: no_inverse, permanent, google_document, owner_change, inherited, write_only, too_large, not_readable, unknown_request, unreadable_body, no_id, outcome_unknown, gone, refused, no_access, no_tool, provider_asks. */
readonly reason: string;
};

export type ObservedCalls = {
readonly data: {
/** Midnight, UTC, seven days ago with today. */
readonly since: string;
/** Calls that ended before are counted; null = none is yet. */
readonly counted_until: string | null;
/** Proxied calls of the key since then. */
readonly calls: number;
/** Those among them that enforced limits would have refused. */
readonly would_refuse: number;
readonly rows: readonly ({
/** Such as methods, connections or day.units. */
readonly limit: string;
/** The provider’s id of the method; null: the request is none that limits can name. */
readonly method: string | null;
readonly calls: number;
readonly last_at: string;
})[];
};
};

export type Overview = {
readonly data: {
readonly read_at: string;
/** When all connections were last counted: one or two minutes after a change in a small account, up to a quarter of an hour in a large one. statuses and causes include later changes; failing, refused_by_provider and ends are from this count. Null before the first count. */
readonly counted_at: string | null;
readonly integrations: number;
readonly statuses: {
readonly active: number;
readonly reauthorization_required: number;
/** Active connections whose calls Google refuses. */
readonly failing: number;
/** Active connections whose tokens Google does not renew. */
readonly refused_by_provider: number;
};
/** Every connection in one of them: dead or client_refused as of now, failing and refused_by_provider as of the last count; all others work. */
readonly health: {
/** Their calls work, as far as is known. */
readonly working: number;
/** Google refuses their calls. */
readonly failing: number;
/** Google does not renew their tokens. */
readonly refused_by_provider: number;
/** Google refuses the OAuth client of their integration. */
readonly client_refused: number;
/** They need a new authorization. */
readonly dead: number;
};
/** The same for each integration. */
readonly by_integration: readonly ({
readonly unique_key: string;
readonly display_name: string;
readonly working: number;
/** Google refuses their calls. */
readonly failing: number;
/** Google does not renew their tokens. */
readonly refused_by_provider: number;
/** Google refuses the OAuth client of their integration. */
readonly client_refused: number;
/** They need a new authorization. */
readonly dead: number;
/** What became of its connections in the last seven days, today included. */
readonly week: {
readonly created: number;
readonly deleted: number;
readonly died: number;
readonly mended: number;
};
})[];
/** Everything that needs somebody: what does not work first, then the newest first. Incidents are from the last count. Webhooks, keys and quotas are there for callers that may change the whole account; of more than 500 feeds, the newest are looked at. */
readonly attention: readonly (Attention)[];
/** Causes of dead connections, most frequent first. */
readonly causes: readonly ({
readonly cause: string;
readonly count: number;
})[];
/** Connections at the end of each of the last 14 days, starting with the first day on which changes were counted. */
readonly status_by_day: readonly ({
/** A day in UTC. */
readonly day: string;
readonly active: number;
readonly reauthorization_required: number;
})[];
/** Changes of connections on the same days. */
readonly changes_by_day: readonly ({
/** A day in UTC. */
readonly day: string;
readonly created: number;
readonly deleted: number;
/** Connections that came to need a new authorization. */
readonly died: number;
/** Most frequent first. */
readonly died_by_cause: readonly ({
readonly cause: string;
readonly count: number;
})[];
/** Connections that were authorized again. */
readonly mended: number;
/** Refresh attempts by result. */
readonly refreshes: {
readonly renewed: number;
/** The grant was found dead. */
readonly refused: number;
readonly client_refused: number;
/** Tried again later. */
readonly failed: number;
};
})[];
/** Number of connections known to end within 7 days. */
readonly ending_total: number;
readonly ending_by_day: readonly ({
/** A day in UTC. */
readonly day: string;
readonly count: number;
})[];
/** The first 20 of them to end. */
readonly ending: readonly ({
readonly connection_id: string;
readonly provider_config_key: string;
readonly end_user: {
readonly id: string;
readonly email: string | null;
} | null;
readonly ends_at: string;
readonly reason: "testing_mode" | "time_limited_access";
})[];
/** Integrations whose OAuth client the provider refuses. */
readonly rejected_integrations: readonly ({
readonly unique_key: string;
readonly display_name: string;
readonly error: string;
readonly since: string;
})[];
/** Provider accounts near the limit of refresh tokens, each by its newest connection. */
readonly crowded_accounts: readonly ({
readonly connection_id: string;
readonly provider_config_key: string;
readonly email: string | null;
readonly live: number;
readonly limit: number;
})[];
};
};

export type OwnQuota = {
/** Cloud projects from before May 2026 may count requests of Drive. If omitted: units. */
readonly counted_in?: "units" | "requests";
/** Units or requests a minute of the project. */
readonly per_minute?: number;
/** Units or requests a minute of one of its users. */
readonly per_minute_and_user?: number;
/** Units or requests a day: the threshold that QuotaReached and dayLimit count against; null = none. */
readonly per_day?: number | null;
/** The same for bytes of answers; null = none. */
readonly bytes_out_per_day?: number | null;
/** As the Cloud console shows it; internal = the internal-use exception. If omitted: standard. */
readonly tier?: "standard" | "internal" | "scaled";
/** Of a project in the tier scaled. */
readonly billing_account?: string;
/** First day (UTC) on which the Standard tier counts instead, where it is lower. If omitted: 2027-04-01 for higher limits in the tier standard; otherwise never. */
readonly until?: string;
/** Requests a day (Pacific Time) to Google’s MCP server of this API. If omitted: 5000. */
readonly tool_requests_per_day?: number;
/** Agent keys that share one half of them evenly. If omitted: 20. */
readonly tool_keys?: number;
};

export type PendingRevocations = {
readonly data: {
/** Number of grants that the provider has not revoked yet. */
readonly pending: number;
/** false if there are more than were counted. */
readonly complete: boolean;
readonly oldest: readonly ({
readonly provider_config_key: string;
readonly connection_id: string;
readonly requested_at: string;
readonly retry_at: string;
readonly failed_attempts: number;
})[];
};
};

export type Problem = {
readonly path: string;
readonly message: string;
};

export type ProjectQuota = {
readonly provider: string;
/** Number of the Google Cloud project of the OAuth client. */
readonly cloud_project: string;
/** Integrations that use this project now. */
readonly integrations: readonly (string)[];
/** Older Cloud projects count requests of Drive: all units here are requests then. */
readonly counted_in: "units" | "requests";
/** Units of Google’s quota; for Calendar a call is one. */
readonly units: {
readonly used: number;
/** The daily threshold; null where none is set. */
readonly limit: number | null;
/** Of the limit; 1 is all of it. */
readonly share: number | null;
/** What will have been used when the day ends. */
readonly forecast: number;
/** Of the limit; 1 is all of it. */
readonly forecast_share: number | null;
};
/** Bytes of answers. */
readonly bytes_out: {
readonly used: number;
/** The daily threshold; null where none is set. */
readonly limit: number | null;
/** Of the limit; 1 is all of it. */
readonly share: number | null;
/** What will have been used when the day ends. */
readonly forecast: number;
/** Of the limit; 1 is all of it. */
readonly forecast_share: number | null;
};
/** Calls, a batch counted once. */
readonly calls: {
readonly used: number;
readonly forecast: number;
};
/** Calls with a 2xx answer. */
readonly answered: {
readonly used: number;
readonly forecast: number;
};
readonly tier: "standard" | "internal" | "scaled";
/** When the limits in quota end or ended. */
readonly limits_end: string | null;
/** Units of today that feeds and checks took, among the others. */
readonly background_units: number;
/** Of the last hour; null if nothing was called. */
readonly busiest_minute: {
readonly at: string;
readonly units: number;
readonly limit: number | null;
/** Of the limit; 1 is all of it. */
readonly share: number | null;
} | null;
/** Google’s quota of one user in a minute. */
readonly units_per_minute_and_user: number | null;
/** Shares of the day that QuotaReached has reported, in order of time. */
readonly reached: readonly ({
readonly of: "units" | "bytes_out";
readonly percent: number;
readonly at: string;
})[];
};

export type Provider = {
readonly name: "google-drive" | "google-calendar";
readonly display_name: string;
readonly auth_mode: "OAUTH2";
readonly logo_url: string;
readonly docs: string;
readonly categories: readonly (string)[];
readonly default_scopes: readonly (string)[];
readonly recommended_scopes: readonly (string)[];
readonly has_picker: boolean;
readonly scopes: readonly (Scope)[];
readonly server: {
readonly id: string;
readonly display_name: string;
/** Whether the provider reviews apps and ends the grants of unpublished apps. */
readonly has_testing_mode: boolean;
};
readonly console: {
/** Where OAuth clients are created. */
readonly clients_url: string;
/** Where the API is enabled, if necessary. */
readonly enable_api_url: string | null;
/** Where the provider’s MCP server is enabled, which agentic integrations need; null = it has none. */
readonly enable_tool_server_url: string | null;
};
/** Path and query of a first call. */
readonly first_call: string;
readonly sample_calls: readonly ({
readonly label: string;
readonly target: string;
})[];
};

export type ProviderAnswer = {
readonly data: Provider;
};

export type ProviderList = {
readonly data: readonly (Provider)[];
};

export type Quota = {
readonly data: {
/** Calls that ended before are counted; null before the first minute is counted. */
readonly counted_until: string | null;
/** Google’s day: it begins at midnight Pacific Time. */
readonly day: string;
/** When Google’s next day begins. */
readonly resets_at: string;
/** By API and Cloud project, the fullest first. */
readonly projects: readonly (ProjectQuota)[];
/** Projects in the tier scaled by billing account; null for a key that is limited to some integrations. */
readonly billing: readonly ({
readonly provider: string;
readonly billing_account: string | null;
readonly cloud_projects: readonly (string)[];
readonly answered: {
readonly used: number;
readonly forecast: number;
};
/** A day; null = not known. */
readonly allowance: number | null;
/** Null = not known. */
readonly above_allowance: {
readonly used: number;
readonly forecast: number;
} | null;
/** Null = not known; no price is estimated. */
readonly usd: {
readonly used: number;
readonly forecast: number;
} | null;
readonly charged_from: string;
readonly prices_read_on: string;
})[] | null;
/** Requests to Google’s MCP servers. */
readonly tools: readonly ({
readonly provider: string;
readonly cloud_project: string;
readonly integrations: readonly (string)[];
/** Requests of all keys today. */
readonly used: number;
readonly limit: number;
/** Of the limit; 1 is all of it. */
readonly share: number;
/** Keys that share one half. */
readonly keys: number;
/** What each may always use. */
readonly per_key: number;
/** First come, first served. */
readonly common: {
readonly used: number;
readonly limit: number;
};
})[];
/** What proxied calls took today by integration, most first. */
readonly integrations: readonly ({
readonly provider_config_key: string;
readonly units: number;
readonly bytes_out: number;
})[];
/** The same by secret key, by the first 12 characters of its id; null for a key that is limited to some integrations. */
readonly keys: readonly ({
readonly key_id: string;
readonly units: number;
readonly bytes_out: number;
})[] | null;
};
};

export type QuotaReachedEvent = {
readonly type: "QuotaReached";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** The provider, such as `google-drive`. */
readonly provider: string;
/** Number of the Google Cloud project. */
readonly cloud_project: string;
/** What Google counts. */
readonly quota: "units" | "bytes_out";
/** Share that is used, in percent. */
readonly percent: "50" | "80" | "100";
/** Amount used when the event was sent. */
readonly used: string;
/** The daily threshold: `quota` of the integration, or that of new projects. */
readonly most: string;
/** What happens to calls once all of it is used. */
readonly when_spent: "warn" | "stop";
/** Google’s day, which begins at midnight Pacific Time. */
readonly day: string;
/** When the next one begins. */
readonly resets_at: string;
};
};

export type Readiness = {
readonly data: {
readonly ready: boolean;
readonly publishing_status: "testing" | "production";
readonly audience: "external" | "internal";
/** Register it at Google for the OAuth client. */
readonly redirect_uri: string;
/** Register it only if a library in your front end needs it: the gateway does not. */
readonly javascript_origin: string;
/** Restrictions of the gateway’s address. With your own domain: what requires it to be verified for the OAuth client’s Cloud project, which only Google’s console shows. */
readonly domain: {
readonly host: string;
/** False for an address of AWS or of this computer. */
readonly own: boolean;
readonly losses: readonly ({
readonly capability: "app_verification" | "push_messages" | "security_events" | "connect_page";
readonly needs: "own_domain" | "verified_domain";
readonly what: string;
})[];
};
/** Whether Google’s security events of the OAuth client’s Cloud project reach the gateway: recommended, not required. Null without an own client, for providers that send none, and in a deployment without them. */
readonly security_events: {
readonly cloud_project: string;
readonly state: "not_registered" | "not_verified" | "verified";
readonly verified_at: string | null;
readonly last_event_at: string | null;
/** Where they stand, and what is missing. */
readonly what: string;
} | null;
readonly strictest_class: "non-sensitive" | "sensitive" | "restricted";
readonly scopes: readonly ({
readonly scope: string;
readonly review_class: "non-sensitive" | "sensitive" | "restricted";
/** What it allows, in words for end users. */
readonly meaning: string;
/** The steps below that this scope requires. */
readonly reviews: readonly ("app_verification" | "security_assessment")[];
})[];
readonly steps: readonly ({
readonly id: string;
readonly needed: boolean;
/** Null if only Google’s console shows it. */
readonly done: boolean | null;
readonly what: string;
})[];
/** Scopes to request instead that need fewer reviews. */
readonly alternatives: readonly ({
readonly instead_of: readonly (string)[];
readonly scope: string;
readonly what: string;
})[];
readonly risks: readonly (string)[];
/** Null for an integration that is not agentic. */
readonly agents: {
/** What worked in this integration, with its time. */
readonly seen: readonly (string)[];
/** What nobody has tried yet. */
readonly untried: readonly (string)[];
} | null;
};
};

export type ReconnectLinks = {
/** The batch’s id. */
readonly id: string;
readonly created_at: string;
/** A key or an operator. */
readonly created_by: string;
/** The key’s name or the operator’s e-mail address; null if unknown, and for keys that are limited to some integrations. */
readonly created_by_name: string | null;
readonly expires_at: string;
readonly revoked_at: string | null;
readonly links: readonly ({
readonly provider_config_key: string;
readonly connection_id: string;
/** Name, e-mail address or id of the end user, or the connection’s id where nothing else is known, or any longer. */
readonly connection_name: string;
readonly end_user: {
readonly id: string;
readonly display_name: string | null;
readonly email: string | null;
} | null;
/** came_back: the user has given new consent since the link was created, through the link or in another way. */
readonly state: "waiting" | "came_back" | "expired" | "revoked" | "deleted";
readonly came_back_at: string | null;
})[];
};

export type RefreshRefusal = {
/** Google’s error code, or the kind of its answer, such as http_403. */
readonly provider_error: string;
readonly what_happened: string;
readonly remedy: string;
readonly since: string;
};

export type RefreshTokenLimitNearEvent = {
readonly type: "RefreshTokenLimitNear";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** Number of this event among those that changed the connection, counting up by one. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the integration (`provider_config_key` in the API). */
readonly integration_id: string;
/** Id of the connection. */
readonly connection_id: string;
/** Your id of the end user, if the connection has one. */
readonly end_user_id?: string;
/** Refresh tokens of the account that may be live. */
readonly live_tokens: string;
/** Google’s limit. */
readonly token_limit: string;
/** What to do about it, in sentences for people. */
readonly remedy: string;
/** Health of the connection after the event. */
readonly health: "active" | "not_used_yet" | "failing" | "ends_soon" | "refused_by_provider" | "client_refused" | "dead";
/** @deprecated gone in 0.4.0: read `live_tokens` and `token_limit`. */
readonly cause?: string;
};
};

export type RegisteredRole = {
readonly data: SecretKey;
};

export type RegisterRoleBody = {
readonly name: string;
readonly right: "proxy" | "read" | "full";
readonly integration_ids?: readonly (string)[];
readonly can_read_credentials?: boolean;
readonly limits?: {
readonly mode: "observe" | "enforce";
readonly allow?: readonly (string)[];
readonly deny?: readonly (string)[];
readonly approve?: readonly (string)[];
readonly approval?: "google" | "gateway" | "both";
readonly integrations?: readonly (string)[];
readonly connections?: readonly (string)[];
readonly resources?: readonly (string)[];
readonly end_users?: { readonly [name: string]: string };
readonly sources?: readonly (string)[];
readonly minute?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly day?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly priority?: "background";
readonly expires_at?: string;
readonly journal?: boolean | "required";
};
readonly role_arn: string;
readonly role_id?: string;
};

export type RegisterSecurityEventsBody = {
/** Text that the next verification from Google must contain. */
readonly verification?: string | null;
};

export type Scope = {
readonly scope: string;
readonly review_class: "non-sensitive" | "sensitive" | "restricted";
/** What it allows, in words for end users. */
readonly meaning: string;
};

export type SearchAnswer = {
readonly data: {
readonly connections: readonly (ConnectionListItem)[];
/** Number of connections. */
readonly total: number;
/** False if there are more than were counted. */
readonly total_is_complete: boolean;
readonly integrations: readonly ({
readonly unique_key: string;
readonly display_name: string;
readonly provider: "google-drive" | "google-calendar";
})[];
readonly keys: readonly ({
readonly id: string;
readonly name: string;
readonly right: "proxy" | "read" | "full";
readonly revoked_at: string | null;
})[];
};
};

export type SecretKey = {
/** SHA-256 of the key, hex; of a role, of its ARN without the path. */
readonly id: string;
readonly name: string;
readonly right: "proxy" | "read" | "full";
/** Integrations to which the key is limited; null = all. */
readonly integration_ids: readonly (string)[] | null;
readonly can_read_credentials: boolean;
readonly created_at: string;
/** Who created it: key:<start of the id>, iam:<AWS account>:<role>, operator:<id at the issuer>, stack:<name>, or gateway for the first key; null = unknown. */
readonly created_by: string | null;
/** The key’s or role’s name or the operator’s e-mail address; null if unknown. */
readonly created_by_name: string | null;
/** A proxied call shows within five minutes, any other within ten. */
readonly last_used_at: string | null;
readonly revoked_at: string | null;
/** The last characters of the key; null on keys created before these were stored. */
readonly hint: string | null;
readonly is_this_key: boolean;
/** What its proxied calls are limited to; null = nothing. */
readonly limits: KeyLimits | null;
/** The IAM role that calls below /iam, which has no key; null = a secret key. */
readonly role_arn: string | null;
/** Unique id that the role must have; null = any. */
readonly role_id: string | null;
readonly managed_by: ManagedBy | null;
/** Of an assistant’s key, which works only at /mcp; null = another key. */
readonly agent: AgentBinding | null;
};

export type SecretKeyCreatedEvent = {
readonly type: "SecretKeyCreated";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`; `1` for the first key of a deployment. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** First 12 characters of the key’s `id` in `GET /account/keys`. */
readonly key_id: string;
/** Absent for a new one. */
readonly reason?: "restored";
/** Who created it; absent for the first key and for a restored one: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor?: string;
/** @deprecated gone in 0.4.0: read `key_id`, which stands behind `key:` here. */
readonly cause?: string;
};
};

export type SecretKeyLimitsChangedEvent = {
readonly type: "SecretKeyLimitsChanged";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** First 12 characters of the key’s `id` in `GET /account/keys`. */
readonly key_id: string;
/** Who changed them: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor?: string;
/** @deprecated gone in 0.4.0: read `key_id`, which stands behind `key:` here. */
readonly cause?: string;
};
};

export type SecretKeyList = {
readonly data: readonly (SecretKey)[];
/** Send it as `cursor` for the next page; null at the end. A page ends at 4 MB. */
readonly next_cursor: string | null;
};

export type SecretKeyRevokedEvent = {
readonly type: "SecretKeyRevoked";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** First 12 characters of the key’s `id` in `GET /account/keys`. */
readonly key_id: string;
/** Who revoked it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor?: string;
/** @deprecated gone in 0.4.0: read `key_id`, which stands behind `key:` here. */
readonly cause?: string;
};
};

export type SecurityEventProject = {
/** The number with which the ids of its OAuth clients begin. */
readonly cloud_project: string;
/** Integrations of the account with clients of this project. */
readonly integrations: readonly (string)[];
/** not_registered: the gateway refuses security events of this project. not_verified: it accepts them, but has not heard from Google since the last verification was asked for. */
readonly state: "not_registered" | "not_verified" | "verified";
readonly registered_at: string | null;
/** When the answer to the last verification came. */
readonly verified_at: string | null;
/** When a security event last came, to the minute; a verification is one. */
readonly last_event_at: string | null;
};

export type SecurityEventProjectAnswer = {
readonly data: SecurityEventProject;
};

export type SecurityEvents = {
readonly data: {
/** Delivery URL to register at Google. */
readonly receiver_url: string;
/** Event types to register at Google. */
readonly event_types: readonly (string)[];
readonly projects: readonly (SecurityEventProject)[];
};
};

export type SecurityEventsRegisteredEvent = {
readonly type: "SecurityEventsRegistered";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Number of the Google Cloud project. */
readonly cloud_project: string;
/** Who registered them: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
};
};

export type SecurityEventsRemovedEvent = {
readonly type: "SecurityEventsRemoved";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Number of the Google Cloud project. */
readonly cloud_project: string;
/** Who turned them off: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
};
};

export type ServerToolsAcceptedEvent = {
readonly type: "ServerToolsAccepted";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** The provider, such as `google-calendar`. */
readonly provider: string;
/** Names of the tools, separated by commas. */
readonly tools: string;
/** Who accepted them: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
};
};

export type ServerToolsChangedEvent = {
readonly type: "ServerToolsChanged";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** The provider, such as `google-calendar`. */
readonly provider: string;
/** Names of the tools, separated by commas. */
readonly tools: string;
};
};

export type ServiceAccountKeyFile = {
readonly private_key_id: string;
readonly private_key: string;
};

export type SetMetadataBody = {
readonly connection_id: string | readonly (string)[];
/** use 1 to 255 letters, digits, spaces or ~ : . @ _ - */
readonly provider_config_key: string;
readonly metadata: { readonly [name: string]: unknown };
};

export type SetTestCredentialsBody = {
readonly client_id: string;
readonly client_secret: string;
};

export type ShownApproval = {
readonly id: string;
readonly status: "pending" | "approved" | "refused" | "expired" | "running" | "done" | "failed" | "stale" | "unknown";
/** Google’s id of the method. */
readonly method: string;
readonly provider_config_key: string;
readonly connection_id: string;
/** The key that called: the first 12 characters of its id. */
readonly key_id: string;
readonly key_name: string;
readonly requested_at: string;
readonly expires_at: string;
readonly decided_at: string | null;
readonly decided_by: string | null;
readonly ended_at: string | null;
/** What the call is about; null where it names none. */
readonly object: ApprovalObject | null;
/** Google’s status, or why nothing was sent. */
readonly outcome: string | null;
/** For operators and keys with the right full: while it waits, and once somebody has decided. */
readonly about: AboutApproval | null;
/** For the key that called, once it has ended. */
readonly result: ApprovalResult | null;
};

export type StartedAuthorization = {
readonly data: {
readonly authorization_url: string;
readonly provider_config_key: string;
};
};

export type Success = {
/** Always true. */
readonly success: boolean;
};

export type TestCredentials = {
readonly data: {
readonly provider: "google-drive" | "google-calendar";
readonly configured: boolean;
readonly client_id: string | null;
};
};

export type TestCredentialsChangedEvent = {
readonly type: "TestCredentialsChanged";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** The provider, such as `google-drive`. */
readonly provider: string;
/** Who set it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `provider`. */
readonly cause?: string;
};
};

export type TestCredentialsRemovedEvent = {
readonly type: "TestCredentialsRemoved";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** The provider, such as `google-drive`. */
readonly provider: string;
/** Who removed it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `provider`. */
readonly cause?: string;
};
};

export type TriedCall = {
readonly data: {
/** The provider’s status. */
readonly status: number;
readonly headers: { readonly [name: string]: string };
readonly content_type: string | null;
/** The provider’s body as text. */
readonly body: string;
readonly truncated: boolean;
readonly duration_ms: number;
};
};

export type TryConnectionBody = {
readonly path: string;
};

export type UndoChangesBody = {
/** Id of a secret key, or its first 12 characters: its writes on every connection. */
readonly key_id?: string;
/** use 1 to 255 letters, digits, spaces or ~ : . @ _ - */
readonly provider_config_key?: string;
/** use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ - */
readonly connection_id?: string;
/** The first writes to undo. */
readonly since?: string;
/** Only this write, instead of since and until. */
readonly write_id?: string;
/** Only writes before this time; absent: all until now. */
readonly until?: string;
/** Look and compare, and change nothing. */
readonly dry_run?: boolean;
/** `next_cursor` of the previous response, with the same other members. */
readonly cursor?: string;
};

export type UndoConflict = {
/** Sorts by time. */
readonly id: string;
/** Just before the write was sent. */
readonly time: string;
readonly provider_config_key: string;
readonly connection_id: string;
/** First 12 characters of the secret key’s id; undo for what an undo wrote itself. */
readonly key_id: string;
readonly request_id: string;
/** The provider’s id of the method, or tools/ and the tool of its MCP server; null if the request is none. */
readonly method: string | null;
/** What was written; null if that is not known. */
readonly object: {
/** Such as drive.file or calendar.event. */
readonly kind: string;
/** Ids of its path, outermost first. */
readonly ids: readonly (string)[];
} | null;
/** Only with dry_run and write_id: what the write changed, by member; values that are no texts as JSON, long ones cut. null: the journal does not know it. */
readonly changes?: readonly ({
readonly member: string;
/** null: it was not there. */
readonly before: string | null;
readonly after: string | null;
})[] | null;
readonly now: {
readonly exists: boolean;
/** The provider’s version or etag of it. */
readonly version: string | null;
/** Members that are otherwise than the write left them; empty if only the version is. */
readonly differs: readonly (string)[];
};
};

export type UndoneWrite = {
/** Sorts by time. */
readonly id: string;
/** Just before the write was sent. */
readonly time: string;
readonly provider_config_key: string;
readonly connection_id: string;
/** First 12 characters of the secret key’s id; undo for what an undo wrote itself. */
readonly key_id: string;
readonly request_id: string;
/** The provider’s id of the method, or tools/ and the tool of its MCP server; null if the request is none. */
readonly method: string | null;
/** What was written; null if that is not known. */
readonly object: {
/** Such as drive.file or calendar.event. */
readonly kind: string;
/** Ids of its path, outermost first. */
readonly ids: readonly (string)[];
} | null;
/** Only with dry_run and write_id: what the write changed, by member; values that are no texts as JSON, long ones cut. null: the journal does not know it. */
readonly changes?: readonly ({
readonly member: string;
/** null: it was not there. */
readonly before: string | null;
readonly after: string | null;
})[] | null;
};

export type UndoReport = {
/** Newest first; of a dry run what would be undone. */
readonly undone: readonly (UndoneWrite)[];
/** Writes on objects that somebody else has changed since. These were left alone. */
readonly conflicts: readonly (UndoConflict)[];
readonly not_undoable: readonly (NotUndoable)[];
/** Send it as cursor to continue; null: the range is done. */
readonly next_cursor: string | null;
};

export type UpdateConnectionBody = {
readonly end_user?: {
readonly id: string;
readonly email?: string | null;
readonly display_name?: string | null;
readonly tags?: { readonly [name: string]: string } | null;
};
readonly organization?: {
readonly id: string;
readonly display_name?: string | null;
} | null;
readonly tags?: { readonly [name: string]: string };
readonly budget?: {
readonly minute?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly day?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly when_spent?: "warn" | "stop";
} | null;
readonly webhook_url_override?: string | null;
};

export type UpdateFeedBody = {
readonly delivery?: "bus" | "pull";
readonly safety_interval_sec?: number;
readonly poll_interval_sec?: number;
readonly meaning?: boolean;
readonly seen?: boolean;
readonly reminders?: readonly (number)[];
};

export type UpdateIntegrationBody = {
/** use 1 to 255 letters, digits, spaces or ~ : . @ _ - */
readonly unique_key?: string;
readonly display_name?: string;
readonly public_name?: string | null;
readonly public_names?: {
readonly en?: string;
readonly de?: string;
readonly fr?: string;
readonly es?: string;
readonly pt?: string;
readonly ja?: string;
} | null;
readonly scopes?: readonly (string)[];
readonly publishing_status?: "testing" | "production";
readonly audience?: "external" | "internal";
readonly mode?: "test" | "live";
readonly include_granted_scopes?: boolean;
readonly hosted_domain?: string | null;
readonly budget?: {
readonly minute?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly day?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly when_spent?: "warn" | "stop";
} | null;
readonly quota?: {
readonly counted_in?: "units" | "requests";
readonly per_minute?: number;
readonly per_minute_and_user?: number;
readonly per_day?: number | null;
readonly bytes_out_per_day?: number | null;
readonly tier?: "standard" | "internal" | "scaled";
readonly billing_account?: string;
readonly until?: string;
readonly tool_requests_per_day?: number;
readonly tool_keys?: number;
} | null;
readonly delegation?: {
readonly via?: "aws" | "key";
readonly audience?: string;
readonly key?: string | ServiceAccountKeyFile;
readonly subjects?: {
readonly domains?: readonly (string)[];
readonly addresses?: readonly (string)[];
readonly exceptions?: readonly (string)[];
};
readonly allow_domain_admin_access?: boolean;
readonly new_subjects_per_hour?: number;
};
/** Fixed when the integration is created; only the present value is accepted. */
readonly agentic?: boolean;
readonly credentials?: {
readonly type: "OAUTH2";
readonly client_id?: string;
readonly client_secret?: string;
readonly scopes?: string | null;
readonly webhook_secret?: null;
};
readonly credentials_source?: "own" | "test";
readonly forward_webhooks?: boolean;
readonly integration_config?: { readonly [name: string]: unknown } | null;
readonly custom?: { readonly [name: string]: unknown } | null;
};

export type UpdateMetadataBody = {
readonly connection_id: string | readonly (string)[];
/** use 1 to 255 letters, digits, spaces or ~ : . @ _ - */
readonly provider_config_key: string;
readonly metadata: { readonly [name: string]: unknown };
};

export type UpdateSecretKeyBody = {
readonly limits: {
readonly mode: "observe" | "enforce";
readonly allow?: readonly (string)[];
readonly deny?: readonly (string)[];
readonly approve?: readonly (string)[];
readonly approval?: "google" | "gateway" | "both";
readonly integrations?: readonly (string)[];
readonly connections?: readonly (string)[];
readonly resources?: readonly (string)[];
readonly end_users?: { readonly [name: string]: string };
readonly sources?: readonly (string)[];
readonly minute?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly day?: {
readonly calls?: number;
readonly units?: number;
readonly bytes?: number;
};
readonly priority?: "background";
readonly expires_at?: string;
readonly journal?: boolean | "required";
} | null;
};

export type UpdateWebhookBody = {
/** https on port 443, with a public host. */
readonly url?: string;
readonly description?: string | null;
readonly types?: readonly ("ConnectionCreated" | "ConnectionReauthorized" | "ConnectionScopesChanged" | "ConnectionExpiring" | "ConnectionReauthorizationRequired" | "ConnectionCauseProven" | "ConnectionRecovered" | "ConnectionRefreshRefused" | "ConnectionRefreshRecovered" | "ConnectionDeleted" | "ConnectionUpdated" | "ConnectionRestored" | "IntegrationCredentialsRejected" | "IntegrationRecovered" | "IntegrationGrantsFailing" | "DelegationGranted" | "DelegationLost" | "RefreshTokenLimitNear" | "IntegrationCreated" | "IntegrationUpdated" | "IntegrationDeleted" | "SecretKeyCreated" | "SecretKeyRevoked" | "SecretKeyLimitsChanged" | "ApprovalRequested" | "ApprovalLinkCreated" | "ApprovalDecided" | "ApprovalEnded" | "FeedCreated" | "FeedUpdated" | "FeedDeleted" | "FeedChanged" | "FeedPaused" | "FeedResumed" | "FeedFailing" | "SecurityEventsRegistered" | "SecurityEventsRemoved" | "ConnectionSecurityEvent" | "ChangesUndone" | "WebhookCreated" | "WebhookUpdated" | "WebhookDeleted" | "WebhookSecretRotated" | "WebhookEnabled" | "WebhookDisabled" | "BudgetReached" | "QuotaReached" | "HigherLimitsEnding" | "ServerToolsChanged" | "ServerToolsAccepted" | "TestCredentialsChanged" | "TestCredentialsRemoved" | "ConnectSessionCreated" | "ConnectSessionDeleted" | "AuthorizationStarted" | "AuthorizationFailed" | "ConnectionConfirmationPending" | "ConnectionNotConfirmed" | "FilesPicked" | "ConnectionCredentialsRead" | "ConnectionTried" | "ConnectionGrantRevoked" | "Heartbeat")[] | null;
readonly integrations?: readonly (string)[] | null;
readonly status?: "disabled";
};

export type Usage = {
readonly data: {
readonly from: string;
readonly to: string;
readonly rows: readonly (UsageRow)[];
/** Calls that ended before are in the rows; null before the first minute is counted. */
readonly counted_until: string | null;
/** Calls of these days, of any caller, that AWS invoked the proxy for and that left no line to be counted by, compared hour by hour. */
readonly missing_calls: number;
/** Times of these days whose calls could not be counted before the log of the proxy forgot them. */
readonly incomplete: readonly ({
readonly from: string;
readonly to: string;
})[];
};
};

export type UsageRow = {
/** UTC. */
readonly day: string;
readonly provider_config_key: string | null;
readonly connection_id: string | null;
/** First 12 characters of the secret key’s id. */
readonly key_id: string | null;
readonly calls: number;
/** Answered with less than 400 and sent whole, or waiting for approval; an approved call is counted again when it is made. */
readonly ok: number;
/** Google answered 4xx, other than 429. */
readonly provider_refused: number;
/** Google answered 5xx. */
readonly provider_failed: number;
/** Google answered 429. */
readonly rate_limited: number;
/** The gateway answered the call itself. */
readonly gateway_refused: number;
/** Those of them that it answered with 5xx. */
readonly gateway_failed: number;
/** The answer was cut off. */
readonly broken_off: number;
readonly bytes_in: number;
readonly bytes_out: number;
readonly mean_ms: number;
/** Calls that waited for a new access token. */
readonly refreshed: number;
/** Units that the calls took of Google’s quotas, as Google prices its methods; a method that is not known counts as the dearest. */
readonly units: number;
};

export type WaitingApproval = {
readonly approval_id: string;
/** Page where a person decides. */
readonly url: string;
/** When it has waited for too long. */
readonly expires_at: string;
};

export type Webhook = {
readonly id: string;
readonly url: string;
readonly description: string | null;
/** Event types that it receives; null = all. */
readonly types: readonly (string)[] | null;
/** Integrations whose events it receives; null = all, and the account’s own events. */
readonly integrations: readonly (string)[] | null;
readonly status: "unproven" | "enabled" | "disabled";
/** gone: it answered 410. failing: it failed for five days. requested: it was disabled by request. */
readonly disabled_because: "gone" | "failing" | "requested" | null;
readonly disabled_at: string | null;
readonly enabled_at: string | null;
readonly last_success_at: string | null;
readonly failures_in_a_row: number;
/** Nothing is sent until then, because it failed several times in a row. */
readonly resting_until: string | null;
/** Until then, messages are also signed with the previous secret. */
readonly previous_secret_until: string | null;
readonly managed_by: ManagedBy | null;
readonly created_at: string;
readonly updated_at: string;
};

export type WebhookAnswer = {
readonly data: Webhook;
};

export type WebhookAttempt = {
readonly at: string;
readonly duration_ms: number;
/** Null if there was no answer. */
readonly status: number | null;
/** Null for a success. answered_with_error, gone, redirect_not_followed, timeout, connection_refused, connection_reset, name_not_found, tls_failed, address_not_public, address_not_allowed, invalid_response, unreachable or message_too_large. */
readonly error: string | null;
/** Start of the answer to a failed attempt, at most 500 characters. */
readonly answer: string | null;
};

export type WebhookAttemptAnswer = {
readonly data: WebhookAttempt;
};

export type WebhookCreatedEvent = {
readonly type: "WebhookCreated";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the webhook. */
readonly webhook_id: string;
/** Absent for a new one. */
readonly reason?: "restored";
/** Who created it; absent for a restored one: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor?: string;
/** @deprecated gone in 0.4.0: read `webhook_id`. */
readonly cause?: string;
};
};

export type WebhookDeletedEvent = {
readonly type: "WebhookDeleted";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the webhook. */
readonly webhook_id: string;
/** Who asked for it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `webhook_id`. */
readonly cause?: string;
};
};

export type WebhookDelivery = {
/** Also the message’s webhook-id. */
readonly event_id: string;
readonly type: string;
readonly integration_id: string | null;
readonly state: "pending" | "delivered" | "failed" | "waiting";
readonly queued_at: string;
readonly next_attempt_at: string | null;
readonly attempts: readonly (WebhookAttempt)[];
};

export type WebhookDeliveryList = {
readonly data: readonly (WebhookDelivery)[];
/** Send it as `cursor` for the next page; null at the end. A page ends at 4 MB. */
readonly next_cursor: string | null;
};

export type WebhookDisabledEvent = {
readonly type: "WebhookDisabled";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the webhook. */
readonly webhook_id: string;
/** Why. */
readonly reason: "gone" | "failing" | "requested";
/** What to do about it; absent if somebody disabled it. */
readonly remedy?: string;
/** Who disabled it; absent if its endpoint fails: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor?: string;
/** @deprecated gone in 0.4.0: read `webhook_id`. */
readonly cause?: string;
};
};

export type WebhookEnabledEvent = {
readonly type: "WebhookEnabled";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the webhook. */
readonly webhook_id: string;
/** Who asked for it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `webhook_id`. */
readonly cause?: string;
};
};

export type WebhookEvent = ConnectionCreatedEvent | ConnectionReauthorizedEvent | ConnectionScopesChangedEvent | ConnectionExpiringEvent | ConnectionReauthorizationRequiredEvent | ConnectionCauseProvenEvent | ConnectionRecoveredEvent | ConnectionRefreshRefusedEvent | ConnectionRefreshRecoveredEvent | ConnectionDeletedEvent | ConnectionUpdatedEvent | ConnectionRestoredEvent | IntegrationCredentialsRejectedEvent | IntegrationRecoveredEvent | IntegrationGrantsFailingEvent | DelegationGrantedEvent | DelegationLostEvent | RefreshTokenLimitNearEvent | IntegrationCreatedEvent | IntegrationUpdatedEvent | IntegrationDeletedEvent | SecretKeyCreatedEvent | SecretKeyRevokedEvent | SecretKeyLimitsChangedEvent | BudgetReachedEvent | QuotaReachedEvent | HigherLimitsEndingEvent | ServerToolsChangedEvent | ServerToolsAcceptedEvent | TestCredentialsChangedEvent | TestCredentialsRemovedEvent | ConnectSessionCreatedEvent | ConnectSessionDeletedEvent | AuthorizationStartedEvent | AuthorizationFailedEvent | ConnectionConfirmationPendingEvent | ConnectionNotConfirmedEvent | FilesPickedEvent | ConnectionCredentialsReadEvent | ApprovalRequestedEvent | ApprovalLinkCreatedEvent | ApprovalDecidedEvent | ApprovalEndedEvent | FeedCreatedEvent | FeedUpdatedEvent | FeedDeletedEvent | FeedChangedEvent | FeedPausedEvent | FeedResumedEvent | FeedFailingEvent | SecurityEventsRegisteredEvent | SecurityEventsRemovedEvent | ConnectionSecurityEventEvent | ChangesUndoneEvent | WebhookCreatedEvent | WebhookUpdatedEvent | WebhookDeletedEvent | WebhookSecretRotatedEvent | WebhookEnabledEvent | WebhookDisabledEvent | ConnectionTriedEvent | ConnectionGrantRevokedEvent | HeartbeatEvent | EndpointTest;

export type WebhookList = {
readonly data: readonly (Webhook)[];
};

export type WebhookReplay = {
readonly data: {
readonly queued: number;
/** Send it as from to continue; null at the end. */
readonly next_from: string | null;
};
};

export type WebhookSecretRotatedEvent = {
readonly type: "WebhookSecretRotated";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the webhook. */
readonly webhook_id: string;
/** Who asked for it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `webhook_id`. */
readonly cause?: string;
};
};

export type WebhookUpdatedEvent = {
readonly type: "WebhookUpdated";
/** When it happened, ISO 8601 in UTC. */
readonly timestamp: string;
readonly data: {
/** Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`. */
readonly event_id: string;
/** `0`: nothing that is numbered has changed. */
readonly sequence: string;
/** When it happened, ISO 8601 in UTC. */
readonly time: string;
/** The account, `default` unless you have several. */
readonly account_id: string;
/** Id of the webhook. */
readonly webhook_id: string;
/** Who asked for it: `key:…`, `iam:…`, `operator:…` or `session:…`. */
readonly actor: string;
/** @deprecated gone in 0.4.0: read `webhook_id`. */
readonly cause?: string;
};
};

export type WebhookWithSecret = {
readonly data: {
readonly id: string;
readonly url: string;
readonly description: string | null;
/** Event types that it receives; null = all. */
readonly types: readonly (string)[] | null;
/** Integrations whose events it receives; null = all, and the account’s own events. */
readonly integrations: readonly (string)[] | null;
readonly status: "unproven" | "enabled" | "disabled";
/** gone: it answered 410. failing: it failed for five days. requested: it was disabled by request. */
readonly disabled_because: "gone" | "failing" | "requested" | null;
readonly disabled_at: string | null;
readonly enabled_at: string | null;
readonly last_success_at: string | null;
readonly failures_in_a_row: number;
/** Nothing is sent until then, because it failed several times in a row. */
readonly resting_until: string | null;
/** Until then, messages are also signed with the previous secret. */
readonly previous_secret_until: string | null;
readonly managed_by: ManagedBy | null;
readonly created_at: string;
readonly updated_at: string;
/** Secret with which messages are signed, shown only this once. */
readonly secret: string;
};
};
