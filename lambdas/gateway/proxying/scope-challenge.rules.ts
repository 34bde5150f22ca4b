import { type HeaderPairs, headerValues } from '../core/http-message.ts';

/**
 * Scopes that a refused token lacks, as the provider names them (RFC 6750 section 3.1, `insufficient_scope`); undefined where the refusal
 * is about anything else. Such a token is good: a new one has no more scopes.
 */
export function challengedScopes(headers: HeaderPairs): readonly string[] | undefined {
  const challenge = headerValues(headers, 'www-authenticate').find((value) =>
    /\berror="insufficient_scope"/.test(value),
  );
  if (challenge === undefined) return undefined;
  const [, named = ''] = /\bscope="([\x20-\x7e]{0,2000}?)"/.exec(challenge) ?? [];
  return named.split(' ').filter((scope) => scope !== '');
}
