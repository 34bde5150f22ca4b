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
  ConnectionReauthorizationRequired: { title: 'Died: needs a new authorization', tone: 'error' },
  ConnectionRecovered: { title: 'Works again', tone: 'success' },
  ConnectionDeleted: { title: 'Deleted', tone: 'info' },
  ConnectionRestored: { title: 'Brought back from a backup', tone: 'warning' },
  ConnectionUpdated: { title: 'Details changed', tone: 'info' },
  ConnectionTried: { title: 'A call was tried from the dashboard', tone: 'info' },
  ConnectionCredentialsRead: { title: 'Tokens were read through the API', tone: 'warning' },
  ConnectionGrantRevoked: { title: 'Grant revoked at Google', tone: 'info' },
  RefreshTokenLimitNear: { title: "Near Google's limit of refresh tokens", tone: 'warning' },
  AuthorizationStarted: { title: 'Authorization started', tone: 'info' },
  AuthorizationFailed: { title: 'Authorization did not finish', tone: 'error' },
};

/** Words for an event type; one that is not known here is shown as it is. */
export function eventText(type: string): EventText {
  return TEXTS[type] ?? { title: type, tone: 'info' };
}

/** Who asked for it. */
export function actorText(actor: string | undefined): string {
  if (actor === undefined) return 'the gateway itself';
  const [kind, id = ''] = actor.split(':');
  if (kind === 'key') return `secret key ${id.slice(0, 12)}`;
  if (kind === 'session') return 'the end user, in a connect session';
  if (kind === 'operator') return `operator ${id}`;
  return actor;
}
