import { causeLabel } from './causes.ts';

/** How an event of a timeline reads. */
export interface EventText {
  readonly title: string;
  readonly tone: 'success' | 'error' | 'warning' | 'info';
}

const TEXTS: Readonly<Record<string, EventText>> = {
  ConnectionCreated: { title: 'Connected', tone: 'success' },
  ConnectionReauthorized: { title: 'Authorized again', tone: 'success' },
  ConnectionScopesChanged: { title: 'Granted scopes changed', tone: 'info' },
  ConnectionExpiring: { title: 'Will end soon', tone: 'warning' },
  ConnectionReauthorizationRequired: { title: 'Needs a new authorization', tone: 'error' },
  ConnectionRecovered: { title: 'Works again', tone: 'success' },
  ConnectionDeleted: { title: 'Deleted', tone: 'info' },
  ConnectionRestored: { title: 'Restored from a backup', tone: 'warning' },
  ConnectionUpdated: { title: 'Details changed', tone: 'info' },
  ConnectionTried: { title: 'A call was tried manually', tone: 'info' },
  ConnectionCredentialsRead: { title: 'Tokens were read through the API', tone: 'warning' },
  ConnectionGrantRevoked: { title: 'Revocation at Google is complete', tone: 'info' },
  RefreshTokenLimitNear: { title: "Near Google's limit of refresh tokens", tone: 'warning' },
  ConnectSessionCreated: { title: 'A connect link was created', tone: 'info' },
  AuthorizationStarted: { title: 'Authorization started', tone: 'info' },
  FilesPicked: { title: 'Files were selected', tone: 'success' },
  ConnectionConfirmationPending: { title: 'Waiting for the app to confirm it', tone: 'info' },
  ConnectionNotConfirmed: { title: 'Was not confirmed', tone: 'warning' },
  FeedPaused: { title: 'A feed was paused', tone: 'warning' },
  FeedResumed: { title: 'A feed resumed', tone: 'success' },
  FeedFailing: { title: 'A feed fails', tone: 'error' },
  AuthorizationFailed: { title: 'Authorization failed', tone: 'error' },
  IntegrationCreated: { title: 'An integration was created', tone: 'info' },
  IntegrationUpdated: { title: 'An integration was changed', tone: 'info' },
  IntegrationDeleted: { title: 'An integration was deleted', tone: 'info' },
  IntegrationCredentialsRejected: { title: 'An OAuth client was refused', tone: 'error' },
  IntegrationRecovered: { title: 'An OAuth client works again', tone: 'success' },
  IntegrationGrantsFailing: { title: 'Many grants of an integration are ending', tone: 'error' },
  SecretKeyCreated: { title: 'A secret key was created', tone: 'info' },
  SecretKeyRevoked: { title: 'A secret key was revoked', tone: 'info' },
  TestCredentialsChanged: { title: 'Test credentials were set', tone: 'info' },
  TestCredentialsRemoved: { title: 'Test credentials were removed', tone: 'info' },
  WebhookCreated: { title: 'A webhook was created', tone: 'info' },
  WebhookUpdated: { title: 'A webhook was changed', tone: 'info' },
  WebhookDeleted: { title: 'A webhook was deleted', tone: 'info' },
  WebhookEnabled: { title: 'A webhook was enabled', tone: 'success' },
  WebhookDisabled: { title: 'A webhook was disabled', tone: 'warning' },
  WebhookSecretRotated: { title: 'A webhook got a new secret', tone: 'info' },
};

/** What some events say beside their type; the other causes are those of a dead grant. */
const REMARKS: Readonly<Record<string, string>> = {
  revocation_requested: 'Its grant is being revoked at Google.',
  revoked: 'Google has ended the grant.',
  already_invalid: 'The grant had already ended.',
  superseded_by_new_consent: 'The grant was kept: the account has given new consent since.',
  imported: 'Its tokens were imported.',
  calls_recorded: 'Every call is recorded for an hour.',
  calls_no_longer_recorded: 'Successful calls are no longer recorded.',
  access_token: 'The access token.',
  refresh_token: 'The access token and the refresh token.',
  not_confirmed_in_time: 'The app did not confirm it within 15 minutes.',
  other_end_user: 'A different user came back than the one the link was created for.',
  withdrawn: 'It was deleted before it was confirmed.',
  account_changed: 'A different account than before.',
  account_unknown: 'Google did not identify the account.',
  scopes_gained: 'The user granted more than before.',
  scopes_lost: 'The user granted less than before.',
  scopes_gained_and_lost: 'The user granted some scopes more and some fewer than before.',
  resource_refused: 'Google has refused its resource for a day.',
  consumer_behind: 'One of its consumers has fallen behind and will miss changes.',
  cursor_expired_again: 'Google refused its position in the history twice within an hour.',
  testing_mode: 'The app is in Testing: grants end seven days after consent.',
  time_limited_access: 'The user granted access for a limited time.',
};

/** Words for an event type; one that is not known here is shown as it is. */
export function eventText(type: string): EventText {
  return TEXTS[type] ?? { title: type, tone: 'info' };
}

/** What an event says beside its type, such as "The user granted more than before."; one that is not known is spelled out. */
export function remarkText(cause: string): string {
  if (cause.startsWith('session:')) return `Connect session ${cause.slice('session:'.length)}.`;
  if (/^\d+$/.test(cause)) return cause === '1' ? 'One file.' : `${cause} files.`;
  const remark = REMARKS[cause] ?? causeLabel(cause);
  return remark === cause ? cause.replaceAll('_', ' ') : remark;
}

/** Who asked for it. */
export function actorText(actor: string | undefined): string {
  if (actor === undefined) return 'the gateway itself';
  const [kind, id = ''] = actor.split(':');
  if (kind === 'key') return `secret key ${id.slice(0, 12)}`;
  if (kind === 'session') return `the end user, in connect session ${id}`;
  if (kind === 'operator') return `operator ${id.slice(0, 8)}`;
  return actor;
}

/** Who made a secret key: another key by its name, where it is among those that are known. */
export function makerText(
  createdBy: string | undefined,
  keys: readonly { readonly id: string; readonly name: string }[],
): string {
  if (createdBy === undefined) return 'Not known';
  const maker = keys.find(({ id }) => createdBy.startsWith('key:') && id.startsWith(createdBy.slice('key:'.length)));
  if (maker !== undefined) return `Key ${maker.name}`;
  const text = actorText(createdBy === 'gateway' ? undefined : createdBy);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
