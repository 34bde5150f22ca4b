import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { tableClient } from '../../support/table.ts';
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
  /** The page of an approval as its user sees it, and what its form does. */
  async function openPage(id: string) {
    const person = browser(gateway);
    const { url } = (await gateway.json('POST', `/approvals/${id}/session`)).body.data;
    const { text } = await person.follow(url);
    const seen = /name="seen" value="([^"]*)"/.exec(text)?.[1] ?? '';
    return { text, decide: async (decision: string) => (await person.post(url, { decision, seen })).text };
  }
  return {
    openPage,
    /** A person opens the page of a waiting call and approves it. */
    async approve(id: string): Promise<void> {
      expect(await (await openPage(id)).decide('approve')).toContain('It is being done now.');
    },
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
    /** Sends a call that has to wait. @returns the approval, as the caller sees it */
    async hold(key: string, method: string, path: string, json?: unknown) {
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

/** Rows of approvals in the call log's table, and the passing of their times. */
export function approvalRows(gateway: TestGateway) {
  const partsOf = (id: string) => {
    const [, ulid = '', keyId = ''] = /^apr_(.{26})(.{12})$/.exec(id) ?? [];
    return { ulid, keyId };
  };
  async function logTable(): Promise<string> {
    const { TableNames = [] } = await tableClient(gateway).send(new ListTablesCommand({}));
    const [name] = TableNames.filter((one) => /CallLog/.test(one));
    if (name === undefined) throw new Error('There is no call log');
    return name;
  }
  async function all(): Promise<Record<string, unknown>[]> {
    const { Items = [] } = await tableClient(gateway).send(
      new ScanCommand({ TableName: await logTable(), ConsistentRead: true }),
    );
    return Items;
  }
  return {
    /** Rows that name an approval or its connection. */
    async about(id: string, connection: string) {
      const { ulid } = partsOf(id);
      const isAbout = (item: Record<string, unknown>) => {
        const text = JSON.stringify(item);
        return String(item.pk).startsWith('APPROVAL') && (text.includes(ulid) || text.includes(connection));
      };
      return (await all()).filter(isAbout);
    },
    /** Lets the time pass after which somebody has to look at an approval. */
    async letPass(id: string, name: 'expiresAtMs' | 'decidedAtMs', toMs = 1) {
      const { ulid, keyId } = partsOf(id);
      const TableName = await logTable();
      const client = tableClient(gateway);
      await client.send(
        new UpdateCommand({
          TableName,
          Key: { pk: `APPROVAL#default#${keyId}`, sk: ulid },
          UpdateExpression: `SET ${name} = :past`,
          ExpressionAttributeValues: { ':past': toMs },
        }),
      );
      const Item = {
        pk: 'APPROVALDUE#default',
        sk: `${'1'.padStart(15, '0')}#${keyId}#${ulid}`,
        keyId,
        approval: ulid,
      };
      await client.send(new PutCommand({ TableName, Item }));
    },
    /** Lets the time pass after which rows of deleted connections are cleared away. */
    async letClearingsPass() {
      const TableName = await logTable();
      for (const { pk, sk } of (await all()).filter((item) => String(item.pk).startsWith('CLEARING'))) {
        await tableClient(gateway).send(
          new UpdateCommand({
            TableName,
            Key: { pk, sk },
            UpdateExpression: 'SET notedAtMs = :past',
            ExpressionAttributeValues: { ':past': Date.now() - 3_600_000 },
          }),
        );
      }
    },
  };
}
