/**
 * Titles of events and causes. Written by npm run generate from lambdas/gateway/openapi/event-catalog.ts.
 */

/** How an event of a timeline reads. */
export interface EventText {
  readonly title: string;
  readonly tone: 'success' | 'error' | 'warning' | 'info';
  /** What its code words say. */
  readonly remarks: Readonly<Record<string, string>>;
}

export const EVENT_TEXTS: Readonly<Record<string, EventText>> = {
  ConnectionCreated: {"title":"Connected","tone":"success","remarks":{"imported":"Its tokens were imported.","delegated":"A service account acts for its user.","account_unknown":"Google did not identify the account."}},
  ConnectionReauthorized: {"title":"Authorized again","tone":"success","remarks":{"account_changed":"A different account than before.","account_unknown":"Google did not identify the account.","account_not_known_before":"The account was not known before."}},
  ConnectionScopesChanged: {"title":"Granted scopes changed","tone":"info","remarks":{"scopes_gained":"The user granted more than before.","scopes_lost":"The user granted less than before.","scopes_gained_and_lost":"The user granted some more and some fewer."}},
  ConnectionExpiring: {"title":"Will end soon","tone":"warning","remarks":{"testing_mode":"In Testing, grants end seven days after consent.","time_limited_access":"The user granted access for a limited time."}},
  ConnectionReauthorizationRequired: {"title":"Needs a new authorization","tone":"error","remarks":{}},
  ConnectionCauseProven: {"title":"Google stated why it ended","tone":"info","remarks":{}},
  ConnectionRecovered: {"title":"Works again","tone":"success","remarks":{}},
  ConnectionRefreshRefused: {"title":"Google does not renew its token","tone":"error","remarks":{}},
  ConnectionRefreshRecovered: {"title":"Google renews its token again","tone":"success","remarks":{}},
  ConnectionDeleted: {"title":"Deleted","tone":"info","remarks":{"revocation_requested":"Its grant is being revoked at Google.","record_unreadable":"Its record could not be read."}},
  ConnectionUpdated: {"title":"Details changed","tone":"info","remarks":{"calls_recorded":"Every call is recorded for an hour.","calls_no_longer_recorded":"Successful calls are no longer recorded."}},
  ConnectionRestored: {"title":"Restored from a backup","tone":"warning","remarks":{"missing":"It was missing here.","damaged":"Its record here could not be read.","deleted":"It had been deleted here.","overwritten":"The record here was replaced on request."}},
  IntegrationCredentialsRejected: {"title":"An OAuth client was refused","tone":"error","remarks":{}},
  IntegrationRecovered: {"title":"An OAuth client works again","tone":"success","remarks":{}},
  IntegrationGrantsFailing: {"title":"Many grants of an integration are ending","tone":"error","remarks":{}},
  DelegationGranted: {"title":"A domain lets the service account in","tone":"success","remarks":{}},
  DelegationLost: {"title":"A domain does not let the service account in","tone":"error","remarks":{}},
  RefreshTokenLimitNear: {"title":"Near Google's limit of refresh tokens","tone":"warning","remarks":{}},
  IntegrationCreated: {"title":"An integration was created","tone":"info","remarks":{"restored":"It was restored from a backup."}},
  IntegrationUpdated: {"title":"An integration was changed","tone":"info","remarks":{"renamed":"It has a new id."}},
  IntegrationDeleted: {"title":"An integration was deleted","tone":"info","remarks":{}},
  SecretKeyCreated: {"title":"A secret key was created","tone":"info","remarks":{"restored":"It was restored from a backup."}},
  SecretKeyRevoked: {"title":"A secret key was revoked","tone":"info","remarks":{}},
  SecretKeyLimitsChanged: {"title":"The limits of a secret key changed","tone":"info","remarks":{}},
  BudgetReached: {"title":"A day’s budget is running out","tone":"warning","remarks":{"50":"Half of it.","80":"80 % of it.","100":"All of it.","warn":"They pass.","stop":"They are refused until the next day.","observe":"They pass and are counted as refused."}},
  QuotaReached: {"title":"Calls near Google’s daily threshold","tone":"warning","remarks":{"50":"Half of it.","80":"80 % of it.","100":"All of it.","units":"Units of quota (a Calendar call is one).","bytes_out":"Bytes of responses.","warn":"They pass.","stop":"They are refused until the next day."}},
  HigherLimitsEnding: {"title":"Higher limits of a Cloud project end","tone":"warning","remarks":{"7":"The last week.","30":"A month.","90":"First notice."}},
  ServerToolsChanged: {"title":"Tools of an MCP server changed","tone":"warning","remarks":{}},
  ServerToolsAccepted: {"title":"Tools of an MCP server were accepted","tone":"info","remarks":{}},
  TestCredentialsChanged: {"title":"Test credentials were set","tone":"info","remarks":{}},
  TestCredentialsRemoved: {"title":"Test credentials were removed","tone":"info","remarks":{}},
  ConnectSessionCreated: {"title":"A connect link was created","tone":"info","remarks":{}},
  ConnectSessionDeleted: {"title":"A connect link was deleted","tone":"info","remarks":{}},
  AuthorizationStarted: {"title":"Authorization started","tone":"info","remarks":{}},
  AuthorizationFailed: {"title":"Authorization failed","tone":"error","remarks":{"malformed_answer":"The address you came back with is incomplete or was changed on the way. Nothing was connected.","unknown_state":"This sign-in was finished before, or was never started here. Nothing was changed by opening it again.","other_browser":"This sign-in was started in another browser, or this browser has deleted its cookies. Nothing was connected.","timed_out":"A sign-in has to be finished within ten minutes. Nothing was connected.","session_ended":"The app has withdrawn the link this sign-in belongs to. Nothing was connected.","session_used":"An account was already connected with this link. This sign-in changed nothing.","other_issuer":"The answer names another provider than the one you were sent to, so it was not used. Nothing was connected.","refused":"Google says that access was not granted, so nothing was connected.","pick_cancelled":"You came back without selecting a file. Nothing was changed.","admin_blocked":"The administrator of your organization has blocked this app or the access it asks for. Nothing was connected.","account_restricted":"Google does not let apps use this account at the moment: Google itself or your administrator restricts it. Nothing was connected.","account_protected":"Google protects this account in a way that does not admit the app. Nothing was connected.","organization_only":"At Google, this app admits only accounts of the organization that made it, and the account you chose is not one of them. Nothing was connected.","sign_in_needed":"Google could not continue without asking you something first. Nothing was connected.","provider_trouble":"Google could not answer the request. Nothing was connected.","app_misconfigured":"Google does not accept the way this app asks for access. Nothing was connected.","app_disabled":"Google has switched this app's sign-in off. Nothing was connected.","provider_refused":"Google ended the sign-in without granting access. Nothing was connected.","integration_gone":"The app removed this integration while you were connecting. Nothing was connected.","integration_changed":"The developer changed what this app asks for, so your answer no longer fits. Nothing was connected.","credentials_missing":"The app has no OAuth client that may be used for this. Nothing was connected.","client_rejected":"Google refuses this app's OAuth client. Nothing was connected.","code_rejected":"The one-time code of this sign-in was not accepted. Nothing was connected.","provider_unreachable":"The last step, with Google, did not work just now. Nothing was connected.","no_refresh_token":"Google sent no permission that lasts, so the connection would soon have ended. It was not stored.","only_sign_in":"You signed in, but granted nothing the app could work with. Nothing was connected.","account_unproven":"Google did not prove which account this is, so it was not used. Nothing was changed.","wrong_account":"This connection belongs to another Google account than the one you chose. Nothing was changed.","wrong_domain":"The app takes accounts of one organization only, and you chose an account outside it. Nothing was connected.","connection_deleted":"The connection was deleted while you were signing in. Nothing was connected.","connection_ended":"Google no longer accepts the connection that the files were for. Nothing was changed.","changed_meanwhile":"The connection was changed at the same moment, several times. Nothing was stored.","internal":"The connection could not be made. Nothing was stored."}},
  ConnectionConfirmationPending: {"title":"Waiting for the app to confirm it","tone":"info","remarks":{}},
  ConnectionNotConfirmed: {"title":"Was not confirmed","tone":"warning","remarks":{"not_confirmed_in_time":"The app did not confirm it within 15 minutes.","other_end_user":"A different user came back than the link was for.","withdrawn":"It was deleted first.","integration_gone":"Its integration was deleted first.","connection_deleted":"Its connection was deleted first."}},
  FilesPicked: {"title":"Files were selected","tone":"success","remarks":{}},
  ConnectionCredentialsRead: {"title":"Tokens were read through the API","tone":"warning","remarks":{"access_token":"The access token.","refresh_token":"The access token and the refresh token."}},
  ApprovalRequested: {"title":"A call waits for approval","tone":"warning","remarks":{}},
  ApprovalLinkCreated: {"title":"A link to decide on a call was created","tone":"warning","remarks":{}},
  ApprovalDecided: {"title":"A person decided on a call","tone":"info","remarks":{"approved":"It may be sent.","refused":"It is never sent."}},
  ApprovalEnded: {"title":"A call that asked for approval has ended","tone":"info","remarks":{"done":"Google carried it out.","failed":"Nothing was changed.","stale":"The object had changed since the person saw it, so nothing was sent.","unknown":"It may have been carried out; reading the object did not show it.","expired":"Nobody decided within a day, or an approved call did not begin within an hour. Nothing was sent."}},
  FeedCreated: {"title":"A feed was created","tone":"info","remarks":{"restored":"It was restored from a backup."}},
  FeedUpdated: {"title":"Settings of a feed were changed","tone":"info","remarks":{}},
  FeedDeleted: {"title":"A feed was deleted","tone":"info","remarks":{"connection_deleted":"Its connection was deleted.","resource_refused":"Google refused its resource when it was created."}},
  FeedChanged: {"title":"A feed has changes","tone":"info","remarks":{"cursor_expired":"Google no longer knew the position in the history.","account_changed":"The connection belongs to another account now.","client_changed":"The integration has another OAuth client.","restored":"The feed came back from a backup, or rows of it were missing.","folder_moved":"Its folder was moved to a shared drive, or out of one."}},
  FeedPaused: {"title":"A feed was paused","tone":"warning","remarks":{"reauthorization_required":"The connection needs a new authorization."}},
  FeedResumed: {"title":"A feed resumed","tone":"success","remarks":{"push_not_supported":"It is polled: Google sends no messages for this resource.","address_not_authorized":"It is polled: Google refuses to send messages to the gateway’s address.","address_not_https":"It is polled: Google sends messages to https addresses only.","watch_refused":"It is polled: Google refused to open a channel."}},
  FeedFailing: {"title":"A feed fails","tone":"error","remarks":{"resource_refused":"Google has refused its resource for a day.","cursor_expired_again":"Google refused its position twice within an hour.","overdue":"The gateway could not read or save it for eight minutes after it was due.","consumer_behind":"The feed works, but a consumer has fallen behind and will miss changes."}},
  SecurityEventsRegistered: {"title":"Security events were registered","tone":"info","remarks":{}},
  SecurityEventsRemoved: {"title":"Security events were turned off","tone":"info","remarks":{}},
  ConnectionSecurityEvent: {"title":"Google stated a security event","tone":"warning","remarks":{"tokens-revoked":"All tokens of the account for the app were ended.","token-revoked":"One refresh token was ended.","account-disabled":"The account was disabled.","account-enabled":"The account was enabled again.","account-purged":"The account was deleted for good.","sessions-revoked":"The account was signed out everywhere.","account-credential-change-required":"The user must change the password."}},
  ChangesUndone: {"title":"Changes were undone","tone":"info","remarks":{}},
  WebhookCreated: {"title":"A webhook was created","tone":"info","remarks":{"restored":"It was restored from a backup."}},
  WebhookUpdated: {"title":"A webhook was changed","tone":"info","remarks":{}},
  WebhookDeleted: {"title":"A webhook was deleted","tone":"info","remarks":{}},
  WebhookSecretRotated: {"title":"A webhook got a new secret","tone":"info","remarks":{}},
  WebhookEnabled: {"title":"A webhook was enabled","tone":"success","remarks":{}},
  WebhookDisabled: {"title":"A webhook was disabled","tone":"warning","remarks":{"gone":"It answered 410 Gone.","failing":"It failed for five days.","requested":"Somebody disabled it."}},
  ConnectionTried: {"title":"A call was tried manually","tone":"info","remarks":{}},
  ConnectionGrantRevoked: {"title":"Revocation at Google is complete","tone":"info","remarks":{"revoked":"Google has ended the grant.","already_invalid":"The grant had already ended.","superseded_by_new_consent":"It was kept: the account has given new consent since.","client_gone":"It could not be revoked: its OAuth client is no longer here.","no_revocation_endpoint":"It could not be revoked: the provider has no way to do so."}},
  Heartbeat: {"title":"The path of events works","tone":"info","remarks":{}},
};

/** Why a connection has to be authorized again, in words for a chart, a filter and a list. */
export interface CauseText {
  readonly cause: string;
  /** A few words. */
  readonly label: string;
}

/** Every cause the gateway names, for filters. */
export const ALL_CAUSES: readonly CauseText[] = [
  {"cause":"user_revoked","label":"User removed the app"},
  {"cause":"token_revoked","label":"This one token was ended"},
  {"cause":"shared_grant_ended","label":"Grant ended with another connection"},
  {"cause":"password_changed","label":"Password changed"},
  {"cause":"refresh_token_limit","label":"Too many consents for one account"},
  {"cause":"account_token_limit","label":"Too many apps for one account"},
  {"cause":"time_limited_access_over","label":"Access was granted for a limited time"},
  {"cause":"admin_restricted","label":"Blocked by an administrator"},
  {"cause":"context_aware_access","label":"Refused by context-aware access"},
  {"cause":"session_length_over","label":"Workspace session ended"},
  {"cause":"testing_mode_expired","label":"App is in Testing: seven days are over"},
  {"cause":"unused_six_months","label":"Unused for six months"},
  {"cause":"account_unavailable","label":"Google account deleted or suspended"},
  {"cause":"account_restricted","label":"Google account temporarily restricted"},
  {"cause":"advanced_protection","label":"Blocked by Advanced Protection"},
  {"cause":"rotation_lost","label":"New token was lost"},
  {"cause":"credentials_changed","label":"OAuth client was changed"},
  {"cause":"delegation_pending","label":"Waiting for the domain’s administrator"},
  {"cause":"delegation_missing","label":"Not listed by the domain’s administrator"},
  {"cause":"delegation_incomplete","label":"A scope is not listed by the domain’s administrator"},
  {"cause":"subject_unknown","label":"Google knows no such user"},
  {"cause":"subject_not_allowed","label":"The integration may not act for this user"},
  {"cause":"unknown","label":"Google gave no reason"},
];
