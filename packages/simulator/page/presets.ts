/** A fault that people ask for often. */
interface Preset {
  readonly about: string;
  /** As a control request has it, which is read when the fault is switched on. */
  readonly fault: { readonly match: Readonly<Record<string, string>>; readonly action: object };
}

/** Faults to switch on with one click, by the value of their option. */
export const PRESETS: ReadonlyMap<string, Preset> = new Map<string, Preset>([
  ['unavailable', { about: 'APIs answer 503', fault: { match: { origin: 'api' }, action: { status: 503 } } }],
  [
    'rate',
    {
      about: 'APIs answer 403 rateLimitExceeded',
      fault: { match: { origin: 'api' }, action: { apiError: { code: 403, reason: 'rateLimitExceeded' } } },
    },
  ],
  [
    'quota',
    {
      about: 'APIs answer 429 rateLimitExceeded',
      fault: { match: { origin: 'api' }, action: { apiError: { code: 429, reason: 'rateLimitExceeded' } } },
    },
  ],
  ['slow', { about: 'APIs answer after 5 seconds', fault: { match: { origin: 'api' }, action: { delayMs: 5000 } } }],
  ['hang', { about: 'APIs never answer', fault: { match: { origin: 'api' }, action: { hang: true } } }],
  [
    'cut',
    {
      about: 'APIs cut the connection before they act',
      fault: { match: { origin: 'api' }, action: { closeBeforeApply: true } },
    },
  ],
  [
    'refresh-dead',
    {
      about: 'A refresh answers invalid_grant',
      fault: {
        match: { origin: 'token', tokenKind: 'refresh' },
        action: { oauthError: { status: 400, error: 'invalid_grant' } },
      },
    },
  ],
  [
    'client-refused',
    {
      about: 'The token endpoint answers invalid_client',
      fault: { match: { origin: 'token' }, action: { oauthError: { status: 401, error: 'invalid_client' } } },
    },
  ],
  [
    'token-down',
    { about: 'The token endpoint answers 503', fault: { match: { origin: 'token' }, action: { status: 503 } } },
  ],
  [
    'denied',
    {
      about: 'The consent ends with access_denied',
      fault: { match: { origin: 'accounts' }, action: { callbackError: { error: 'access_denied' } } },
    },
  ],
]);
