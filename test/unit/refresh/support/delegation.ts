import { generateKeyPairSync, verify } from 'node:crypto';
import type { UpstreamRequest, UpstreamResponse } from '../../../../lambdas/gateway/core/http-message.ts';
import {
  type Delegation,
  keyToSecret,
  type ServiceAccountKey,
  storedClientId,
} from '../../../../lambdas/gateway/integrations/delegation.rules.ts';
import type { Integration } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import type { ProviderEndpoints } from '../../../../lambdas/gateway/providers/provider.rules.ts';
import { DelegatedTokens, type SubjectRequest } from '../../../../lambdas/gateway/tokens/delegated-token.ts';
import type { TokenCallResult } from '../../../../lambdas/gateway/tokens/ports.ts';
import { endpointsAt } from '../../support/google.ts';
import { integration, START_SEC } from './connection.ts';
import { answer, tokens } from './refresh-world.ts';

export const AUDIENCE = '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q';
export const DRIVE = 'https://www.googleapis.com/auth/drive';
export const CALENDAR = 'https://www.googleapis.com/auth/calendar';
export const USER = 'user@one.example';

/** A delegation by an uploaded key; `changes` win. */
export function delegation(changes: Partial<Delegation> = {}): Delegation {
  return {
    serviceAccount: 'robot@project.iam.gserviceaccount.com',
    clientId: '100000000000000000001',
    projectNumber: '123456789012',
    via: 'key',
    audience: undefined,
    keyId: 'k1',
    keyAddedAtEpochSec: 1,
    subjects: { domains: ['one.example'], addresses: [], exceptions: ['boss@one.example'] },
    allowsDomainAdmin: false,
    newSubjectsPerHour: 100,
    idSalt: 'c2FsdA',
    ...changes,
  };
}

/** An integration that acts by a service account; `changes` win. */
export function delegated(changes: Partial<Integration> = {}): Integration {
  const own = changes.delegation ?? delegation();
  return integration({ delegation: own, clientId: storedClientId(own), scopes: [DRIVE, CALENDAR], ...changes });
}

/** Keys of the service account, by their ids. */
const KEYS = new Map(
  ['k1', 'k2'].map((id) => [
    id,
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    }),
  ]),
);

export function keyOf(id: 'k1' | 'k2'): ServiceAccountKey {
  return { id, privateKey: KEYS.get(id)?.privateKey ?? '' };
}

/** An assertion as the token endpoint reads it. */
export interface Presented {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
}

function present(assertion: string, timeoutMs: number): Presented {
  const [header = '', claims = '', signature = ''] = assertion.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const { kid } = read(header);
  const publicKey = KEYS.get(kid)?.publicKey;
  const isGenuine =
    publicKey !== undefined &&
    verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, 'base64url'));
  if (publicKey !== undefined && !isGenuine) throw new Error('The signature is not of the key that it names');
  return { header: read(header), claims: read(claims), timeoutMs };
}

/** A refusal of the token endpoint. */
export function refusal(error: string, words = '', status = 400): TokenCallResult {
  return answer(status, { error, error_description: words });
}

/** An answer of Google's other services; a text is sent as it is. */
export function reply(status: number, body: unknown): UpstreamResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = async function* () {
    yield Buffer.from(text);
  };
  return { status, headers: [], body: bytes(), abandon: () => undefined };
}

/** A compact token that the simulated IAM signs; its key is none of those above. */
export function signedByIam(claims: unknown): string {
  const parts = [{ alg: 'RS256', kid: 'iam' }, claims];
  return [...parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), 'c2ln'].join('.');
}

/** Google as service accounts meet it, and a process that asks it for users' tokens. */
export function delegationWorld() {
  const script = {
    nowMs: START_SEC * 1000,
    /** What the token endpoint says to an assertion. */
    answer: (_: Presented): TokenCallResult => tokens(),
    /** What is stored of the account's keys, and what a look past every cache finds. */
    stored: [keyToSecret(keyOf('k1'))] as (string | undefined)[],
    fresh: undefined as (string | undefined)[] | undefined,
    /** What AWS identities are exchanged for, and what IAM signs. */
    exchange: (_: UpstreamRequest): UpstreamResponse => reply(200, { access_token: 'federated', expires_in: 3600 }),
    sign: (request: UpstreamRequest): UpstreamResponse =>
      reply(200, { signedJwt: signedByIam(JSON.parse(bodyOf(request).payload ?? '')) }),
    /** Whether AWS says who the process is, and the store of secrets gives keys. */
    hasIdentity: true,
    hasSecrets: true,
    endpoints: {} as Partial<ProviderEndpoints>,
  };
  const presented: Presented[] = [];
  const sent: UpstreamRequest[] = [];
  const looked: unknown[] = [];
  const identities: unknown[] = [];
  const endpointsOf = () => endpointsAt(script.endpoints);
  const tokensOf = new DelegatedTokens({
    clock: { nowMs: () => script.nowMs },
    endpointsOf,
    credentials: {
      async get(_, options) {
        looked.push(options);
        if (!script.hasSecrets) throw new Error('The store of secrets is away');
        const keys = (options?.fresh === true ? script.fresh : undefined) ?? script.stored;
        if (keys.length === 0) return undefined;
        return { clientId: '', clientSecret: keys[0] ?? '', previousClientSecret: keys[1] };
      },
    },
    tokenEndpoint: {
      async exchangeAssertion(_, assertion, timeoutMs) {
        const one = present(assertion, timeoutMs);
        presented.push(one);
        return script.answer(one);
      },
    },
    upstream: {
      async send(request) {
        sent.push(request);
        return request.path.endsWith(':signJwt') ? script.sign(request) : script.exchange(request);
      },
      close: () => undefined,
    },
    awsIdentity: {
      async subjectToken(audience, at) {
        if (!script.hasIdentity) throw new Error('There are no credentials of AWS');
        identities.push([audience, at.toISOString()]);
        return 'signed-by-aws';
      },
    },
  });
  return {
    script,
    /** Every assertion that the token endpoint got. */
    presented,
    /** Every request to another service. */
    sent,
    /** How keys were asked for, and identities of AWS. */
    looked,
    identities,
    endpointsOf,
    tokens: tokensOf,
    ask(changes: Partial<SubjectRequest> = {}) {
      const app = delegated(changes.delegation === undefined ? {} : { delegation: changes.delegation });
      return tokensOf.ask({
        integration: app,
        delegation: app.delegation ?? delegation(),
        subject: USER,
        scopes: [DRIVE, CALENDAR],
        callTimeoutMs: 8_000,
        untilMs: script.nowMs + 12_000,
        ...changes,
      });
    },
  };
}

/** What a request to another service says. */
export function bodyOf({ body }: UpstreamRequest): Record<string, string> {
  return JSON.parse(Buffer.from(body as Uint8Array).toString());
}
