import { epochSecNow } from '../core/clock.ts';
import { readCapped, type Upstream, UpstreamError } from '../core/http-message.ts';
import { TOKEN_CALL_TIMEOUT_MS, TOKEN_RESPONSE_MAX_BYTES } from '../core/limits.ts';
import type { AwsIdentity, Clock } from '../core/ports.ts';
import type { DelegationRules } from '../providers/authorization-server.rules.ts';
import type { ProviderEndpoints } from '../providers/provider.rules.ts';

/** Dependencies of signing for a service account without a key of it. */
export interface KeylessDependencies {
  readonly upstream: Upstream;
  readonly awsIdentity: AwsIdentity;
  readonly clock: Clock;
}

/** A signed assertion, or the reason why there is none. */
export type SignedAssertion =
  | { readonly kind: 'signed'; readonly assertion: string }
  | { readonly kind: 'client_fault'; readonly error: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** The fault of a service account or its key, from the server's definition. */
export function serviceAccountFault(
  { server }: Pick<ProviderEndpoints, 'server'>,
  what: keyof DelegationRules['faults'],
): Extract<SignedAssertion, { readonly kind: 'client_fault' }> {
  return { kind: 'client_fault', error: server.delegation?.faults[what] ?? what };
}

/** A token with less remaining time is not used. */
const SPARE_SEC = 120;

/**
 * Signs with the function's role: AWS's signed identity is exchanged for a federated token once per hour and process (RFC 8693), with
 * which IAM signs the claims (`projects.serviceAccounts.signJwt`). No key of the account exists anywhere.
 */
export class KeylessSigner {
  readonly #deps: KeylessDependencies;
  /** By audience. */
  readonly #tokens = new Map<string, { readonly token: string; readonly untilEpochSec: number }>();

  constructor(deps: KeylessDependencies) {
    this.#deps = deps;
  }

  async sign(
    endpoints: ProviderEndpoints,
    { serviceAccount, audience }: { readonly serviceAccount: string; readonly audience: string },
    claims: Readonly<Record<string, unknown>>,
    timeoutMs: number,
  ): Promise<SignedAssertion> {
    const { serviceAccountsEndpoint, tokenExchangeEndpoint } = endpoints;
    if (serviceAccountsEndpoint === undefined || tokenExchangeEndpoint === undefined) {
      return serviceAccountFault(endpoints, 'federation');
    }
    for (let attempt = 0; ; attempt++) {
      const known = this.#tokens.get(audience);
      const isKnown = known !== undefined && known.untilEpochSec - SPARE_SEC > epochSecNow(this.#deps.clock);
      const token = isKnown ? known.token : await this.#exchange(endpoints, tokenExchangeEndpoint, audience, timeoutMs);
      if (typeof token !== 'string') return token;
      const address = `${serviceAccountsEndpoint}/${encodeURIComponent(serviceAccount)}:signJwt`;
      const answer = await this.#post(address, { payload: JSON.stringify(claims) }, token, timeoutMs);
      if (answer.kind === 'failed') return answer;
      const { signedJwt } = answer.json;
      if (answer.status === 200 && typeof signedJwt === 'string') return { kind: 'signed', assertion: signedJwt };
      // A cached token may have ended early.
      if (answer.status === 401 && isKnown && attempt === 0) {
        this.#tokens.delete(audience);
        continue;
      }
      if (answer.status >= 500 || answer.status === 429) return { kind: 'failed', reason: `sign_jwt_${answer.status}` };
      const isGone = answer.status === 404 || answer.status === 400;
      return serviceAccountFault(endpoints, isGone ? 'account' : 'signing');
    }
  }

  async #exchange(
    endpoints: ProviderEndpoints,
    endpoint: string,
    audience: string,
    timeoutMs: number,
  ): Promise<string | SignedAssertion> {
    const nowEpochSec = epochSecNow(this.#deps.clock);
    const subjectToken = await this.#identity(audience, nowEpochSec);
    if (subjectToken === undefined) return { kind: 'failed', reason: 'aws_identity_unavailable' };
    const answer = await this.#post(
      endpoint,
      {
        audience,
        grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
        requestedTokenType: 'urn:ietf:params:oauth:token-type:access_token',
        scope: 'https://www.googleapis.com/auth/cloud-platform',
        subjectTokenType: 'urn:ietf:params:aws:token-type:aws4_request',
        subjectToken,
      },
      undefined,
      timeoutMs,
    );
    if (answer.kind === 'failed') return answer;
    const { access_token: token, expires_in: lifetimeSec } = answer.json;
    if (answer.status >= 500 || answer.status === 429)
      return { kind: 'failed', reason: `token_exchange_${answer.status}` };
    if (answer.status !== 200 || typeof token !== 'string') return serviceAccountFault(endpoints, 'federation');
    this.#tokens.set(audience, {
      token,
      untilEpochSec: nowEpochSec + (typeof lifetimeSec === 'number' ? lifetimeSec : SPARE_SEC),
    });
    return token;
  }

  /** AWS's signed identity of this function; undefined where it is not available now. */
  async #identity(audience: string, nowEpochSec: number): Promise<string | undefined> {
    try {
      return await this.#deps.awsIdentity.subjectToken(audience, new Date(nowEpochSec * 1000));
    } catch {
      return undefined;
    }
  }

  async #post(
    address: string,
    body: Readonly<Record<string, string>>,
    token: string | undefined,
    limitMs: number,
  ): Promise<
    | { readonly kind: 'answered'; readonly status: number; readonly json: Readonly<Record<string, unknown>> }
    | { readonly kind: 'failed'; readonly reason: string }
  > {
    const { origin, pathname } = new URL(address);
    const timeoutMs = Math.min(limitMs, TOKEN_CALL_TIMEOUT_MS);
    try {
      const response = await this.#deps.upstream.send({
        origin,
        method: 'POST',
        path: pathname,
        headers: [
          ['content-type', 'application/json'],
          ['accept', 'application/json'],
          ['accept-encoding', 'identity'],
          ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
        ],
        body: Buffer.from(JSON.stringify(body)),
        firstByteTimeoutMs: timeoutMs,
        idleTimeoutMs: timeoutMs,
        totalTimeoutMs: timeoutMs,
      });
      const text = await readCapped(response.body, TOKEN_RESPONSE_MAX_BYTES);
      return { kind: 'answered', status: response.status, json: objectIn(text) };
    } catch (error) {
      return { kind: 'failed', reason: error instanceof UpstreamError ? `signing_${error.kind}` : 'signing_cut' };
    }
  }
}

function objectIn(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return { ...Object(value) };
  } catch {
    return {};
  }
}
