import { beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { walkConsent } from '../../../packages/simulator/consent.ts';
import {
  connectAccount,
  connectSession,
  finishFlow,
  openCallback,
  reconnectSession,
  startFlow,
  withScopes,
} from '../../support/connect.ts';
import { signIn } from '../../support/operator.ts';
import { control } from '../../support/simulator.ts';
import { useRecordedGateway } from '../../support/use-gateway.ts';
import { silentWrites, type WrittenEvent, writtenEvents } from './audit/writes.ts';
import { keyWith, refreshTokenOf } from './keys.ts';

const OF = '?provider_config_key=audited';
const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const KEY = /^key:[0-9a-f]{12}$/;
const SESSION = /^session:[0-9a-f]{12}$/;
const OPERATOR = /^operator:.+$/;
/** The gateway's own work: nobody asked for it. */
const NOBODY = /^$/;

interface Change {
  readonly name: string;
  /** Makes the change; resolves with the request id it was answered under, where the caller sees one. */
  make(): Promise<string | undefined>;
  /** Each event it must leave: type, who, and the items changed in the same transaction; none for what is not in the table. */
  readonly events: readonly (readonly [type: string, actor: RegExp, together: readonly string[]])[];
}

// The event of the first key is judged as well, so it has to be made here.
const gateway = useRecordedGateway({
  fresh: true,
  environmentOverrides: { CONNECT_ALLOWED_ORIGINS: 'https://app.example' },
});
let operator: string;
let refreshToken: string;
beforeAll(async () => {
  operator = (await signIn(gateway.gateway)).accessToken;
  refreshToken = await refreshTokenOf(gateway, 'google-drive');
});

async function ask(method: string, path: string, body?: unknown, key?: string): Promise<string> {
  const answer = await gateway.json(method, path, body, key);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.headers.get('x-request-id') ?? '';
}

const imported = (connectionId: string) => ({
  provider_config_key: 'audited',
  connection_id: connectionId,
  credentials: { type: 'OAUTH2', refresh_token: refreshToken },
});
const credentials = { type: 'OAUTH2', client_id: '1-a.apps.googleusercontent.com', client_secret: 'GOCSPX-audited' };
const fault = (error: string) =>
  control(gateway, 'POST', '/faults', {
    match: { origin: 'token' },
    times: 1,
    action: { oauthError: { status: 400, error } },
  });
/** The project of the first integration's client. */
async function cloudProject(): Promise<string> {
  const { body } = await gateway.json('GET', '/security-events');
  return body.data.projects[0].cloud_project;
}
/** A refresh that somebody asks for; its outcome does not matter here. */
async function refreshAsked(connectionId: string): Promise<string> {
  const answer = await gateway.json('POST', `/connections/${connectionId}/refresh${OF}`);
  return answer.headers.get('x-request-id') ?? '';
}

let keyId = '';
let sessionToken = '';
let connected = '';
let confirmationHandle = '';

const CHANGES: readonly Change[] = [
  {
    name: 'a key is made',
    async make() {
      const made = await gateway.json('POST', '/account/keys', { name: 'audited', right: 'proxy' });
      keyId = textAt(made.body, 'data', 'id');
      return made.headers.get('x-request-id') ?? '';
    },
    events: [['SecretKeyCreated', KEY, ['KEY']]],
  },
  {
    name: 'an operator limits it',
    make: () =>
      ask('PATCH', `/account/keys/${keyId}`, { limits: { mode: 'observe', allow: ['drive:read'] } }, operator),
    events: [['SecretKeyLimitsChanged', OPERATOR, ['KEY']]],
  },
  {
    name: 'an operator revokes it',
    make: () => ask('DELETE', `/account/keys/${keyId}`, undefined, operator),
    events: [['SecretKeyRevoked', OPERATOR, ['KEY']]],
  },
  {
    name: 'an integration is made',
    make: () => ask('POST', '/integrations/quickstart', { provider: 'google-drive', unique_key: 'audited' }),
    events: [['IntegrationCreated', KEY, ['INTEGRATION']]],
  },
  {
    name: 'an integration is configured',
    make: () =>
      ask(
        'PATCH',
        '/integrations/audited',
        { publishing_status: 'production', scopes: ['drive.readonly', 'drive.file'] },
        operator,
      ),
    events: [['IntegrationUpdated', OPERATOR, ['INTEGRATION']]],
  },
  {
    name: 'what a user connected waits for its confirmation',
    async make() {
      const token = await connectSession(gateway, { allowed_integrations: ['audited'], confirm: true });
      const flow = await startFlow(gateway, token, 'audited');
      const page = await (await finishFlow(flow, { account: 'viewer@workspace.example' })).text();
      confirmationHandle = /cf_[A-Za-z0-9_-]{86}/.exec(page)?.[0] ?? '';
      return undefined;
    },
    events: [
      ['ConnectSessionCreated', KEY, ['SESSION', 'SESSIONOF']],
      ['AuthorizationStarted', SESSION, ['SESSION', 'AUTHORIZATION']],
      ['ConnectionConfirmationPending', SESSION, ['SESSION', 'UNCONFIRMED']],
    ],
  },
  {
    name: 'another user came back than it was for',
    async make() {
      const body = { handle: confirmationHandle, end_user_id: 'nobody' };
      const answer = await gateway.json('POST', '/connect/sessions/confirm', body);
      return answer.headers.get('x-request-id') ?? '';
    },
    events: [
      ['ConnectionNotConfirmed', KEY, ['UNCONFIRMED', 'REVOCATION']],
      ['ConnectionGrantRevoked', NOBODY, ['REVOCATION']],
    ],
  },
  {
    name: 'a connect session is made',
    async make() {
      sessionToken = await connectSession(gateway, { allowed_integrations: ['audited'] });
      return undefined;
    },
    events: [['ConnectSessionCreated', KEY, ['SESSION', 'SESSIONOF']]],
  },
  {
    name: 'the connect sessions of an end user are deleted',
    async make() {
      await connectSession(gateway, { allowed_integrations: ['audited'], end_user: { id: 'leaving' } });
      return await ask('DELETE', '/connect/sessions?end_user_id=leaving');
    },
    events: [
      ['ConnectSessionCreated', KEY, ['SESSION', 'SESSIONOF']],
      ['ConnectSessionDeleted', KEY, ['SESSION', 'SESSIONOF']],
    ],
  },
  {
    name: 'a flow is refused by the user',
    async make() {
      await finishFlow(await startFlow(gateway, sessionToken, 'audited'), { decision: 'cancel' });
      return undefined;
    },
    events: [
      ['AuthorizationStarted', SESSION, ['SESSION', 'AUTHORIZATION']],
      ['AuthorizationFailed', SESSION, ['SESSION']],
    ],
  },
  {
    name: 'a flow ends in another browser',
    async make() {
      const token = await connectSession(gateway, { allowed_integrations: ['audited'] });
      const { location } = await walkConsent((await startFlow(gateway, token, 'audited')).authorizationUrl);
      expect((await openCallback(location)).status).toBe(403);
      return undefined;
    },
    events: [
      ['ConnectSessionCreated', KEY, ['SESSION', 'SESSIONOF']],
      ['AuthorizationStarted', SESSION, ['SESSION', 'AUTHORIZATION']],
      ['AuthorizationFailed', SESSION, ['SESSION']],
    ],
  },
  {
    name: 'a flow makes a connection',
    async make() {
      connected = await connectAccount(gateway, 'audited', {}, withScopes('audited', 'drive.readonly'));
      return undefined;
    },
    events: [
      ['ConnectSessionCreated', KEY, ['SESSION', 'SESSIONOF']],
      ['AuthorizationStarted', SESSION, ['SESSION', 'AUTHORIZATION']],
      ['ConnectionCreated', SESSION, ['SESSION', 'CONNECTION']],
    ],
  },
  {
    name: 'a flow widens its scopes',
    async make() {
      const token = await reconnectSession(gateway, 'audited', connected);
      expect((await finishFlow(await startFlow(gateway, token))).status).toBe(200);
      return undefined;
    },
    events: [
      ['ConnectSessionCreated', KEY, ['SESSION', 'SESSIONOF']],
      ['AuthorizationStarted', SESSION, ['SESSION', 'AUTHORIZATION']],
      ['ConnectionReauthorized', SESSION, ['SESSION', 'CONNECTION']],
      ['ConnectionScopesChanged', SESSION, ['SESSION', 'CONNECTION']],
    ],
  },
  {
    name: 'a connection is taken over',
    make: () => ask('POST', '/connections', imported('taken-over')),
    events: [['ConnectionCreated', KEY, ['CONNECTION']]],
  },
  {
    name: 'a connection is described again',
    make: () => ask('PATCH', `/connections/taken-over${OF}`, { tags: { team: 'blue' } }),
    events: [['ConnectionUpdated', KEY, ['CONNECTION']]],
  },
  {
    name: 'a connection’s calls are recorded',
    make: () => ask('POST', `/connections/taken-over/calls/record${OF}`),
    events: [['ConnectionUpdated', KEY, ['CONNECTION']]],
  },
  {
    name: 'credentials are read',
    async make() {
      const reader = await keyWith(gateway, { can_read_credentials: true });
      return ask('GET', `/connections/taken-over${OF}&refresh_token=true`, undefined, reader);
    },
    events: [
      ['SecretKeyCreated', OPERATOR, ['KEY']],
      ['ConnectionCredentialsRead', KEY, []],
    ],
  },
  {
    name: 'a grant is found dead',
    async make() {
      await fault('invalid_grant');
      return refreshAsked('taken-over');
    },
    events: [['ConnectionReauthorizationRequired', NOBODY, ['CONNECTION']]],
  },
  {
    name: 'a dead grant turns out to live',
    make: () => refreshAsked('taken-over'),
    events: [['ConnectionRecovered', NOBODY, ['CONNECTION']]],
  },
  {
    name: 'the OAuth client is refused',
    async make() {
      await fault('deleted_client');
      return refreshAsked('taken-over');
    },
    events: [['IntegrationCredentialsRejected', NOBODY, ['INTEGRATION']]],
  },
  {
    name: 'the OAuth client works again',
    make: () => refreshAsked('taken-over'),
    events: [['IntegrationRecovered', NOBODY, ['INTEGRATION']]],
  },
  {
    name: 'a connection is deleted and its grant kept',
    make: () => ask('DELETE', `/connections/taken-over${OF}`),
    events: [['ConnectionDeleted', KEY, ['CONNECTION']]],
  },
  {
    name: 'a connection is deleted and its grant revoked',
    make: () => ask('DELETE', `/connections/${connected}${OF}&revoke=force`),
    events: [
      ['ConnectionDeleted', KEY, ['CONNECTION', 'REVOCATION']],
      ['ConnectionGrantRevoked', NOBODY, ['REVOCATION']],
    ],
  },
  {
    name: 'an integration is renamed',
    make: () => ask('PATCH', '/integrations/audited', { unique_key: 'renamed' }),
    events: [['IntegrationUpdated', KEY, ['INTEGRATION', 'INTEGRATION']]],
  },
  {
    name: 'an integration gets a client of its own',
    make: () => ask('PATCH', '/integrations/renamed', { credentials }),
    events: [['IntegrationUpdated', KEY, ['INTEGRATION']]],
  },
  {
    name: 'an integration is deleted',
    make: () => ask('DELETE', '/integrations/renamed'),
    events: [['IntegrationDeleted', KEY, ['INTEGRATION']]],
  },
  {
    name: 'test credentials are set',
    make: () =>
      ask('PUT', '/test-credentials/google-calendar', {
        client_id: credentials.client_id,
        client_secret: 'x'.repeat(24),
      }),
    events: [['TestCredentialsChanged', KEY, []]],
  },
  {
    name: 'test credentials are removed',
    make: () => ask('DELETE', '/test-credentials/google-calendar', undefined, operator),
    events: [['TestCredentialsRemoved', OPERATOR, []]],
  },
  {
    name: 'security events of a Cloud project are registered',
    make: async () => ask('PUT', `/security-events/${await cloudProject()}`, { verification: 'state-of-audit' }),
    events: [['SecurityEventsRegistered', KEY, ['PROJECT']]],
  },
  {
    name: 'security events of a Cloud project are turned off',
    make: async () => ask('DELETE', `/security-events/${await cloudProject()}`, undefined, operator),
    events: [['SecurityEventsRemoved', OPERATOR, ['PROJECT']]],
  },
];

/** Items whose change is no lifecycle change: counts, leases, the log of consents, the mark that a state, key or client was used, rows to clear away. */
const UNAUDITED = [
  'CONSENTS',
  'RATE',
  'CALLS',
  'CHANGES',
  'CLIENT_WORKS',
  'DATAKEY',
  'TESTCLIENT',
  'DEATHS',
  'AUTHORIZATION',
  'CLEARING',
  'CREATION',
];

/** What a search and lists find a connection by, and the counters of its day, change with its row, in the same transaction. */
const ALONGSIDE = ['BUCKET', 'LISTED', 'CHANGES'];

describe('the audit trail', () => {
  test('LG-5: the first key was written with its event', () => {
    const [first] = writtenEvents(gateway.recorder.calls);
    expect(first).toMatchObject({ event: { eventType: 'SecretKeyCreated' }, together: ['KEY'] });
  });

  // In order: each change stands on the ones before.
  test.each(CHANGES.map((change) => [change.name, change] as const))(
    'LG-5: %s: exactly its events, each in the transaction of its change, with who, when and request',
    async (_, change) => {
      const before = gateway.recorder.calls.length;
      const startedAt = new Date().toISOString();
      const requestId = await change.make();
      const calls = gateway.recorder.calls.slice(before);
      const written = writtenEvents(calls);
      expect(
        written.map(({ event, together }) => [
          event.eventType,
          together.filter((kind) => !ALONGSIDE.includes(kind)).sort(),
        ]),
      ).toEqual(change.events.map(([type, , together]) => [type, [...together].sort()]));
      for (const [at, [type, actor]] of change.events.entries()) expectWhole(written[at], type, actor, startedAt);
      if (requestId !== undefined) expect(written.at(-1)?.event.requestId).toBe(requestId);
      const silent = silentWrites(calls).filter((kind) => !UNAUDITED.includes(kind));
      // What a refresh leaves in addition to is its lease and its tokens; the last use of a key is no change of it.
      expect(silent.filter((kind) => !['CONNECTION', 'KEY', 'KEYUSES'].includes(kind))).toEqual([]);
    },
  );

  function expectWhole(written: WrittenEvent | undefined, type: string, actor: RegExp, since: string): void {
    const { event = {} } = written ?? {};
    expect(event.occurredAt, type).toMatch(ISO_UTC);
    expect(String(event.occurredAt) >= since, `${type} at ${event.occurredAt}, not before ${since}`).toBe(true);
    expect(event.requestId, type).toMatch(/\S{8,}/);
    expect(event.accountId, type).toBe('default');
    expect(event.actor, type).toMatch(actor);
  }

  test('LG-5: no event was ever changed or deleted by the gateway', () => {
    const touched = gateway.recorder.calls.filter(({ operation, request }) => {
      const parts = JSON.stringify(
        operation === 'TransactWriteItems' ? request.TransactItems : [{ [operation]: request }],
      );
      return /"(Update|Delete|UpdateItem|DeleteItem)":\{[^{]*"Key":\{[^}]*\}?,?"sk":\{"S":"EVENT#/.test(parts);
    });
    expect(touched).toEqual([]);
  });
});
