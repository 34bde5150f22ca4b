/**
 * Operations of the management API as its OpenAPI document names them. Written by `npm run generate` from the routes that describe them.
 */
import type * as wire from './wire.ts';

/** What each takes and answers. */
export interface Operations {
/** Accept changed or new tools as they are now, so that assistants are offered them */
readonly acceptAgentTools: {
readonly ids: 'provider';
readonly query: never;
readonly body: wire.AcceptAgentToolsBody;
readonly answer: wire.AcceptedAgentTools;
};
/** Ask a provider whether it accepts an OAuth client, before the client is stored */
readonly checkClient: {
readonly ids: 'provider';
readonly query: never;
readonly body: wire.CheckClientBody;
readonly answer: {
readonly data: wire.ClientCheck;
};
};
/** Check a connection with one harmless call to the provider */
readonly checkConnection: {
readonly ids: 'connectionId';
readonly query: 'provider_config_key';
readonly body: never;
readonly answer: wire.ConnectionCheck;
};
/** Ask Google whether a service account may act for a user, scope by scope */
readonly checkDelegation: {
readonly ids: 'integrationId';
readonly query: never;
readonly body: wire.CheckDelegationBody;
readonly answer: wire.DelegationCheckAnswer;
};
/** Confirm that the browser which finished a session with confirm belongs to its end user */
readonly confirmConnection: {
readonly ids: never;
readonly query: never;
readonly body: wire.ConfirmConnectionBody;
readonly answer: wire.ConfirmedConnection;
};
/** Create a link for the administrator of a Workspace domain, who lists a service account and checks it */
readonly createAdminSession: {
readonly ids: never;
readonly query: never;
readonly body: wire.CreateAdminSessionBody;
readonly answer: wire.CreatedConnectSession;
};
/** Create a key for an assistant, which calls tools at /mcp; its text is shown only this once */
readonly createAgent: {
readonly ids: never;
readonly query: never;
readonly body: wire.CreateAgentBody;
readonly answer: wire.CreatedAgent;
};
/** Create a link with which an end user decides in one browser */
readonly createApprovalSession: {
readonly ids: 'approvalId';
readonly query: never;
readonly body: never;
readonly answer: wire.CreatedApprovalLink;
};
/** Create a connect session for one end user; send the user to its connect_link */
readonly createConnectSession: {
readonly ids: never;
readonly query: never;
readonly body: wire.CreateConnectSessionBody;
readonly answer: wire.CreatedConnectSession;
};
/** Create a feed that watches a resource; for the same resource again it returns the existing feed */
readonly createFeed: {
readonly ids: never;
readonly query: never;
readonly body: wire.CreateFeedBody;
readonly answer: wire.FeedAnswer;
};
/** Create an integration with your own OAuth client, or with the operator’s test credentials */
readonly createIntegration: {
readonly ids: never;
readonly query: never;
readonly body: wire.CreateIntegrationBody;
readonly answer: wire.ChangedIntegration;
};
/** Create an integration on the operator’s test credentials */
readonly createQuickstartIntegration: {
readonly ids: never;
readonly query: never;
readonly body: wire.CreateQuickstartIntegrationBody;
readonly answer: wire.ChangedIntegration;
};
/** Create reconnect links for many connections, to be sent to their end users */
readonly createReconnectLinks: {
readonly ids: never;
readonly query: never;
readonly body: wire.CreateReconnectLinksBody;
readonly answer: {
readonly data: wire.CreatedReconnectLinks;
};
};
/** Create a connect session that reauthorizes an existing connection */
readonly createReconnectSession: {
readonly ids: never;
readonly query: never;
readonly body: wire.CreateReconnectSessionBody;
readonly answer: wire.CreatedConnectSession;
};
/** Create a secret key; its text is shown only this once */
readonly createSecretKey: {
readonly ids: never;
readonly query: never;
readonly body: wire.CreateSecretKeyBody;
readonly answer: wire.CreatedSecretKey;
};
/** Create a webhook; its secret is shown only this once */
readonly createWebhook: {
readonly ids: never;
readonly query: never;
readonly body: wire.CreateWebhookBody;
readonly answer: wire.WebhookWithSecret;
};
/** Approve or refuse a call as an operator */
readonly decideApproval: {
readonly ids: 'approvalId';
readonly query: never;
readonly body: wire.DecideApprovalBody;
readonly answer: wire.DecidedApproval;
};
/** Delete the connect sessions of an end user, open and finished, with all that they say of the person */
readonly deleteConnectSessions: {
readonly ids: never;
readonly query: 'end_user_id';
readonly body: never;
readonly answer: wire.DeletedSessions;
};
/** Delete a connection; revoke=true also ends its grant at the provider, and refuses when others share it */
readonly deleteConnection: {
readonly ids: 'connectionId';
readonly query: 'provider_config_key' | 'revoke';
readonly body: never;
readonly answer: wire.DeletedConnection;
};
/** Stop a feed’s channels and delete it */
readonly deleteFeed: {
readonly ids: 'feedId';
readonly query: 'force';
readonly body: never;
readonly answer: wire.Success;
};
/** Delete a consumer’s cursor */
readonly deleteFeedCursor: {
readonly ids: 'feedId' | 'name';
readonly query: never;
readonly body: never;
readonly answer: wire.Success;
};
/** Delete an integration with all its connections; a large one takes several calls */
readonly deleteIntegration: {
readonly ids: 'integrationId';
readonly query: 'force' | 'revoke' | 'if_unused';
readonly body: never;
readonly answer: wire.DeletedIntegration;
};
/** Remove the test credentials of a provider; integrations on them stop working */
readonly deleteTestCredentials: {
readonly ids: 'provider';
readonly query: never;
readonly body: never;
readonly answer: wire.Success;
};
/** Delete a webhook; waiting deliveries are no longer sent */
readonly deleteWebhook: {
readonly ids: 'webhookId';
readonly query: 'force';
readonly body: never;
readonly answer: wire.Success;
};
/** Enable a webhook that answers a signed endpoint.test with 2xx */
readonly enableWebhook: {
readonly ids: 'webhookId';
readonly query: never;
readonly body: never;
readonly answer: wire.WebhookAnswer;
};
/** End a connect session */
readonly endConnectSession: {
readonly ids: never;
readonly query: never;
readonly body: never;
readonly answer: never;
};
/** Fetch the tools of Google’s MCP servers now; the gateway does so every 15 minutes while they are used */
readonly fetchAgentTools: {
readonly ids: never;
readonly query: never;
readonly body: never;
readonly answer: wire.AgentToolLists;
};
/** Get the proxied call that a request id belongs to */
readonly getCall: {
readonly ids: 'requestId';
readonly query: never;
readonly body: never;
readonly answer: wire.CallAnswer;
};
/** Get what a connect session allows and how far it has come */
readonly getConnectSession: {
readonly ids: never;
readonly query: never;
readonly body: never;
readonly answer: wire.ConnectSession;
};
/** Get a connection: its state, scopes, account and when its grant will end */
readonly getConnection: {
readonly ids: 'connectionId';
readonly query: 'provider_config_key' | 'force_refresh' | 'refresh_token' | 'refresh_github_app_jwt_token';
readonly body: never;
readonly answer: wire.Connection;
};
/** Get what administrators have to list for a service account, and how it stands in each domain */
readonly getDelegation: {
readonly ids: 'integrationId';
readonly query: never;
readonly body: never;
readonly answer: wire.DelegationAnswer;
};
/** Get a feed with its state, its last message and the cursors of its consumers */
readonly getFeed: {
readonly ids: 'feedId';
readonly query: never;
readonly body: never;
readonly answer: wire.FeedAnswer;
};
/** Get an integration */
readonly getIntegration: {
readonly ids: 'integrationId';
readonly query: 'include';
readonly body: never;
readonly answer: wire.IntegrationAnswer;
};
/** Get what going live still needs: scopes by review class, publishing status, open steps */
readonly getIntegrationReadiness: {
readonly ids: 'integrationId';
readonly query: never;
readonly body: never;
readonly answer: wire.Readiness;
};
/** Get the overview: how many connections work, how many do not, and what needs attention */
readonly getOverview: {
readonly ids: never;
readonly query: never;
readonly body: never;
readonly answer: wire.Overview;
};
/** Get a provider */
readonly getProvider: {
readonly ids: 'provider';
readonly query: never;
readonly body: never;
readonly answer: wire.ProviderAnswer;
};
/** Get what became of each reconnect link of a batch */
readonly getReconnectLinks: {
readonly ids: 'batchId';
readonly query: never;
readonly body: never;
readonly answer: {
readonly data: wire.ReconnectLinks;
};
};
/** Get whether a provider has test credentials, and their client_id */
readonly getTestCredentials: {
readonly ids: 'provider';
readonly query: never;
readonly body: never;
readonly answer: wire.TestCredentials;
};
/** Get a webhook */
readonly getWebhook: {
readonly ids: 'webhookId';
readonly query: never;
readonly body: never;
readonly answer: wire.WebhookAnswer;
};
/** Check that the gateway answers */
readonly health: {
readonly ids: never;
readonly query: never;
readonly body: never;
readonly answer: wire.Health;
};
/** Import a grant whose refresh token you have; the token is used once to prove it */
readonly importConnection: {
readonly ids: never;
readonly query: never;
readonly body: wire.ImportConnectionBody;
readonly answer: wire.Connection;
};
/** Set the name under which the audit trail shows the signed-in operator */
readonly introduceOperator: {
readonly ids: never;
readonly query: never;
readonly body: wire.IntroduceOperatorBody;
readonly answer: wire.Success;
};
/** List the tools of Google’s MCP servers, with those that wait to be accepted */
readonly listAgentTools: {
readonly ids: never;
readonly query: never;
readonly body: never;
readonly answer: wire.AgentToolLists;
};
/** List calls of the last day that a person was asked to approve, newest first */
readonly listApprovals: {
readonly ids: never;
readonly query: 'about';
readonly body: never;
readonly answer: wire.ApprovalList;
};
/** List a connection’s calls in the call log, newest first */
readonly listCalls: {
readonly ids: 'connectionId';
readonly query: 'provider_config_key' | 'status' | 'since' | 'limit' | 'cursor';
readonly body: never;
readonly answer: wire.CallPage;
};
/** List the events of a connection, newest first, also after its deletion */
readonly listConnectionEvents: {
readonly ids: 'connectionId';
readonly query: 'provider_config_key' | 'limit' | 'cursor';
readonly body: never;
readonly answer: wire.EventPage;
};
/** List connections, newest first */
readonly listConnections: {
readonly ids: never;
readonly query: 'connection_id' | 'search' | 'end_user_id' | 'end_user_organization_id' | 'provider_config_key' | 'status' | 'health' | 'cause' | `tags[${string}]` | 'sort' | 'include' | 'limit' | 'page' | 'cursor';
readonly body: never;
readonly answer: wire.ConnectionList;
};
/** List the audit trail of the account, newest first */
readonly listEvents: {
readonly ids: never;
readonly query: 'actor' | 'type' | 'object' | 'since' | 'until' | 'limit' | 'cursor';
readonly body: never;
readonly answer: wire.AuditPage;
};
/** List the failed calls of all connections, newest first */
readonly listFailedCalls: {
readonly ids: never;
readonly query: 'failure' | 'reason' | 'status' | 'key_id' | 'provider_config_key' | 'connection_id' | 'since' | 'until' | 'limit' | 'cursor';
readonly body: never;
readonly answer: wire.FailedCallPage;
};
/** List the batches after a sequence number or after a named cursor, in order */
readonly listFeedChanges: {
readonly ids: 'feedId';
readonly query: 'after' | 'name' | 'limit';
readonly body: never;
readonly answer: wire.FeedChanges;
};
/** List feeds of the account or of one connection, newest first */
readonly listFeeds: {
readonly ids: never;
readonly query: 'provider_config_key' | 'connection_id' | 'cursor';
readonly body: never;
readonly answer: wire.FeedPage;
};
/** List integrations, newest first */
readonly listIntegrations: {
readonly ids: never;
readonly query: 'cursor';
readonly body: never;
readonly answer: wire.IntegrationList;
};
/** List what journalled keys have written in the last seven days, newest first */
readonly listJournal: {
readonly ids: never;
readonly query: 'key_id' | 'provider_config_key' | 'connection_id' | 'object_id' | 'since' | 'until' | 'limit' | 'cursor';
readonly body: never;
readonly answer: wire.Journal;
};
/** List the methods and sets that limits of keys can name */
readonly listLimitMethods: {
readonly ids: never;
readonly query: never;
readonly body: never;
readonly answer: wire.LimitMethodList;
};
/** List grants of deleted connections that are still to be revoked at the provider, oldest first */
readonly listPendingRevocations: {
readonly ids: never;
readonly query: 'provider_config_key' | 'limit';
readonly body: never;
readonly answer: wire.PendingRevocations;
};
/** List providers with their scopes, what each means and how strictly it is reviewed */
readonly listProviders: {
readonly ids: never;
readonly query: 'search';
readonly body: never;
readonly answer: wire.ProviderList;
};
/** List the latest batches of reconnect links, and how many users came back */
readonly listReconnectLinks: {
readonly ids: never;
readonly query: never;
readonly body: never;
readonly answer: {
readonly data: readonly ({
/** The batch’s id. */
readonly id: string;
readonly created_at: string;
/** A key or an operator. */
readonly created_by: string;
/** The key’s name or the operator’s e-mail address; null if unknown, and for keys that are limited to some integrations. */
readonly created_by_name: string | null;
readonly expires_at: string;
readonly revoked_at: string | null;
readonly links: number;
readonly came_back: number;
})[];
};
};
/** List secret keys and registered roles, newest first, without their text */
readonly listSecretKeys: {
readonly ids: never;
readonly query: 'cursor';
readonly body: never;
readonly answer: wire.SecretKeyList;
};
/** List the Cloud projects of the account and whether their security events reach the gateway */
readonly listSecurityEventProjects: {
readonly ids: never;
readonly query: never;
readonly body: never;
readonly answer: wire.SecurityEvents;
};
/** List deliveries of the last 14 days with their attempts, newest event first */
readonly listWebhookDeliveries: {
readonly ids: 'webhookId';
readonly query: 'state' | 'limit' | 'cursor';
readonly body: never;
readonly answer: wire.WebhookDeliveryList;
};
/** List webhooks, newest first */
readonly listWebhooks: {
readonly ids: never;
readonly query: never;
readonly body: never;
readonly answer: wire.WebhookList;
};
/** Store how far a consumer has read */
readonly moveFeedCursor: {
readonly ids: 'feedId' | 'name';
readonly query: never;
readonly body: wire.MoveFeedCursorBody;
readonly answer: wire.FeedCursorAnswer;
};
/** Pull now, whatever is due */
readonly pullFeed: {
readonly ids: 'feedId';
readonly query: never;
readonly body: never;
readonly answer: wire.FeedAnswer;
};
/** Get how a call stands that a person has to approve, and its result */
readonly readApproval: {
readonly ids: 'approvalId';
readonly query: never;
readonly body: never;
readonly answer: wire.ApprovalAnswer;
};
/** Get what happened to connections per day: created, deleted, dead by cause, reconnected, and how refreshes ended */
readonly readConnectionCounts: {
readonly ids: never;
readonly query: 'since' | 'until' | 'provider_config_key';
readonly body: never;
readonly answer: wire.ConnectionCounts;
};
/** Get the proxied calls of the last hour by minute, and whether Google, the gateway or callers make them fail */
readonly readLastHour: {
readonly ids: never;
readonly query: 'provider_config_key';
readonly body: never;
readonly answer: wire.LastHour;
};
/** Get which calls of a week the limits of a secret key or role would have refused, by limit and method */
readonly readObservedCalls: {
readonly ids: 'keyId';
readonly query: never;
readonly body: never;
readonly answer: wire.ObservedCalls;
};
/** Get what today’s calls took of Google’s quotas by Cloud project and API, and what the day will come to */
readonly readQuota: {
readonly ids: never;
readonly query: never;
readonly body: never;
readonly answer: wire.Quota;
};
/** Get proxied calls per day, counted by integration, connection or key */
readonly readUsage: {
readonly ids: never;
readonly query: 'since' | 'until' | 'by' | 'provider_config_key' | 'connection_id';
readonly body: never;
readonly answer: wire.Usage;
};
/** Log every call of a connection for an hour, including successful ones */
readonly recordCalls: {
readonly ids: 'connectionId';
readonly query: 'provider_config_key';
readonly body: never;
readonly answer: wire.CallRecording;
};
/** Force one refresh now */
readonly refreshConnection: {
readonly ids: 'connectionId';
readonly query: 'provider_config_key';
readonly body: never;
readonly answer: wire.Connection;
};
/** Let an IAM role call instead of a secret key, below /iam */
readonly registerRole: {
readonly ids: never;
readonly query: never;
readonly body: wire.RegisterRoleBody;
readonly answer: wire.RegisteredRole;
};
/** Accept the security events of a Cloud project, and expect a verification */
readonly registerSecurityEvents: {
readonly ids: 'cloudProject';
readonly query: never;
readonly body: wire.RegisterSecurityEventsBody;
readonly answer: wire.SecurityEventProjectAnswer;
};
/** Refuse the security events of a Cloud project from now on */
readonly removeSecurityEvents: {
readonly ids: 'cloudProject';
readonly query: never;
readonly body: never;
readonly answer: wire.Success;
};
/** Send stored events again, oldest first; call again with next_from for the rest */
readonly replayWebhook: {
readonly ids: 'webhookId';
readonly query: 'since' | 'until';
readonly body: never;
readonly answer: wire.WebhookReplay;
};
/** Withdraw a batch of reconnect links: none of them works from then on */
readonly revokeReconnectLinks: {
readonly ids: 'batchId';
readonly query: never;
readonly body: never;
readonly answer: wire.Success;
};
/** Revoke a secret key or role; it stops working everywhere within a minute */
readonly revokeSecretKey: {
readonly ids: 'keyId';
readonly query: never;
readonly body: never;
readonly answer: wire.Success;
};
/** Give a webhook a new secret, shown only this once; the former signs too for 24 hours */
readonly rotateWebhookSecret: {
readonly ids: 'webhookId';
readonly query: 'force';
readonly body: never;
readonly answer: wire.WebhookWithSecret;
};
/** Search connections, integrations and secret keys by any part of their names and ids, best match first */
readonly search: {
readonly ids: never;
readonly query: 'q' | 'limit';
readonly body: never;
readonly answer: wire.SearchAnswer;
};
/** Replace the metadata of one or more connections */
readonly setMetadata: {
readonly ids: never;
readonly query: never;
readonly body: wire.SetMetadataBody;
readonly answer: wire.MetadataEcho;
};
/** Set the OAuth client that quickstart integrations of a provider run on */
readonly setTestCredentials: {
readonly ids: 'provider';
readonly query: never;
readonly body: wire.SetTestCredentialsBody;
readonly answer: wire.TestCredentials;
};
/** Start an authorization in this browser */
readonly startAuthorization: {
readonly ids: never;
readonly query: never;
readonly body: {
/** May be omitted if the session allows only one. */
readonly provider_config_key?: string;
/** Allowed origin of the window that waits for the result. */
readonly opener_origin?: string;
};
readonly answer: wire.StartedAuthorization;
};
/** Stop logging successful calls of a connection before the hour is over */
readonly stopRecordingCalls: {
readonly ids: 'connectionId';
readonly query: 'provider_config_key';
readonly body: never;
readonly answer: wire.CallRecording;
};
/** Send a signed endpoint.test now and return the result */
readonly testWebhook: {
readonly ids: 'webhookId';
readonly query: never;
readonly body: never;
readonly answer: wire.WebhookAttemptAnswer;
};
/** Try one GET at the provider as the connection’s user and get its answer as text */
readonly tryConnection: {
readonly ids: 'connectionId';
readonly query: 'provider_config_key';
readonly body: wire.TryConnectionBody;
readonly answer: wire.TriedCall;
};
/** Undo what a journalled key wrote, or what all wrote on a connection, newest first */
readonly undoChanges: {
readonly ids: never;
readonly query: never;
readonly body: wire.UndoChangesBody;
readonly answer: {
readonly data: wire.UndoReport;
};
};
/** Change the end user, the tags and the budget of a connection */
readonly updateConnection: {
readonly ids: 'connectionId';
readonly query: 'provider_config_key';
readonly body: wire.UpdateConnectionBody;
readonly answer: wire.Success;
};
/** Change how a feed is delivered, how often it is polled, whether changes have a meaning, and reminders */
readonly updateFeed: {
readonly ids: 'feedId';
readonly query: 'force';
readonly body: wire.UpdateFeedBody;
readonly answer: wire.FeedAnswer;
};
/** Change an integration; a new client_secret under the same client_id is a rotation without downtime */
readonly updateIntegration: {
readonly ids: 'integrationId';
readonly query: 'force';
readonly body: wire.UpdateIntegrationBody;
readonly answer: wire.ChangedIntegration;
};
/** Merge members into the metadata of one or more connections */
readonly updateMetadata: {
readonly ids: never;
readonly query: never;
readonly body: wire.UpdateMetadataBody;
readonly answer: wire.MetadataEcho;
};
/** Set or take away the limits of a secret key or role; they hold everywhere within a minute */
readonly updateSecretKey: {
readonly ids: 'keyId';
readonly query: 'force';
readonly body: wire.UpdateSecretKeyBody;
readonly answer: wire.ChangedSecretKey;
};
/** Change or disable a webhook; a new address has to be proven again */
readonly updateWebhook: {
readonly ids: 'webhookId';
readonly query: 'force';
readonly body: wire.UpdateWebhookBody;
readonly answer: wire.WebhookAnswer;
};
}

/** Method and path of each; variable segments stand in braces. "once": it makes something and takes a key for its request. */
export const OPERATIONS = {
acceptAgentTools: ['POST', '/agent-tools/{provider}/accept'],
checkClient: ['POST', '/providers/{provider}/check-client'],
checkConnection: ['POST', '/connections/{connectionId}/check'],
checkDelegation: ['POST', '/integrations/{integrationId}/delegation/check'],
confirmConnection: ['POST', '/connect/sessions/confirm', 'once'],
createAdminSession: ['POST', '/connect/sessions/admin', 'once'],
createAgent: ['POST', '/account/agents', 'once'],
createApprovalSession: ['POST', '/approvals/{approvalId}/session'],
createConnectSession: ['POST', '/connect/sessions', 'once'],
createFeed: ['POST', '/feeds', 'once'],
createIntegration: ['POST', '/integrations', 'once'],
createQuickstartIntegration: ['POST', '/integrations/quickstart', 'once'],
createReconnectLinks: ['POST', '/connect/reconnect-links', 'once'],
createReconnectSession: ['POST', '/connect/sessions/reconnect', 'once'],
createSecretKey: ['POST', '/account/keys', 'once'],
createWebhook: ['POST', '/webhooks', 'once'],
decideApproval: ['POST', '/approvals/{approvalId}/decision'],
deleteConnectSessions: ['DELETE', '/connect/sessions'],
deleteConnection: ['DELETE', '/connections/{connectionId}'],
deleteFeed: ['DELETE', '/feeds/{feedId}'],
deleteFeedCursor: ['DELETE', '/feeds/{feedId}/cursors/{name}'],
deleteIntegration: ['DELETE', '/integrations/{integrationId}'],
deleteTestCredentials: ['DELETE', '/test-credentials/{provider}'],
deleteWebhook: ['DELETE', '/webhooks/{webhookId}'],
enableWebhook: ['POST', '/webhooks/{webhookId}/enable'],
endConnectSession: ['DELETE', '/connect/session'],
fetchAgentTools: ['POST', '/agent-tools/fetch'],
getCall: ['GET', '/calls/{requestId}'],
getConnectSession: ['GET', '/connect/session'],
getConnection: ['GET', '/connections/{connectionId}'],
getDelegation: ['GET', '/integrations/{integrationId}/delegation'],
getFeed: ['GET', '/feeds/{feedId}'],
getIntegration: ['GET', '/integrations/{integrationId}'],
getIntegrationReadiness: ['GET', '/integrations/{integrationId}/readiness'],
getOverview: ['GET', '/overview'],
getProvider: ['GET', '/providers/{provider}'],
getReconnectLinks: ['GET', '/connect/reconnect-links/{batchId}'],
getTestCredentials: ['GET', '/test-credentials/{provider}'],
getWebhook: ['GET', '/webhooks/{webhookId}'],
health: ['GET', '/healthz'],
importConnection: ['POST', '/connections', 'once'],
introduceOperator: ['PUT', '/account/operator'],
listAgentTools: ['GET', '/agent-tools'],
listApprovals: ['GET', '/approvals'],
listCalls: ['GET', '/connections/{connectionId}/calls'],
listConnectionEvents: ['GET', '/connections/{connectionId}/events'],
listConnections: ['GET', '/connections'],
listEvents: ['GET', '/events'],
listFailedCalls: ['GET', '/calls'],
listFeedChanges: ['GET', '/feeds/{feedId}/changes'],
listFeeds: ['GET', '/feeds'],
listIntegrations: ['GET', '/integrations'],
listJournal: ['GET', '/journal'],
listLimitMethods: ['GET', '/account/limits/catalogue'],
listPendingRevocations: ['GET', '/revocations'],
listProviders: ['GET', '/providers'],
listReconnectLinks: ['GET', '/connect/reconnect-links'],
listSecretKeys: ['GET', '/account/keys'],
listSecurityEventProjects: ['GET', '/security-events'],
listWebhookDeliveries: ['GET', '/webhooks/{webhookId}/deliveries'],
listWebhooks: ['GET', '/webhooks'],
moveFeedCursor: ['PUT', '/feeds/{feedId}/cursors/{name}'],
pullFeed: ['POST', '/feeds/{feedId}/pull'],
readApproval: ['GET', '/approvals/{approvalId}'],
readConnectionCounts: ['GET', '/usage/connections'],
readLastHour: ['GET', '/usage/minutes'],
readObservedCalls: ['GET', '/account/keys/{keyId}/observed'],
readQuota: ['GET', '/quota'],
readUsage: ['GET', '/usage'],
recordCalls: ['POST', '/connections/{connectionId}/calls/record'],
refreshConnection: ['POST', '/connections/{connectionId}/refresh'],
registerRole: ['POST', '/account/roles', 'once'],
registerSecurityEvents: ['PUT', '/security-events/{cloudProject}'],
removeSecurityEvents: ['DELETE', '/security-events/{cloudProject}'],
replayWebhook: ['POST', '/webhooks/{webhookId}/replay', 'once'],
revokeReconnectLinks: ['DELETE', '/connect/reconnect-links/{batchId}'],
revokeSecretKey: ['DELETE', '/account/keys/{keyId}'],
rotateWebhookSecret: ['POST', '/webhooks/{webhookId}/rotate-secret', 'once'],
search: ['GET', '/search'],
setMetadata: ['POST', '/connections/metadata'],
setTestCredentials: ['PUT', '/test-credentials/{provider}'],
startAuthorization: ['POST', '/connect/authorizations'],
stopRecordingCalls: ['DELETE', '/connections/{connectionId}/calls/record'],
testWebhook: ['POST', '/webhooks/{webhookId}/test', 'once'],
tryConnection: ['POST', '/connections/{connectionId}/try'],
undoChanges: ['POST', '/undo'],
updateConnection: ['PATCH', '/connections/{connectionId}'],
updateFeed: ['PATCH', '/feeds/{feedId}'],
updateIntegration: ['PATCH', '/integrations/{integrationId}'],
updateMetadata: ['PATCH', '/connections/metadata'],
updateSecretKey: ['PATCH', '/account/keys/{keyId}'],
updateWebhook: ['PATCH', '/webhooks/{webhookId}'],
} as const satisfies Readonly<Record<keyof Operations, readonly [method: string, path: string, makes?: 'once']>>;
