import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssuerReply } from '../../../../local/issuer/exchange.ts';
import { LOCAL_CLIENT_ID, localIssuer } from '../../../../local/issuer/issuer.ts';
import { LOCAL_OPERATORS } from '../../../../local/issuer/operators.ts';

export const ORIGIN = 'http://127.0.0.1:3001';
export const SIGNED_IN = `${ORIGIN}/signed-in`;
export const VERIFIER = 'a-code-verifier-of-at-least-forty-three-characters';

type Fields = Readonly<Record<string, string | undefined>>;

/** An issuer in a folder of its own, and a browser and a page that use it. */
export function startedIssuer(folder = mkdtempSync(join(tmpdir(), 'gateway-issuer-'))) {
  const clock = { ms: 1_800_000_000_000 };
  const issuer = localIssuer({ origin: ORIGIN, keyPath: join(folder, 'issuer-key.json'), nowMs: () => clock.ms });
  const send = (
    method: string,
    path: string,
    parts: { query?: URLSearchParams; form?: Fields; headers?: Fields } = {},
  ) =>
    issuer.answer({
      method,
      path,
      query: parts.query ?? new URLSearchParams(),
      header: (name) => parts.headers?.[name],
      form: params(parts.form ?? {}),
    });
  return {
    folder,
    clock,
    issuer,
    send,
    /** Opens the sign-in page, or what a signed-in browser gets instead. */
    open: (changes: Fields = {}, headers: Fields = {}) =>
      send('GET', '/oauth2/authorize', { query: authorizationQuery(changes), headers }),
    /** Presses the button. */
    press: (
      changes: Fields = {},
      headers: Fields = { 'sec-fetch-site': 'same-origin' },
      operator = LOCAL_OPERATORS[0].subject,
    ) => send('POST', '/oauth2/authorize', { query: authorizationQuery(changes), headers, form: { operator } }),
    token: (form: Fields) => send('POST', '/oauth2/token', { form: { client_id: LOCAL_CLIENT_ID, ...form } }),
    exchange: (code: string, changes: Fields = {}) =>
      send('POST', '/oauth2/token', {
        form: {
          grant_type: 'authorization_code',
          client_id: LOCAL_CLIENT_ID,
          code,
          redirect_uri: SIGNED_IN,
          code_verifier: VERIFIER,
          ...changes,
        },
      }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A good authorization request, with members changed or left out. */
export function authorizationQuery(changes: Fields = {}): URLSearchParams {
  return params({
    client_id: LOCAL_CLIENT_ID,
    redirect_uri: SIGNED_IN,
    response_type: 'code',
    scope: 'openid email',
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  });
}

/** A member of the address a reply sends the browser to. */
export function answered(reply: IssuerReply, name: string): string {
  return new URL(reply.headers.location ?? 'none:').searchParams.get(name) ?? '';
}

/** The cookie of a reply as a browser would send it back. */
export function cookieOf(reply: IssuerReply): string {
  return reply.headers['set-cookie']?.split(';')[0] ?? '';
}

/** A text member of a JSON reply. */
export function member(reply: IssuerReply, name: string): string {
  const value: unknown = Object.getOwnPropertyDescriptor(JSON.parse(reply.body), name)?.value;
  return typeof value === 'string' ? value : '';
}

function params(fields: Fields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
