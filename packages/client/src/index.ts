/** Client library of the integration gateway. */
export {
  type Applied,
  type ConnectionDiagnosis,
  type DeathEvidence,
  GatewayError,
  type LikelyCause,
  NetworkError,
  type Problem,
  ProviderError,
  TimeoutError,
  UnexpectedAnswerError,
  UploadError,
} from './errors.ts';
export * from './features/index.ts';
export { GatewayClient } from './gateway-client.ts';
export { type GoogleAuthOptions, type GoogleOAuth2, googleAuth, type PreparedRequest } from './google-auth.ts';
export type { BodyStream, ResponseType } from './http/answer-body.ts';
export type { AwsCredentials, AwsCredentialsProvider } from './http/aws-signature.ts';
export type { ConnectionRef, HeaderInput } from './http/headers.ts';
export type { QueryParams, QueryValue } from './http/query.ts';
export type { RequestData } from './http/request-body.ts';
export type { BodyChunk } from './http/source-stream.ts';
export type { AgentTool as ServerTool, AgentToolList, DescribedTool } from './management/agent-tools.ts';
export { type AuditEvent, type AuditFilter, type AuditPage, AuditTrail } from './management/audit.ts';
export {
  type CallFailure,
  type CallFilter,
  type CallPage,
  Calls,
  type FailedCall,
  type FailedCallFilter,
  type FailedCallPage,
  type LastHour,
  type LoggedCall,
  type MinuteOfCalls,
} from './management/calls.ts';
export {
  type ConfirmedConnection,
  type ConnectSession,
  type ConnectSessionState,
  ConnectSessions,
  type DeletedSessions,
  type FollowedReconnectLinks,
  type IntegrationDefaults,
  type MadeReconnectLinks,
  type NewAdminSession,
  type NewConnectSession,
  type NewPick,
  type NewReconnectLinks,
  type PickedFile,
  type ReconnectBatch,
  type ReconnectLinksCount,
  type ReconnectSession,
} from './management/connect-sessions.ts';
export type * from './management/connection-types.ts';
export { type ConnectionRefs, Connections } from './management/connections.ts';
export type {
  DelegatedSubjects,
  Delegation,
  DelegationChanges,
  DelegationCheck,
  DelegationState,
  NewDelegation,
} from './management/delegation.ts';
export type * from './management/integration-types.ts';
export { Integrations } from './management/integrations.ts';
export type { CallOptions, CreateOptions } from './management/manage.ts';
export type { ManagedBy } from './management/managed-by.ts';
export type { ReadOverview } from './management/overview.ts';
export type * from './management/overview-types.ts';
export type { OwnQuota } from './management/own-quota.ts';
export { type ClientCheck, type Provider, Providers } from './management/providers.ts';
export type {
  BillingUse,
  DayQuota,
  ExpectedQuota,
  ProjectQuota,
  Quota,
  ReadQuota,
  ToolQuota,
} from './management/quota.ts';
export { type PendingRevocation, type PendingRevocations, Revocations } from './management/revocations.ts';
export type * from './management/secret-key-types.ts';
export { SecretKeys } from './management/secret-keys.ts';
export { type TestCredentials, TestCredentialsOfProviders } from './management/test-credentials.ts';
export type {
  ConnectionCounts,
  ConnectionCountsQuery,
  ReadConnectionCounts,
  ReadUsage,
  Usage,
  UsageDay,
  UsageQuery,
} from './management/usage.ts';
export type { WebhookEvent } from './management/wire.ts';
export { ItemSequence } from './paging/item-sequence.ts';
export { type ListCall, type Page, PageSequence } from './paging/page-sequence.ts';
export { type QuotaStanding, quotaStanding } from './proxy/quota-standing.ts';
export type { AnyMethodCall, Method, ProxyAnswer, ProxyCall, Send } from './proxy/types.ts';
export type { CallerOptions, Fetch, GatewayClientOptions } from './settings.ts';
export type { UploadCall, UploadProgress, UploadSource } from './upload/types.ts';
