import { beforeAll, expect } from 'vitest';
import { connectAccount } from '../../../support/connect.ts';
import type { JsonAnswer, TestGateway } from '../../../support/gateway.ts';
import { useTestGateway } from '../../../support/use-gateway.ts';
import { keyWith } from '../../api/keys.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of Google's APIs, of which each test reads what it needs.
export type Json = any;

/** Whose call it is: of the journalled key, or of somebody whose changes are in no journal. */
export type Who = 'agent' | 'person';

/** A gateway with connections that may write, a journalled key, and another one. */
export interface UndoWorld {
  readonly gateway: TestGateway;
  /** The journalled key. */
  key(): string;
  /** A proxied call; throws for a failure of Google's. @returns the JSON of the answer, undefined for none */
  ask(who: Who, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Json>;
  /** The same, whatever is answered. */
  send(who: Who, method: string, path: string, init?: RequestInit): Promise<Response>;
  /** Undoes all that the key wrote on one API since a moment, to the end of the range. */
  undo(since: Date, options?: { readonly dryRun?: boolean; readonly key?: string }): Promise<Json>;
  /** Rows of the journal, newest first. */
  journal(query?: Record<string, string>): Promise<Json>;
  connectionOf(path: string): { readonly integration: string; readonly connection: string };
}

const SCOPES = {
  // Users of a Workspace can make shared drives, and share calendars with nobody outside.
  'undo-drive': { provider: 'google-drive', scopes: ['drive'], account: 'editor@workspace.example' },
  'undo-calendar': { provider: 'google-calendar', scopes: ['calendar'], account: 'first.user@example.com' },
} as const;

export function useUndoWorld(limits: Record<string, unknown> = { journal: true }): UndoWorld {
  const gateway = useTestGateway();
  const connections = new Map<string, string>();
  let key = '';
  beforeAll(async () => {
    for (const [unique_key, { provider, scopes, account }] of Object.entries(SCOPES)) {
      const created = await gateway.json('POST', '/integrations', {
        ...{ provider, unique_key, scopes },
        credentials_source: 'test',
      });
      expect(created.status).toBe(200);
      connections.set(unique_key, await connectAccount(gateway, unique_key, { account }));
    }
    key = await keyWith(gateway, { right: 'proxy', limits: { mode: 'enforce', ...limits } });
  }, 60_000);

  const connectionOf = (path: string) => {
    const integration = /calendar/.test(path) ? 'undo-calendar' : 'undo-drive';
    return { integration, connection: connections.get(integration) ?? '' };
  };
  const send: UndoWorld['send'] = (who, method, path, init = {}) => {
    const { integration, connection } = connectionOf(path);
    const headers = new Headers(init.headers);
    if (who === 'agent') headers.set('authorization', `Bearer ${key}`);
    return gateway.proxyAs(integration, connection, path, { ...init, method, headers });
  };
  return {
    gateway,
    key: () => key,
    connectionOf,
    send,
    async ask(who, method, path, body, headers = {}) {
      const isBytes = body instanceof Uint8Array || typeof body === 'string';
      const answer = await send(who, method, path, {
        headers: { ...(body === undefined || isBytes ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: isBytes ? (body as BodyInit) : JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      const isJson = answer.headers.get('content-type')?.includes('json') === true;
      return text === '' ? undefined : isJson ? JSON.parse(text) : text;
    },
    async undo(since, { dryRun = false, key: named = key } = {}) {
      const all: Record<string, Json[]> = { undone: [], conflicts: [], not_undoable: [] };
      let cursor: string | null = null;
      do {
        const { body, status }: JsonAnswer = await gateway.json('POST', '/undo', {
          key_id: await keyIdOf(gateway, named),
          since: since.toISOString(),
          dry_run: dryRun,
          ...(cursor === null ? {} : { cursor }),
        });
        if (status !== 200) throw new Error(`undo: ${status} ${JSON.stringify(body)}`);
        for (const name of Object.keys(all)) all[name]?.push(...body.data[name]);
        cursor = body.data.next_cursor;
      } while (cursor !== null);
      return all;
    },
    async journal(query = {}) {
      const whose = { key_id: await keyIdOf(gateway, key) };
      const { body, status } = await gateway.json('GET', `/journal?${new URLSearchParams({ ...whose, ...query })}`);
      if (status !== 200) throw new Error(`journal: ${status} ${JSON.stringify(body)}`);
      return body;
    },
  };
}

async function keyIdOf(gateway: TestGateway, key: string): Promise<string> {
  const { sha256Hex } = await import('../../../../lambdas/gateway/core/identifiers.ts');
  expect(gateway).toBeDefined();
  return sha256Hex(key);
}
