import { describe, expect, test } from 'vitest';
import type { ClientCredentials, Integration } from '../../../lambdas/gateway/integrations/integration.rules.ts';
import type { TokenCallResult } from '../../../lambdas/gateway/tokens/ports.ts';
import { callTokenEndpoint } from '../../../lambdas/gateway/tokens/token-endpoint-call.ts';
import { fake } from '../support/fake.ts';
import { endpointsAt } from '../support/google.ts';
import { connection, integration, START_SEC } from './support/connection.ts';

const CLIENT = connection().clientId;
const ENDPOINTS = endpointsAt({ tokenEndpoint: 'http://127.0.0.1/token' });
const answered = (status: number, body: object): TokenCallResult => ({
  kind: 'answered',
  response: { status, body: JSON.stringify(body), retryAfter: undefined },
});
const TOKENS = answered(200, { access_token: 'access-1', token_type: 'Bearer', expires_in: 3599 });
const INVALID_CLIENT = answered(401, { error: 'invalid_client' });
const lost: TokenCallResult = { kind: 'failed', reason: 'token_endpoint_timeout', ambiguous: true };
const unsent: TokenCallResult = { kind: 'failed', reason: 'token_endpoint_unreachable', ambiguous: false };
const secrets = (clientSecret: string, previousClientSecret?: string, clientId = CLIENT): ClientCredentials => ({
  clientId,
  clientSecret,
  previousClientSecret,
});

interface Script {
  readonly answers?: readonly TokenCallResult[];
  /** Remembered credentials, and those read anew. */
  readonly known?: ClientCredentials | Error | undefined;
  readonly anew?: ClientCredentials | Error | undefined;
  readonly current?: Integration | Error | undefined;
  /** How long each token call takes. */
  readonly callMs?: number;
  readonly untilMs?: number;
}

/** One attempt's question against a scripted provider; `asked` are the arguments of every token call. */
async function call(script: Script) {
  const asked: unknown[][] = [];
  const read: unknown[] = [];
  const answers = [...(script.answers ?? [TOKENS])];
  let nowMs = START_SEC * 1000;
  const given = async <T>(value: T | Error): Promise<T> => {
    if (value instanceof Error) throw value;
    return value;
  };
  const known = 'known' in script ? script.known : secrets('old');
  const outcome = await callTokenEndpoint(
    {
      credentials: {
        get: (of: Integration, options?: { readonly fresh?: boolean }) => {
          read.push([of.version, options?.fresh === true]);
          return given(options?.fresh === true ? script.anew : known);
        },
      },
      integrations: fake({
        get: (ref: unknown) => {
          read.push(ref);
          return given('current' in script ? script.current : integration({ version: 2 }));
        },
      }),
      tokenEndpoint: fake({
        refresh: async (...args: unknown[]) => {
          asked.push(args);
          nowMs += script.callMs ?? 0;
          return answers.shift() ?? lost;
        },
      }),
      endpointsOf: () => ENDPOINTS,
      clock: { nowMs: () => nowMs },
    },
    {
      integration: integration(),
      clientId: CLIENT,
      refreshToken: 'refresh-0',
      callTimeoutMs: 8_000,
      untilMs: START_SEC * 1000 + (script.untilMs ?? 20_000),
    },
  );
  return { outcome, asked, read, secrets: asked.map(([, , secret]) => secret) };
}

describe('a token call', () => {
  test('asks once, with the client of the grant, and judges the answer', async () => {
    const { outcome, asked, read } = await call({});
    expect(outcome).toMatchObject({
      kind: 'judged',
      ambiguous: false,
      judgement: {
        kind: 'tokens',
        tokens: { accessToken: 'access-1', accessTokenExpiresAtEpochSec: START_SEC + 3599 },
      },
    });
    expect(asked.map(([endpoints, ...rest]) => [endpoints === ENDPOINTS, ...rest])).toEqual([
      [true, CLIENT, 'old', 'refresh-0', 8_000],
    ]);
    expect(read).toEqual([[1, false]]);
  });

  test.each([
    [[lost, TOKENS], { kind: 'judged', ambiguous: true }, 2],
    [[unsent, TOKENS], { kind: 'judged', ambiguous: false }, 2],
    [[lost, unsent], { kind: 'unanswered', reason: 'token_endpoint_unreachable', ambiguous: true }, 2],
    [[unsent, unsent, TOKENS], { kind: 'unanswered', reason: 'token_endpoint_unreachable', ambiguous: false }, 2],
    [[answered(503, {}), TOKENS], { kind: 'judged', ambiguous: false, judgement: { kind: 'transient' } }, 1],
  ])('is repeated once after no complete answer, never after one: case %#', async (answers, outcome, calls) => {
    const result = await call({ answers });
    expect(result.outcome).toMatchObject(outcome);
    expect(result.asked).toHaveLength(calls);
  });

  test('F03: is given no more time than is left, and none where none is left', async () => {
    const { outcome, asked } = await call({ answers: [lost, TOKENS], callMs: 8_000, untilMs: 9_500 });
    expect(outcome).toMatchObject({ kind: 'judged' });
    expect(asked.map(([, , , , timeoutMs]) => timeoutMs)).toEqual([8_000, 1_500]);
    const late = await call({ answers: [lost, TOKENS], callMs: 8_000, untilMs: 8_000 });
    expect(late.outcome).toEqual({ kind: 'unanswered', reason: 'token_endpoint_timeout', ambiguous: true });
    expect(late.asked).toHaveLength(1);
    const never = await call({ untilMs: 0 });
    expect(never.outcome).toEqual({ kind: 'unanswered', reason: 'token_endpoint_timeout', ambiguous: false });
    expect(never.asked).toEqual([]);
  });
});

describe('a client that is refused (TK-4)', () => {
  test('has its secret read anew and the previous one tried, once each', async () => {
    const result = await call({
      answers: [INVALID_CLIENT, INVALID_CLIENT, INVALID_CLIENT],
      anew: secrets('new', 'previous'),
    });
    expect(result.secrets).toEqual(['old', 'new', 'previous']);
    expect(result.outcome).toMatchObject({ judgement: { kind: 'client_fault', error: 'invalid_client' } });
    expect(result.read).toEqual([
      [1, false],
      [1, true],
    ]);
  });

  test.each([
    [secrets('new', 'previous'), ['old', 'new']],
    [secrets('old', 'previous'), ['old', 'previous']],
    [secrets('new'), ['old', 'new']],
  ])('is asked for with no secret twice, and not on after one that works: %j', async (anew, tried) => {
    const result = await call({ answers: [INVALID_CLIENT, TOKENS], anew });
    expect(result.secrets).toEqual(tried);
    expect(result.outcome).toMatchObject({ judgement: { kind: 'tokens' } });
  });

  test('stays refused where there is no other secret', async () => {
    const result = await call({ answers: [INVALID_CLIENT], anew: secrets('old', 'old') });
    expect(result.secrets).toEqual(['old']);
    expect(result.outcome).toMatchObject({ judgement: { kind: 'client_fault' } });
  });

  test('for another reason has no secret read anew', async () => {
    const result = await call({ answers: [answered(401, { error: 'deleted_client' })], anew: secrets('new') });
    expect(result.secrets).toEqual(['old']);
    expect(result.outcome).toMatchObject({ judgement: { kind: 'client_fault', error: 'deleted_client' } });
  });

  test('an answer that was lost stays open through the other secrets', async () => {
    const answers = [lost, INVALID_CLIENT, INVALID_CLIENT, answered(400, { error: 'invalid_grant' })];
    const result = await call({ answers, anew: secrets('new', 'previous') });
    expect(result.outcome).toMatchObject({ ambiguous: true, judgement: { kind: 'dead_grant' } });
    const clean = await call({ answers: answers.slice(1), anew: secrets('new', 'previous') });
    expect(clean.outcome).toMatchObject({ ambiguous: false });
  });

  test.each([
    [undefined, { kind: 'no_credentials' }],
    [secrets('new', undefined, 'another-client'), { kind: 'client_changed' }],
    [
      new Error('secret store is away'),
      { kind: 'unanswered', reason: 'client_credentials_unavailable', ambiguous: false },
    ],
  ])('ends as the fresh secret says: %s', async (anew, outcome) => {
    expect((await call({ answers: [INVALID_CLIENT], anew })).outcome).toEqual(outcome);
  });
});

describe('credentials that do not fit the grant', () => {
  const older = secrets('older', undefined, 'older-client');

  test.each([[older], [undefined]])('are judged on fresh records only: %j', async (known) => {
    const result = await call({ known, anew: secrets('new') });
    expect(result.outcome).toMatchObject({ judgement: { kind: 'tokens' } });
    expect(result.secrets).toEqual(['new']);
    expect(result.read).toEqual([[1, false], { accountId: 'default', integrationId: 'drive' }, [2, true]]);
  });

  test('that are refused are read anew of the fresh integration', async () => {
    const result = await call({ known: older, anew: secrets('new', 'previous'), answers: [INVALID_CLIENT, TOKENS] });
    expect(result.secrets).toEqual(['new', 'previous']);
    expect(result.read.at(-1)).toEqual([2, true]);
  });

  test.each<[string, Script, object]>([
    ['another client', { anew: older }, { kind: 'client_changed' }],
    ['no credentials', { anew: undefined }, { kind: 'no_credentials' }],
    ['no integration', { current: undefined, anew: secrets('new') }, { kind: 'no_credentials' }],
    ['no table', { current: new Error('away'), anew: secrets('new') }, { reason: 'client_credentials_unavailable' }],
    ['no store', { known: new Error('away') }, { kind: 'unanswered', ambiguous: false }],
    ['no fresh read', { anew: new Error('away') }, { reason: 'client_credentials_unavailable', ambiguous: false }],
  ])('with %s ask nobody', async (_, script, outcome) => {
    const result = await call({ known: older, ...script });
    expect(result.outcome).toMatchObject(outcome);
    expect(result.asked).toEqual([]);
  });
});
