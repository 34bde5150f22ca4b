import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { AwsRequestSigner } from 'google-auth-library/build/src/auth/awsrequestsigner.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { TableUnits } from '../../../dev/support/table-units.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionStore } from '../../../lambdas/gateway/connections/connection.store.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import type { ConnectionLists } from '../../../lambdas/gateway/connections/ports.ts';
import type { CipherContext } from '../../../lambdas/gateway/core/ports.ts';
import {
  connectionIdOfSubject,
  type Delegation,
  isAllowedSubject,
  keyToSecret,
  storedClientId,
  subjectOf,
} from '../../../lambdas/gateway/integrations/delegation.rules.ts';
import { integrationStore } from '../../../lambdas/gateway/integrations/integration.store.ts';
import { integrationToItem } from '../../../lambdas/gateway/integrations/integration-item.store.ts';
import { awsIdentity } from '../../../lambdas/gateway/platform/aws-identity.ts';
import { google } from '../../../lambdas/gateway/providers/google/server.ts';
import { accessTokenContext, refreshTokenContext } from '../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { delegatedDomainStore } from '../../../lambdas/gateway/tokens/delegated-domain.store.ts';
import { DelegatedTokens, judgeAssertionAnswer } from '../../../lambdas/gateway/tokens/delegated-token.ts';
import { DelegatedDomains, subjectRefresher } from '../../../lambdas/gateway/tokens/refresh-for-subject.ts';
import { ConnectionRefresher, LeaseHolder } from '../../../lambdas/gateway/tokens/refresher.ts';
import type { TokenHttpResponse } from '../../../lambdas/gateway/tokens/token-response.rules.ts';
import { askDomains } from '../../../lambdas/refresh/ask-domains.ts';
import { ASSUMPTIONS } from '../../../packages/cli/costs/prices.ts';
import { anyText } from '../../support/any-text.ts';
import { drawn } from '../../support/draws.ts';
import { connection, integration } from '../refresh/support/connection.ts';
import { direct, refreshWorld } from '../refresh/support/refresh-world.ts';
import { endpointsAt } from '../support/google.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

const DELEGATION: Delegation = {
  serviceAccount: 'robot@project.iam.gserviceaccount.com',
  clientId: '100000000000000000001',
  projectNumber: '123456789012',
  via: 'key',
  audience: undefined,
  keyId: 'k1',
  keyAddedAtEpochSec: 1,
  subjects: {
    domains: ['workspace.example'],
    addresses: ['one@other.example'],
    exceptions: ['boss@workspace.example'],
  },
  allowsDomainAdmin: false,
  newSubjectsPerHour: 100,
  idSalt: 'c2FsdA',
};

afterEach(() => {
  vi.useRealTimers();
});

describe('the users that an integration may act for', () => {
  it.each([
    ['user@workspace.example', true],
    ['USER@WorkSpace.Example', true],
    ['one@other.example', true],
    ['boss@workspace.example', false],
    ['two@other.example', false],
    ['user@sub.workspace.example', false],
    ['user+tag@workspace.example', false],
    ['user@workspace.example.evil.example', false],
    ['user@workspасe.example', false],
    ['user@wor\u212aspace.example', false],
    ['user@workspace.example ', false],
    ['"a b"@workspace.example', false],
    ['a@b@workspace.example', false],
    ['workspace.example', false],
    ['@workspace.example', false],
    ['user@workspace.example\n', false],
  ])('SA-20: the users that an integration may act for of %j is %s', (text, expected) => {
    const address = subjectOf(text);
    expect(address !== undefined && isAllowedSubject(address, DELEGATION.subjects)).toBe(expected);
  });

  it('SA-20: an integration acts for nobody of a stranger’s domain, by any spelling of an address', {
    tags: ['drawn'],
  }, () => {
    const own = 'workspace.example';
    const stranger = 'second.example';
    const spellings: readonly ((text: string) => string)[] = [
      (text) => text.toUpperCase(),
      (text) => text.replace('k', '\u212a'),
      (text) => text.replace('s', '\u017f'),
      (text) => text.replace('e', '\u0435').replace('o', '\u03bf'),
      (text) => text.replace('@', '\uff20').replaceAll('.', '\u3002'),
      (text) => text.normalize('NFD').replace('e', 'e\u0301'),
      (text) => text.replace('@', '@xn--'),
      (text) => `${text}.`,
      (text) => text.replace('@', '@.'),
      (text) => text.replace('@', `@${own}@`),
      (text) => text.replace('@', `@${own}.`),
      (text) => `${text}.${own}`,
      (text) => `${text}@${own}`,
      (text) => text.replace('@', `+x@`),
      (text) => text.replace('@', `%40`),
      (text) => encodeURIComponent(text),
      (text) => ` ${text}`,
      (text) => `${text}\t`,
      (text) => `${text}\0`,
      (text) => `${text},user@${own}`,
      (text) => `user@${own}\n${text}`,
      (text) => `<${text}>`,
      (text) => `"user@${own}"@${text}`,
      (text) => text.replace('@', `(@${own})@`),
      (text) => text.replace('@', '\u200b@'),
    ];
    const local = fc.constantFrom('user', 'boss', 'one', 'a.b', own, `user@${own}`);
    const domain = fc.constantFrom(stranger, `sub.${own}`, `${own}.${stranger}`, `x${own}`, own);
    const pieces = fc.array(fc.constantFrom(...spellings), { maxLength: 4 });
    fc.assert(
      fc.property(local, domain, pieces, anyText({ maxLength: 3 }), (user, of, ways, noise) => {
        for (const text of [`${user}@${of}`, `${user}${noise}@${of}`, `${user}@${of}${noise}`]) {
          const spelled = ways.reduce((before, way) => way(before), text);
          const subject = subjectOf(spelled);
          if (subject === undefined || !isAllowedSubject(subject, DELEGATION.subjects)) continue;
          // What passes is what was written, but for its case, and of a domain that is allowed as a whole.
          expect(subject).toBe(spelled.toLowerCase());
          expect(spelled).toMatch(/^[!-~]+$/);
          expect([own, 'one@other.example']).toContain(
            subject === 'one@other.example' ? subject : subject.split('@')[1],
          );
          expect(subject.split('@')).toHaveLength(2);
        }
      }),
      { numRuns: drawn(5_000) },
    );
  });

  it('SA-20: an integration acts for nobody where nothing is allowed', () => {
    expect(isAllowedSubject('user@workspace.example', { domains: [], addresses: [], exceptions: [] })).toBe(false);
  });

  it('gives each user an id that says no address, and each integration others', () => {
    const id = connectionIdOfSubject(DELEGATION, 'user@workspace.example');
    expect(id).toMatch(/^sub_[\w-]{32}$/);
    expect(connectionIdOfSubject(DELEGATION, 'usor@workspace.example')).not.toBe(id);
    expect(connectionIdOfSubject({ idSalt: 'b3RoZXI' }, 'user@workspace.example')).not.toBe(id);
  });
});

describe('the word of AWS for who the function is', () => {
  it('the word of AWS for who the function is has the signature that Google’s own library makes, bit for bit', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 27, 12, 0, 0), toFake: ['Date'] });
    const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret/+=', sessionToken: 'token' };
    const audience = '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q';
    const own = await awsIdentity('eu-central-1', async () => credentials).subjectToken(audience, new Date());
    const { secretAccessKey, sessionToken, accessKeyId } = credentials;
    const theirs = new AwsRequestSigner(
      async () => ({ accessKeyId, secretAccessKey, token: sessionToken }),
      'eu-central-1',
    );
    const url = 'https://sts.eu-central-1.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15';
    const signed = await theirs.getRequestOptions({
      url,
      method: 'POST',
      headers: { 'x-goog-cloud-target-resource': audience },
    });
    const request: { url: string; headers: { key: string; value: string }[] } = JSON.parse(decodeURIComponent(own));
    expect(request.url).toBe(url);
    const authorization = request.headers.find(({ key }) => key.toLowerCase() === 'authorization')?.value;
    const expected = new Headers(Object(signed).headers).get('authorization');
    const signature = (text: string | null | undefined) => /Signature=([0-9a-f]{64})/.exec(text ?? '')?.[1];
    expect(signature(authorization)).toBe(signature(expected));
    expect(signature(expected)).toBeDefined();
  });
});

describe('what Google answers to an assertion', () => {
  const judge = (status: number, error: string, error_description: string) =>
    judgeAssertionAnswer(
      { status, body: JSON.stringify({ error, error_description }), retryAfter: undefined },
      1,
      google,
    );
  it.each([
    [
      401,
      'unauthorized_client',
      'Client is unauthorized to retrieve access tokens using this method, or …',
      'not_listed',
    ],
    [400, 'access_denied', 'Requested client not authorized.', 'scope_not_listed'],
    [400, 'access_denied', 'Account restricted', 'user_restricted'],
    [400, 'admin_policy_enforced', '', 'admin_policy'],
    [400, 'invalid_grant', 'Not a valid email or user ID.', 'subject_unknown'],
    [400, 'invalid_grant', 'Invalid email or User ID', 'subject_unknown'],
    [400, 'invalid_grant', 'The account has been deleted.', 'subject_gone'],
    [400, 'invalid_request', 'Invalid impersonation "sub" field: x', 'subject_unknown'],
    [400, 'invalid_grant', 'Invalid JWT Signature.', 'key_refused'],
    [400, 'invalid_grant', 'Invalid grant: account not found', 'robot_gone'],
    [400, 'invalid_grant', 'Robot is disabled.', 'robot_gone'],
    [401, 'disabled_client', 'The OAuth client was disabled.', 'robot_gone'],
    [401, 'deleted_client', 'The OAuth client was deleted.', 'robot_gone'],
    [
      400,
      'invalid_grant',
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.',
      'clock',
    ],
    [400, 'invalid_scope', 'x is not a valid audience string.', 'scope_unknown'],
  ])('SA-23: what Google answers to an assertion of %i %s %j means %s', (status, error, words, meaning) => {
    expect(judge(status, error, words)).toEqual({ kind: 'refused', meaning, error });
  });

  it('what Google answers to an assertion does not take words that it does not know for anything', () => {
    expect(judge(400, 'invalid_grant', 'Bad Request')).toMatchObject({ kind: 'refused', meaning: undefined });
    expect(judge(503, 'unauthorized_client', '')).toMatchObject({ kind: 'failed' });
  });
});

/** What Google answers for a user. */
function tokenOf(sub: string): TokenHttpResponse {
  const body = JSON.stringify({ access_token: `of-${sub}`, token_type: 'Bearer', expires_in: 3599 });
  return { status: 200, body, retryAfter: undefined };
}

/** Users of a domain in one process, over a table of their own. */
async function usersOfDomain(count: number, answer: (sub: string) => TokenHttpResponse = tokenOf) {
  const memory = new MemoryTable();
  const app = integration({
    delegation: DELEGATION,
    clientId: storedClientId(DELEGATION),
    scopes: ['https://www.googleapis.com/auth/drive'],
  });
  memory.put(integrationToItem(app));
  const seal = (context: CipherContext, text: string) => `${JSON.stringify(context)}|${text}`;
  const rows = Array.from({ length: count }, (_, n): Connection => {
    const address = `user-${n}@workspace.example`;
    const connectionId = connectionIdOfSubject(DELEGATION, address);
    const scopes = { requestedScopes: app.scopes, grantedScopes: app.scopes };
    const row = connection({ connectionId, delegated: true, refreshAtEpochSec: undefined, ...scopes });
    const providerAccount = { subject: address, email: address };
    return { ...row, providerAccount, encryptedRefreshToken: seal(refreshTokenContext(row), address) };
  });
  for (const row of rows) memory.put(connectionToItem(row));
  const base = refreshWorld().deps(direct);
  const tokenEndpoint = {
    async exchangeAssertion(_: unknown, assertion: string) {
      const { sub } = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString());
      // Later ones overtake earlier ones.
      for (let turns = Number(/\d+/.exec(sub)?.[0]) % 7; turns > 0; turns--) await new Promise(setImmediate);
      return { kind: 'answered' as const, response: answer(sub) };
    },
  };
  const credentials = {
    get: async () => ({
      clientId: 'x',
      clientSecret: keyToSecret({ id: 'k1', privateKey }),
      previousClientSecret: undefined,
    }),
  };
  const deps = {
    ...base,
    connections: connectionStore(memory.table),
    integrations: integrationStore(memory.table),
    credentials,
    cipher: {
      encrypt: async (context: CipherContext, text: string) => seal(context, text),
      decrypt: async (context: CipherContext, sealed: string) => {
        const [of, ...text] = sealed.split('|');
        if (of !== JSON.stringify(context)) throw new Error('Sealed for another row');
        return text.join('|');
      },
    },
  };
  const endpointsOf = () => endpointsAt({});
  const domains = delegatedDomainStore(memory.table);
  const delegation = subjectRefresher({
    tokens: new DelegatedTokens({
      ...deps,
      tokenEndpoint,
      endpointsOf,
      upstream: { send: () => Promise.reject(new Error('Nothing is sent')), close: () => undefined },
      awsIdentity: { subjectToken: () => Promise.reject(new Error('There is a key')) },
    }),
    domains: new DelegatedDomains({ ...deps, endpointsOf, store: domains }),
  });
  const holder = new LeaseHolder({ ...deps, delegation });
  const refresher = new ConnectionRefresher({ ...deps, delegation, holder, owner: 'process' });
  return { memory, app, rows, deps, domains, refresher };
}

describe('connections of a hundred users in one process', () => {
  it('SA-22: a thousand calls side by side get their own user’s tokens', async () => {
    const { rows, app, deps, refresher } = await usersOfDomain(100);
    const results = await Promise.all(
      Array.from({ length: 1000 }, async (_, call) => {
        const row = rows[(call * 37) % rows.length] ?? connection();
        const outcome = await refresher.refresh(row, app, { wait: true, force: false, requestId: `${call}` });
        if (outcome.kind !== 'fresh') throw new Error(outcome.kind);
        const stored = outcome.connection.encryptedAccessToken ?? '';
        const token = outcome.accessToken ?? (await deps.cipher.decrypt(accessTokenContext(row), stored));
        return token === `of-${row.providerAccount?.email}`;
      }),
    );
    expect(results.filter((isOwn) => isOwn)).toHaveLength(1000);
  });

  it('connections of a hundred users in one process take the units of the table that docs/costs.md counts for a token, and for domains that are asked for', async () => {
    const { memory, app, rows, refresher, deps, domains } = await usersOfDomain(2);
    const [first, second] = rows;
    if (first === undefined || second === undefined) throw new Error('no users');
    const options = { wait: true, force: false, requestId: 'r' };
    // The first one notes that the domain is granted.
    await refresher.refresh(first, app, options);
    memory.units = new TableUnits();
    expect(await refresher.refresh(second, app, options)).toMatchObject({ kind: 'fresh' });
    expect([memory.units.written, memory.units.readItems]).toEqual([
      ASSUMPTIONS.delegatedTokenWriteUnits,
      ASSUMPTIONS.delegatedTokenReadUnits,
    ]);

    const lost = await usersOfDomain(1, () => ({
      status: 401,
      body: JSON.stringify({ error: 'unauthorized_client' }),
      retryAfter: undefined,
    }));
    const [user] = lost.rows;
    if (user === undefined) throw new Error('no user');
    await lost.refresher.refresh(user, lost.app, options);
    const nowMs = lost.deps.clock.nowMs() + 601_000;
    lost.memory.units = new TableUnits();
    const reads = {
      ...lost.deps,
      delegatedDomains: lost.domains,
      lists: fake<Pick<ConnectionLists, 'page'>>({}),
      refresher: lost.refresher,
      clock: { nowMs: () => nowMs },
    };
    expect(await askDomains(reads, nowMs + 60_000, 'tick')).toBe(1);
    expect([lost.memory.units.written, lost.memory.units.readItems + lost.memory.units.queried]).toEqual([
      ASSUMPTIONS.lostDomainWriteUnits,
      ASSUMPTIONS.lostDomainReadUnits,
    ]);

    // A domain that works, an hour later.
    const hourMs = deps.clock.nowMs() + 3_601_000;
    memory.units = new TableUnits();
    const looks = { ...reads, ...deps, delegatedDomains: domains, refresher, clock: { nowMs: () => hourMs } };
    expect(await askDomains(looks, hourMs + 60_000, 'tick')).toBe(1);
    expect([memory.units.written, memory.units.readItems + memory.units.queried]).toEqual([
      ASSUMPTIONS.workingDomainWriteUnits,
      ASSUMPTIONS.workingDomainReadUnits,
    ]);
  });
});
