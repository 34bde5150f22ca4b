import type { TokenSet } from '../connections/connection.rules.ts';
import { epochSecNow } from '../core/clock.ts';
import { type Delegation, keyFromSecret, type ServiceAccountKey } from '../integrations/delegation.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import type { ClientCredentialsSource } from '../integrations/ports.ts';
import type { AuthorizationServer, DelegationMeaning } from '../providers/authorization-server.rules.ts';
import type { ProviderEndpoints, ProviderId } from '../providers/provider.rules.ts';
import { assertionClaims, signAssertion } from './assertion.rules.ts';
import type { SubjectRefusal } from './delegation.rules.ts';
import { type KeylessDependencies, KeylessSigner, type SignedAssertion, serviceAccountFault } from './keyless.ts';
import type { TokenEndpoint } from './ports.ts';
import { judgeTokenResponse, type TokenHttpResponse } from './token-response.rules.ts';

/** Dependencies of tokens for users. */
export interface DelegatedTokenDependencies extends KeylessDependencies {
  readonly credentials: ClientCredentialsSource;
  readonly tokenEndpoint: Pick<TokenEndpoint, 'exchangeAssertion'>;
  readonly endpointsOf: (provider: ProviderId) => ProviderEndpoints;
}

/** The requested user and scopes. */
export interface SubjectRequest {
  readonly integration: Integration;
  readonly delegation: Delegation;
  /** Address of the user. */
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly callTimeoutMs: number;
  /** No call starts after this. */
  readonly untilMs: number;
}

/** The result of requesting a user's token. */
export type SubjectAnswer =
  | { readonly kind: 'tokens'; readonly tokens: TokenSet }
  | {
      readonly kind: 'refused';
      readonly meaning: SubjectRefusal;
      /** Whether the provider named the reason, or the request without a user proved it. */
      readonly certain: boolean;
      readonly error: string;
    }
  /** The service account or its key is refused, not the user. */
  | { readonly kind: 'client_fault'; readonly error: string }
  | FailedAsk;

/** No token is available now, without a fault of user or key. */
interface FailedAsk {
  readonly kind: 'failed';
  readonly reason: string;
  readonly retryAfterSec: number | undefined;
  /** Whether the token endpoint answered; otherwise it was unreachable, or its answer incomplete. */
  readonly isAnswer: boolean;
  /** Whether it refused this user with an unknown code, which is shown unchanged. @default false */
  readonly isRefusal?: boolean;
}

/** The verdict on one answer of the token endpoint to an assertion. */
export type AssertionVerdict =
  | { readonly kind: 'tokens'; readonly tokens: TokenSet }
  | { readonly kind: 'refused'; readonly meaning: DelegationMeaning | undefined; readonly error: string }
  | FailedAsk;

/** Judges an answer by the server's own list; undefined `meaning` for a code that is not listed (SA-4). */
export function judgeAssertionAnswer(
  response: TokenHttpResponse,
  nowEpochSec: number,
  server: AuthorizationServer,
): AssertionVerdict {
  const judged = judgeTokenResponse(response, nowEpochSec, server);
  switch (judged.kind) {
    case 'tokens':
      return { kind: 'tokens', tokens: judged.tokens };
    case 'transient':
      return { kind: 'failed', reason: judged.reason, retryAfterSec: judged.retryAfterSec, isAnswer: true };
    default: {
      const words = judged.description?.toLowerCase() ?? '';
      const known = server.delegation?.answers.find(
        (one) => one.error === judged.error && (one.words === undefined || words.includes(one.words)),
      );
      return { kind: 'refused', meaning: known?.meaning, error: judged.error };
    }
  }
}

function unanswered(reason: string): FailedAsk {
  return { kind: 'failed', reason, retryAfterSec: undefined, isAnswer: false };
}

/** Refusals whose reason cannot be the key. */
type AdministratorsRefusal = Exclude<SubjectRefusal, 'subject_unknown' | 'subject_gone'>;

function isAdministrators(meaning: DelegationMeaning | undefined): meaning is AdministratorsRefusal {
  switch (meaning) {
    case 'not_listed':
    case 'scope_not_listed':
    case 'user_restricted':
    case 'admin_policy':
      return true;
    default:
      return false;
  }
}

/** Gets access tokens for users and caches keys as long as a process lives. */
export class DelegatedTokens {
  readonly #deps: DelegatedTokenDependencies;
  readonly #keyless: KeylessSigner;

  constructor(deps: DelegatedTokenDependencies) {
    this.#deps = deps;
    this.#keyless = new KeylessSigner(deps);
  }

  /**
   * Requests a user's token. After a refusal that may concern user or key it requests one without the user, which succeeds whenever key
   * and account are valid (SA-5). Only if that fails is the key at fault, and the previous one is tried once (SA-24).
   */
  async ask(request: SubjectRequest): Promise<SubjectAnswer> {
    if (request.delegation.via === 'aws') return (await this.#askWith(request, undefined)).answer;
    const first = await this.#keys(request.integration, false);
    if (first === undefined) return { kind: 'client_fault', error: 'credentials_missing' };
    if ('kind' in first) return first;
    const asked = await this.#askWith(request, first.current);
    if (!asked.isKeyFault) return asked.answer;
    const fresh = (await this.#keys(request.integration, true)) ?? first;
    if ('kind' in fresh) return fresh;
    const tried = new Set([first.current.id]);
    for (const key of [fresh.current, fresh.previous]) {
      if (key === undefined || tried.has(key.id)) continue;
      tried.add(key.id);
      const again = await this.#askWith(request, key);
      if (!again.isKeyFault) return again.answer;
    }
    return asked.answer;
  }

  async #keys(integration: Integration, fresh: boolean) {
    try {
      const stored = await this.#deps.credentials.get(integration, { fresh, delegated: true });
      const current = keyFromSecret(stored?.clientSecret);
      return current === undefined ? undefined : { current, previous: keyFromSecret(stored?.previousClientSecret) };
    } catch {
      return unanswered('client_credentials_unavailable');
    }
  }

  /** @param key undefined: without one */
  async #askWith(
    request: SubjectRequest,
    key: ServiceAccountKey | undefined,
  ): Promise<{ readonly answer: SubjectAnswer; readonly isKeyFault: boolean }> {
    const settled = (answer: SubjectAnswer) => ({ answer, isKeyFault: false });
    const endpoints = this.#deps.endpointsOf(request.integration.provider);
    const first = await this.#exchange(request, request.subject, key);
    if (first.kind !== 'refused') return settled(first);
    const { error, meaning } = first;
    if (isAdministrators(meaning))
      return settled({ kind: 'refused', meaning, certain: meaning !== 'scope_not_listed', error });
    if (meaning === 'clock')
      return settled({ kind: 'failed', reason: 'clock_wrong', retryAfterSec: undefined, isAnswer: true });
    if (meaning === 'scope_unknown') return settled(serviceAccountFault(endpoints, 'scope'));
    const alone = await this.#exchange(request, undefined, key);
    switch (alone.kind) {
      case 'tokens': {
        const isNamed = meaning === 'subject_gone' || meaning === 'subject_unknown';
        if (isNamed) return settled({ kind: 'refused', meaning, certain: true, error });
        // The standard's code for an unusable assertion. Any other code is specific and ends nothing.
        if (error === 'invalid_grant') {
          return settled({ kind: 'refused', meaning: 'subject_unknown', certain: false, error });
        }
        return settled({ ...unanswered(error), isAnswer: true, isRefusal: true });
      }
      case 'refused': {
        const isGone = alone.meaning === 'robot_gone';
        return { answer: serviceAccountFault(endpoints, isGone ? 'account' : 'key'), isKeyFault: !isGone };
      }
      default:
        return settled(alone);
    }
  }

  async #exchange(
    { integration, delegation, scopes, callTimeoutMs, untilMs }: SubjectRequest,
    subject: string | undefined,
    key: ServiceAccountKey | undefined,
  ): Promise<AssertionVerdict | Extract<SubjectAnswer, { readonly kind: 'client_fault' }>> {
    const { clock, tokenEndpoint, endpointsOf } = this.#deps;
    const endpoints = endpointsOf(integration.provider);
    const leftMs = () => Math.min(callTimeoutMs, untilMs - clock.nowMs());
    const facts = {
      serviceAccount: delegation.serviceAccount,
      subject,
      scopes,
      tokenEndpoint: endpoints.tokenEndpoint,
    };
    const claims = assertionClaims(facts, epochSecNow(clock));
    const signed = await this.#sign(endpoints, delegation, claims, key, leftMs());
    if (signed.kind === 'client_fault') return signed;
    if (signed.kind === 'failed') return unanswered(signed.reason);
    let reason = 'token_endpoint_timeout';
    // An assertion can be used twice, so a request without an answer is sent again once.
    for (let attempt = 0; attempt < 2 && leftMs() > 0; attempt++) {
      const result = await tokenEndpoint.exchangeAssertion(endpoints, signed.assertion, leftMs());
      if (result.kind === 'answered')
        return judgeAssertionAnswer(result.response, epochSecNow(clock), endpoints.server);
      reason = result.reason;
    }
    return unanswered(reason);
  }

  async #sign(
    endpoints: ProviderEndpoints,
    { serviceAccount, audience }: Delegation,
    claims: Readonly<Record<string, string | number>>,
    key: ServiceAccountKey | undefined,
    timeoutMs: number,
  ): Promise<SignedAssertion> {
    if (key === undefined) {
      if (audience === undefined) return serviceAccountFault(endpoints, 'federation');
      return this.#keyless.sign(endpoints, { serviceAccount, audience }, claims, timeoutMs);
    }
    try {
      return { kind: 'signed', assertion: signAssertion(claims, key) };
    } catch {
      return serviceAccountFault(endpoints, 'key');
    }
  }
}
