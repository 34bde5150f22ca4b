/** What came of one call, distinguished by who said so. */
export type Outcome =
  | { readonly kind: 'ok' }
  /** The provider's own answer, passed as it came. */
  | { readonly kind: 'provider'; readonly status: number; readonly reason: string }
  /** The gateway's own answer. */
  | { readonly kind: 'gateway'; readonly status: number; readonly code: string }
  /** The connection ended before the answer did. */
  | { readonly kind: 'cut' };

/** Ways to fail that the run provokes, and why each is the right one. Everything else is a finding. */
export const STATED: Readonly<Record<string, string>> = {
  ok: 'answered whole, and equal to what the provider holds',
  'provider 401 authError':
    'the provider ended an access token within 30 s of its refresh (one refresh per 30 s, F30) or while its token endpoint failed',
  'provider 403 userRateLimitExceeded': 'the provider’s own answer',
  'provider 429': 'the provider’s own answer',
  'provider 503': 'the provider’s own answer',
  'gateway 502 upstream_unreachable': 'the provider closed the connection without an answer',
  'gateway 502 upstream_invalid_response': 'the provider’s answer broke off before its body',
  'gateway 503 token_refresh_unavailable': 'the token had expired and the token endpoint failed',
  'gateway 503 service_unavailable': 'the table or the key service throttled',
  'gateway 502 internal_error': 'the process that served the call was killed',
  cut: 'the answer broke off visibly: provider or process ended inside the body',
};

/** The key of an outcome in `STATED` and in the report. */
export function outcomeName(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'ok':
    case 'cut':
      return outcome.kind;
    case 'gateway':
      return `gateway ${outcome.status} ${outcome.code}`;
    case 'provider':
      return `provider ${outcome.status} ${outcome.reason}`.trimEnd();
  }
}

/** An answer read to its end. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Whose answer it is, and whether it is a success. */
export function outcomeOf(answer: WholeAnswer): Outcome {
  const code = answer.headers.get('x-gateway-error');
  if (code !== null) return { kind: 'gateway', status: answer.status, code };
  if (answer.status < 400) return { kind: 'ok' };
  return { kind: 'provider', status: answer.status, reason: reasonOf(answer.body) };
}

/** The reason inside Google's error envelope; '' where there is none. */
function reasonOf(body: Buffer): string {
  return /"reason":\s*"(\w+)"/.exec(body.toString('utf8'))?.[1] ?? '';
}
