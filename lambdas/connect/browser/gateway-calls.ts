import { fill, type PageTexts } from '../../gateway/languages/language.rules.ts';
import type { SessionView } from '../session-view.ts';

/** The connect page's calls to its own gateway. */
export interface GatewayCalls {
  /** @throws Error whose message may be shown; its name is `LinkOver` where a retry cannot help */
  session(token: string): Promise<SessionView>;
  /** Starts an authorization and returns the address to open. @throws Error whose message may be shown */
  start(token: string, integrationId: string, openerOrigin: string | undefined): Promise<string>;
  /** Checks whether a service account may act for a user. Failures are outcomes, too. */
  check(token: string, integrationId: string, address: string): Promise<AdminCheck>;
}

/** The outcome of an administrator's check. */
export interface AdminCheck {
  readonly works: boolean;
  readonly domain: string;
  readonly scopes: readonly { readonly scope: string; readonly status: 'listed' | 'not_listed' | 'unknown' }[];
  /** What is wrong: a cause, or the code of an error. */
  readonly cause: string;
}

/** The envelope of the routes' responses. */
interface Answer {
  readonly data: SessionView & { readonly authorization_url: string } & Omit<AdminCheck, 'cause'> & {
      readonly cause: string | null;
    };
  readonly error?: { readonly message?: string; readonly code?: string };
}

export function gatewayCalls(baseUrl: string, { session: texts }: PageTexts): GatewayCalls {
  async function call(method: string, path: string, token: string, body?: object): Promise<Answer['data']> {
    const { lang } = document.documentElement;
    const headers: Record<string, string> = { authorization: `Bearer ${token}`, 'accept-language': lang };
    const init: RequestInit = { method, headers, cache: 'no-store' };
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
      init.body = JSON.stringify(body);
    }
    const response = await fetch(baseUrl + path, init).catch(() => {
      throw new Error(texts.unreachable);
    });
    const json: Partial<Answer> = await response.json().catch(() => ({}));
    if (response.ok && json.data !== undefined) return json.data;
    const failure = new Error(json.error?.message ?? fill(texts.answered, { status: String(response.status) }));
    if (response.status === 401) failure.name = 'LinkOver';
    failure.cause = json.error?.code;
    throw failure;
  }
  return {
    session: (token) => call('GET', '/connect/session', token),
    async start(token, integrationId, openerOrigin) {
      const body = { provider_config_key: integrationId, ...(openerOrigin ? { opener_origin: openerOrigin } : {}) };
      return (await call('POST', '/connect/authorizations', token, body)).authorization_url;
    },
    async check(token, integrationId, address) {
      const path = `/integrations/${encodeURIComponent(integrationId)}/delegation/check`;
      try {
        const { cause, ...check } = await call('POST', path, token, { address });
        return { ...check, cause: cause ?? '' };
      } catch (error) {
        const cause = error instanceof Error && typeof error.cause === 'string' ? error.cause : '';
        return { works: false, domain: '', scopes: [], cause };
      }
    },
  };
}
