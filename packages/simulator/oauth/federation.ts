import { createHash, createHmac, createPrivateKey, sign } from 'node:crypto';
import { jsonResponse, type SimRequest, type SimResponse } from '../http/exchange.ts';
import { isRecord } from '../parse.ts';
import { randomText, sha256Hex } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import type { DelegateRecord } from '../state/delegation.ts';
import { bearerToken } from './identity-endpoints.ts';
import { ACCESS_TOKEN_LIFETIME_SEC, issueAccessToken } from './issue-tokens.ts';
import { type OAuthRefusal, refusalResponse, secretJson } from './oauth-response.ts';

/** `POST /v1/token` of sts.googleapis.com ("Security Token Service API": method token). */
export const TOKEN_EXCHANGE_PATH = '/v1/token';

/** What stands before a service account's address in paths of iamcredentials.googleapis.com. */
export const SERVICE_ACCOUNTS_PATH = '/v1/projects/-/serviceAccounts';

const SIGN_JWT = ':signJwt';
const GENERATE_ACCESS_TOKEN = ':generateAccessToken';
const FEDERATED_LIFETIME_SEC = 3600;
/** AWS takes a signature of so long ago. */
const SIGNATURE_LIFETIME_MS = 15 * 60_000;

function refuse(error_description: string): OAuthRefusal {
  return { status: 400, error: 'invalid_grant', error_description };
}

function readJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A body as JSON or as a form: the service takes both. */
function exchangeForm(http: SimRequest): Record<string, unknown> {
  const text = http.body.toString('utf8');
  const json = readJson(text);
  if (json !== undefined) return json;
  const names = [...new URLSearchParams(text)];
  return Object.fromEntries(
    names.map(([name, value]) => [name.replace(/_(\w)/g, (_, one: string) => one.toUpperCase()), value]),
  );
}

/** Signature Version 4 of the signed request that a caller describes, made again with the secret that is known of its key. */
function signatureOf(
  url: URL,
  headers: ReadonlyMap<string, string>,
  secret: string,
  scope: string,
  names: string,
): string {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  const lines = names.split(';').map((name) => `${name}:${headers.get(name)?.trim() ?? ''}\n`);
  const canonical = ['POST', url.pathname, query, lines.join(''), names, hash('')].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers.get('x-amz-date'), scope, hash(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, text).toString('hex');
}

/** What is wrong with a subject token that stands for an AWS identity: the text of a signed, unsent GetCallerIdentity. */
function awsProblem(sim: Simulation, subjectToken: string, audience: string): string | undefined {
  const request = readJson(decodeURIComponent(subjectToken));
  const given = request?.headers;
  if (request === undefined || !Array.isArray(given) || typeof request.url !== 'string') {
    return 'The subject token is not the JSON of a signed request.';
  }
  const headers = new Map(
    given.flatMap((one): [string, string][] =>
      isRecord(one) && typeof one.key === 'string' && typeof one.value === 'string'
        ? [[one.key.toLowerCase(), one.value]]
        : [],
    ),
  );
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  const isIdentity =
    url?.searchParams.get('Action') === 'GetCallerIdentity' && /^sts[.][a-z0-9.-]*amazonaws[.]com$/.test(url.hostname);
  if (url === undefined || !isIdentity || request.method !== 'POST')
    return 'The signed request is not GetCallerIdentity.';
  if (headers.get('host') !== url.hostname) return 'The Host of the signed request is another.';
  if (headers.get('x-goog-cloud-target-resource') !== audience) return 'The signed request is for another audience.';
  const signature =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/sts\/aws4_request), ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.get('authorization') ?? '',
    );
  const [, accessKeyId = '', scope = '', names = '', made = ''] = signature ?? [];
  // Google recommends signing x-goog-cloud-target-resource and does not require it: its own AwsClient adds it unsigned.
  const must = ['host', 'x-amz-date'];
  if (signature === null || !must.every((name) => names.split(';').includes(name))) {
    return 'The signature of the request is not one of Signature Version 4 over its headers.';
  }
  const at = (headers.get('x-amz-date') ?? '').replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
    '$1-$2-$3T$4:$5:$6Z',
  );
  const age = Math.abs(sim.clock.nowMs() - Date.parse(at));
  if (!(age <= SIGNATURE_LIFETIME_MS)) return 'The signature of the request has expired.';
  const secret = sim.state.delegation.awsSecrets.get(accessKeyId);
  if (secret !== undefined && signatureOf(url, headers, secret, scope, names) !== made) {
    return 'The signature of the request does not match.';
  }
  return undefined;
}

/** Exchanges an AWS identity for a federated access token, an hour long. */
export function handleTokenExchange(sim: Simulation, http: SimRequest): SimResponse {
  const form = exchangeForm(http);
  const { audience, subjectToken } = form;
  if (
    form.grantType !== 'urn:ietf:params:oauth:grant-type:token-exchange' ||
    form.requestedTokenType !== 'urn:ietf:params:oauth:token-type:access_token' ||
    form.subjectTokenType !== 'urn:ietf:params:aws:token-type:aws4_request' ||
    typeof form.scope !== 'string' ||
    typeof audience !== 'string' ||
    typeof subjectToken !== 'string'
  ) {
    return refusalResponse({
      status: 400,
      error: 'invalid_request',
      error_description: 'Invalid token exchange request.',
    });
  }
  const known = sim.state.delegation.delegates.some(({ principals }) => principals.includes(audience));
  if (!known) {
    const error_description = `Invalid value for "audience". This value should be the full resource name of the Identity Provider.`;
    return refusalResponse({ status: 400, error: 'invalid_request', error_description });
  }
  const problem = awsProblem(sim, subjectToken, audience);
  if (problem !== undefined) return refusalResponse(refuse(problem));
  const token = `ya29.d.${randomText(120)}`;
  const expiresAtMs = sim.clock.nowMs() + FEDERATED_LIFETIME_SEC * 1000;
  sim.state.delegation.federated.set(sha256Hex(token), { principal: audience, expiresAtMs });
  return secretJson({
    access_token: token,
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'Bearer',
    expires_in: FEDERATED_LIFETIME_SEC,
  });
}

function apiError(code: number, status: string, message: string): SimResponse {
  return jsonResponse(code, { error: { code, message, status } });
}

/** A method of a service account: who may call it was checked. */
type AccountMethod = (sim: Simulation, delegate: DelegateRecord, body: Record<string, unknown>) => SimResponse;

const METHODS: Readonly<Record<string, AccountMethod>> = {
  [SIGN_JWT]: signJwt,
  [GENERATE_ACCESS_TOKEN]: generateAccessToken,
};

/**
 * `POST …/serviceAccounts/{email}:{method}` of iamcredentials.googleapis.com: `signJwt` signs any claims with the account's own
 * key, `generateAccessToken` makes an access token of the account itself.
 */
export function handleServiceAccount(sim: Simulation, http: SimRequest): SimResponse {
  const named = decodeURIComponent(http.path.slice(SERVICE_ACCOUNTS_PATH.length + 1));
  const colon = named.lastIndexOf(':');
  const verb = named.slice(colon);
  const method = Object.hasOwn(METHODS, verb) ? METHODS[verb] : undefined;
  if (method === undefined) return apiError(404, 'NOT_FOUND', `Method not found: ${verb.slice(1)}`);
  const delegate = sim.state.delegation.delegates.find(({ email }) => email === named.slice(0, colon));
  const federated = sim.state.delegation.federated.get(sha256Hex(bearerToken(http) ?? ''));
  if (federated === undefined || federated.expiresAtMs <= sim.clock.nowMs()) {
    return apiError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
  }
  if (delegate === undefined || delegate.state === 'deleted') {
    return apiError(404, 'NOT_FOUND', 'Unknown service account.');
  }
  if (!delegate.principals.includes(federated.principal)) {
    const permission = verb === SIGN_JWT ? 'iam.serviceAccounts.signJwt' : 'iam.serviceAccounts.getAccessToken';
    return apiError(403, 'PERMISSION_DENIED', `Permission '${permission}' denied on resource (or it may not exist).`);
  }
  if (delegate.state === 'disabled') return apiError(400, 'FAILED_PRECONDITION', 'Service account is disabled.');
  return method(sim, delegate, readJson(http.body.toString('utf8')) ?? {});
}

function signJwt(_sim: Simulation, delegate: DelegateRecord, { payload }: Record<string, unknown>): SimResponse {
  if (typeof payload !== 'string' || readJson(payload) === undefined) {
    return apiError(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument: payload must be JSON of claims.');
  }
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const { id, privateKey } = delegate.ownKey;
  const signed = `${encode(JSON.stringify({ alg: 'RS256', kid: id, typ: 'JWT' }))}.${encode(payload)}`;
  const signature = sign('RSA-SHA256', Buffer.from(signed), createPrivateKey(privateKey)).toString('base64url');
  return jsonResponse(200, { keyId: id, signedJwt: `${signed}.${signature}` });
}

/** Lifetimes beyond an hour need a policy of the organization, which no simulated one has. */
function generateAccessToken(sim: Simulation, delegate: DelegateRecord, body: Record<string, unknown>): SimResponse {
  const { scope, lifetime = `${ACCESS_TOKEN_LIFETIME_SEC}s` } = body;
  const scopes = Array.isArray(scope) ? scope.filter((one) => typeof one === 'string') : [];
  const seconds = typeof lifetime === 'string' ? Number(/^(\d+)s$/.exec(lifetime)?.[1]) : Number.NaN;
  if (scopes.length === 0 || !(seconds > 0 && seconds <= 3600)) {
    return apiError(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.');
  }
  const nowMs = sim.clock.nowMs();
  const authorization = { clientId: delegate.clientId, sub: delegate.email, scopes, consentedAtMs: nowMs };
  const accessToken = issueAccessToken(sim, authorization, null, seconds);
  return jsonResponse(200, { accessToken, expireTime: new Date(nowMs + seconds * 1000).toISOString() });
}
