import type { TestGateway } from '../../support/gateway.ts';
import { keyWith } from '../api/keys.ts';

interface DriveAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Awaited<ReturnType<Response['json']>>;
}

/** Calls of Drive and Calendar as a key makes them, and what becomes of those that wait. */
export function approvalTools(gateway: TestGateway) {
  async function send(
    key: string,
    integration: string,
    method: string,
    path: string,
    { json, headers = {} }: { json?: unknown; headers?: Record<string, string> } = {},
  ): Promise<DriveAnswer> {
    const answer = await gateway.proxy(integration, path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
  }
  const drive = (key: string, method: string, path: string, options?: Parameters<typeof send>[4]) =>
    send(key, 'google-drive', method, `/drive/v3${path}`, options);
  const calendar = (key: string, method: string, path: string, options?: Parameters<typeof send>[4]) =>
    send(key, 'google-calendar', method, `/calendar/v3${path}`, options);
  const whole = () => gateway.gateway.secretKey;
  return {
    send,
    drive,
    calendar,
    /** A file of the seeded connection. @returns its id */
    async newFile(name: string): Promise<string> {
      const { body } = await drive(whole(), 'POST', '/files', { json: { name } });
      return body.id;
    },
    async isThere(file: string): Promise<boolean> {
      return (await drive(whole(), 'GET', `/files/${file}`)).status === 200;
    },
    /** Asks for a call that has to wait. @returns the approval, as its caller is told */
    async park(key: string, method: string, path: string, json?: unknown) {
      const answer = await drive(key, method, path, json === undefined ? {} : { json });
      if (answer.status !== 403) throw new Error(`${method} ${path} was answered ${answer.status}`);
      const { approval } = answer.body.error;
      return approval as { readonly approval_id: string; readonly url: string; readonly expires_at: string };
    },
    /** A call of a key of its own that waits, about a file that there is none of. */
    async parkOfNewKey(integration: string) {
      const key = await keyWith(gateway, { right: 'proxy', limits: { mode: 'enforce', approve: ['delete'] } });
      const { body } = await send(key, integration, 'DELETE', '/drive/v3/files/none');
      return body.error.approval as { readonly approval_id: string };
    },
    /** How an approval stands, for a full key. */
    async statusOf(id: string): Promise<string> {
      return (await gateway.json('GET', `/approvals/${id}`)).body.data.status;
    },
  };
}

/** Scopes under which seeded connections may change what they see. */
export const WRITING = {
  'google-drive': ['https://www.googleapis.com/auth/drive'],
  'google-calendar': ['https://www.googleapis.com/auth/calendar'],
};

interface Shown {
  readonly status: number;
  readonly text: string;
  readonly location: string;
}

/** A browser that keeps the gateway's cookie and says where its requests come from. */
export function browser(gateway: TestGateway, language = 'en') {
  let cookie = '';
  async function ask(url: string, init: RequestInit): Promise<Shown> {
    const answer = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { 'accept-language': language, ...(cookie === '' ? {} : { cookie }), ...Object(init.headers) },
    });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') ?? '' };
  }
  const get = (url: string) => ask(url, { headers: { 'sec-fetch-site': 'none' } });
  return {
    get,
    /** A form of the page itself. */
    post(url: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) {
      return ask(url, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers: { 'sec-fetch-site': 'same-origin', origin: new URL(gateway.gateway.gatewayUrl).origin, ...headers },
      });
    },
    /** Goes where the answers lead, from the provider back to a page. */
    async follow(url: string): Promise<Shown> {
      let shown = await get(url);
      for (let hops = 0; shown.location !== '' && hops < 5; hops++) shown = await get(shown.location);
      return shown;
    },
  };
}
