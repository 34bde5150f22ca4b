import { describe, expect, test } from 'vitest';
import { UpstreamError, type UpstreamFailureKind } from '../../../lambdas/gateway/core/http-message.ts';
import { google } from '../support/google.ts';
import { START_SEC } from './support/connection.ts';
import {
  AUDIENCE,
  bodyOf,
  DRIVE,
  delegation,
  delegationWorld,
  reply,
  signedByIam,
  USER,
} from './support/delegation.ts';

const KEYLESS = delegation({ via: 'aws', audience: AUDIENCE, keyId: undefined, keyAddedAtEpochSec: undefined });
const OTHER = `${AUDIENCE}-2`;

/** A process that signs without a key. */
function keylessWorld() {
  const world = delegationWorld();
  return {
    ...world,
    ask: (changes: Parameters<typeof world.ask>[0] = {}) =>
      world.ask({ delegation: KEYLESS, scopes: [DRIVE], ...changes }),
    /** Paths of the requests to services other than the token endpoint. */
    paths: () => world.sent.map(({ path }) => path.replace(/^.*[/:]/, '')),
  };
}

describe('a token for a user without a key of the service account', () => {
  test('a token for a user without a key of the service account is of an assertion that IAM signs, for a token that AWS’s word was exchanged for', async () => {
    const { ask, sent, identities, presented } = keylessWorld();
    expect(await ask()).toMatchObject({ kind: 'tokens', tokens: { accessToken: 'access-1' } });
    expect(identities).toEqual([[AUDIENCE, new Date(START_SEC * 1000).toISOString()]]);
    const timeouts = { firstByteTimeoutMs: 8_000, idleTimeoutMs: 8_000, totalTimeoutMs: 8_000 };
    const headers = [
      ['content-type', 'application/json'],
      ['accept', 'application/json'],
      ['accept-encoding', 'identity'],
    ];
    expect(sent.map((request) => ({ ...request, body: bodyOf(request) }))).toEqual([
      {
        origin: 'https://sts.googleapis.com',
        method: 'POST',
        path: '/v1/token',
        headers,
        body: {
          audience: AUDIENCE,
          grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
          requestedTokenType: 'urn:ietf:params:oauth:token-type:access_token',
          scope: 'https://www.googleapis.com/auth/cloud-platform',
          subjectTokenType: 'urn:ietf:params:aws:token-type:aws4_request',
          subjectToken: 'signed-by-aws',
        },
        ...timeouts,
      },
      {
        origin: 'https://iamcredentials.googleapis.com',
        method: 'POST',
        path: '/v1/projects/-/serviceAccounts/robot%40project.iam.gserviceaccount.com:signJwt',
        headers: [...headers, ['authorization', 'Bearer federated']],
        body: { payload: expect.any(String) },
        ...timeouts,
      },
    ]);
    expect(JSON.parse(bodyOf(sent[1] ?? expect.fail('nothing signed')).payload ?? '')).toEqual({
      iss: KEYLESS.serviceAccount,
      sub: USER,
      scope: DRIVE,
      aud: 'https://oauth2.googleapis.com/token',
      iat: START_SEC,
      exp: START_SEC + 3600,
    });
    expect(presented.map(({ claims, timeoutMs }) => [claims.sub, timeoutMs])).toEqual([[USER, 8_000]]);
  });

  test('a token for a user without a key of the service account is asked for in the time that the caller has', async () => {
    const { ask, sent, presented, script } = keylessWorld();
    const { sign } = script;
    script.sign = (request) => {
      script.nowMs += 1_000;
      return sign(request);
    };
    await ask({ untilMs: script.nowMs + 3_000 });
    expect(sent.map(({ totalTimeoutMs }) => totalTimeoutMs)).toEqual([3_000, 3_000]);
    expect(presented.map(({ timeoutMs }) => timeoutMs)).toEqual([2_000]);
  });

  test('takes no step of longer than a call of the token endpoint', async () => {
    const { ask, sent, script } = keylessWorld();
    await ask({ callTimeoutMs: 60_000, untilMs: script.nowMs + 60_000 });
    expect(sent.map(({ totalTimeoutMs }) => totalTimeoutMs)).toEqual([8_000, 8_000]);
  });
});

describe('the federated token', () => {
  test('serves a process for as long as it lives, but for its last two minutes', async () => {
    const { ask, paths, script } = keylessWorld();
    await ask();
    script.nowMs = (START_SEC + 3600 - 121) * 1000;
    await ask();
    expect(paths()).toEqual(['token', 'signJwt', 'signJwt']);
    script.nowMs += 1_000;
    await ask();
    expect(paths()).toEqual(['token', 'signJwt', 'signJwt', 'token', 'signJwt']);
  });

  test('serves its own audience alone', async () => {
    const { ask, paths, identities } = keylessWorld();
    await ask();
    await ask({ delegation: delegation({ via: 'aws', audience: OTHER }) });
    await ask();
    expect(paths()).toEqual(['token', 'signJwt', 'token', 'signJwt', 'signJwt']);
    expect(identities.map((one) => Object(one)[0])).toEqual([AUDIENCE, OTHER]);
  });

  test.each([undefined, '3600'])('the federated token is not kept where its time is given as %j', async (expiresIn) => {
    const { ask, paths, script } = keylessWorld();
    script.exchange = () => reply(200, { access_token: 'federated', expires_in: expiresIn });
    await ask();
    await ask();
    expect(paths()).toEqual(['token', 'signJwt', 'token', 'signJwt']);
  });

  test('the federated token that was kept and is refused is exchanged again, once', async () => {
    const { ask, paths, script, sent } = keylessWorld();
    const { sign } = script;
    await ask();
    script.exchange = () => reply(200, { access_token: 'second', expires_in: 3600 });
    script.sign = (request) =>
      request.headers.some(([, value]) => value === 'Bearer second') ? sign(request) : reply(401, {});
    expect(await ask()).toMatchObject({ kind: 'tokens' });
    expect(paths()).toEqual(['token', 'signJwt', 'signJwt', 'token', 'signJwt']);
    // The new one is kept in its place.
    await ask();
    expect(paths()).toHaveLength(6);
    expect(sent.at(-1)?.headers).toContainEqual(['authorization', 'Bearer second']);
  });

  test('the federated token that was kept is not exchanged again for an answer that says nothing of it', async () => {
    const { ask, paths, script } = keylessWorld();
    await ask();
    for (const status of [403, 404, 429, 500]) {
      script.sign = () => reply(status, {});
      expect(await ask()).not.toMatchObject({ kind: 'tokens' });
    }
    expect(paths()).toEqual(['token', ...Array(5).fill('signJwt')]);
  });

  test('the federated token that is refused when it is new is not exchanged again', async () => {
    const { ask, paths, script } = keylessWorld();
    script.sign = () => reply(401, {});
    expect(await ask()).toEqual({ kind: 'client_fault', error: 'signing_denied' });
    expect(paths()).toEqual(['token', 'signJwt']);
    // Kept, refused, and the one that replaces it as well.
    expect(await ask()).toEqual({ kind: 'client_fault', error: 'signing_denied' });
    expect(paths()).toEqual(['token', 'signJwt', 'signJwt', 'token', 'signJwt']);
  });
});

describe('what Google’s other services answer', () => {
  const FEDERATION = { kind: 'client_fault', error: 'federation_refused' };
  const failed = (reason: string) => ({ kind: 'failed', reason, retryAfterSec: undefined, isAnswer: false });

  test.each<[string, number, unknown, object]>([
    ['a refusal', 400, { error: 'invalid_grant' }, FEDERATION],
    ['a refusal with a token', 403, { access_token: 'x' }, FEDERATION],
    ['no token', 200, {}, FEDERATION],
    ['a token that is none', 200, { access_token: 5 }, FEDERATION],
    ['no JSON', 200, '<html>', FEDERATION],
    ['null', 200, 'null', FEDERATION],
    ['a list', 200, '["access_token"]', FEDERATION],
    ['too many requests', 429, {}, failed('token_exchange_429')],
    ['an outage', 500, {}, failed('token_exchange_500')],
    ['an outage behind a page', 503, '<html>', failed('token_exchange_503')],
  ])('STS: %s (%i)', async (_, status, body, expected) => {
    const { ask, paths, presented, script } = keylessWorld();
    script.exchange = () => reply(status, body);
    expect(await ask()).toEqual(expected);
    expect([paths(), presented]).toEqual([['token'], []]);
  });

  const ACCOUNT = { kind: 'client_fault', error: 'service_account_unavailable' };
  const SIGNING = { kind: 'client_fault', error: 'signing_denied' };
  test.each<[string, number, unknown, object]>([
    ['an account that is gone', 404, {}, ACCOUNT],
    ['an account that is disabled', 400, {}, ACCOUNT],
    ['no right to sign', 403, {}, SIGNING],
    ['a refusal with a signature', 403, { signedJwt: signedByIam({}) }, SIGNING],
    ['no signature', 200, {}, SIGNING],
    ['a signature that is none', 200, { signedJwt: 5 }, SIGNING],
    ['no JSON', 200, '<html>', SIGNING],
    ['too many requests', 429, {}, failed('sign_jwt_429')],
    ['an outage', 500, {}, failed('sign_jwt_500')],
  ])('IAM: %s (%i)', async (_, status, body, expected) => {
    const { ask, paths, presented, script } = keylessWorld();
    script.sign = () => reply(status, body);
    expect(await ask()).toEqual(expected);
    expect([paths(), presented]).toEqual([['token', 'signJwt'], []]);
  });

  test('more than an answer can hold is none', async () => {
    const { ask, script } = keylessWorld();
    const padded = (length: number) => JSON.stringify({ access_token: 'federated', expires_in: 3600 }).padEnd(length);
    script.exchange = () => reply(200, padded(1024 * 1024));
    expect(await ask()).toMatchObject({ kind: 'tokens' });
    script.nowMs += 3_600_000;
    script.exchange = () => reply(200, padded(1024 * 1024 + 1));
    expect(await ask()).toEqual(FEDERATION);
  });

  test.each<[UpstreamFailureKind | 'cut', string]>([
    ['timeout', 'signing_timeout'],
    ['unreachable', 'signing_unreachable'],
    ['invalid_response', 'signing_invalid_response'],
    ['cut', 'signing_cut'],
  ])('no answer (%s) may pass', async (kind, reason) => {
    const fail = () => {
      throw kind === 'cut' ? new Error('The connection ended') : new UpstreamError(kind, true, false, undefined);
    };
    const exchanging = keylessWorld();
    exchanging.script.exchange = fail;
    expect(await exchanging.ask()).toEqual(failed(reason));
    const signing = keylessWorld();
    signing.script.sign = fail;
    expect(await signing.ask()).toEqual(failed(reason));
    expect(signing.paths()).toEqual(['token', 'signJwt']);
  });

  test('an identity of AWS that cannot be had may be there the next time: nothing is sent', async () => {
    const { ask, sent, script } = keylessWorld();
    script.hasIdentity = false;
    expect(await ask()).toEqual(failed('aws_identity_unavailable'));
    expect(sent).toEqual([]);
  });
});

describe('nothing is sent for a service account that nobody can sign for', () => {
  test.each<[string, Parameters<ReturnType<typeof keylessWorld>['ask']>[0], object]>([
    ['an integration without a workload identity pool', { delegation: delegation({ via: 'aws' }) }, {}],
    ['a deployment without the address of STS', {}, { tokenExchangeEndpoint: undefined }],
    ['a deployment without the address of IAM', {}, { serviceAccountsEndpoint: undefined }],
  ])('%s', async (_, asked, endpoints) => {
    const { ask, sent, script } = keylessWorld();
    script.endpoints = endpoints;
    expect(await ask(asked)).toEqual({ kind: 'client_fault', error: 'federation_refused' });
    expect(sent).toEqual([]);
  });

  test('a server without words for service accounts', async () => {
    const { delegation: _, ...server } = google;
    const { ask, script } = keylessWorld();
    script.endpoints = { server, tokenExchangeEndpoint: undefined };
    expect(await ask()).toEqual({ kind: 'client_fault', error: 'federation' });
  });
});
