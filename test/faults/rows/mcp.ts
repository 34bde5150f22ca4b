import { expect } from 'vitest';
import { finishFlow, startFlow } from '../../support/connect.ts';
import { control, tokenCalls } from '../../support/simulator.ts';
import { Desk } from '../support/agents.ts';
import type { AwsCall } from '../support/fault-proxy.ts';
import { THROTTLED, until } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

const ofProxy = ({ caller }: AwsCall) => caller === 'proxy';
const WRITING = { allow: ['drive:read', 'drive:write'], approve: ['share'] };

/** Tools that an assistant calls while something is broken. */
export const mcpRows: readonly FaultRow[] = [
  {
    id: 'F191',
    claim:
      'MC-34: a grant that ends while tools are called makes each of them a result with a connect link, after one token call, and the tools work again once the user has opened it',
    runs: 'test',
    async run(world) {
      const account = 'viewer@workspace.example';
      const desk = await Desk.open(world, account);
      const { call } = await desk.assistant(WRITING);
      expect(await call('drive_list_recent_files', { page_size: 1 })).not.toHaveProperty('isError');
      await control(world.gateway, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
      await desk.subject.expire();
      const before = (await tokenCalls(world.gateway)).length;
      const names = ['drive_list_recent_files', 'drive_search_files', 'drive_create_file'];
      const results = await Promise.all(
        names.map((name) => call(name, name === 'drive_create_file' ? { name: 'x', kind: 'text' } : {})),
      );
      for (const result of results) {
        expect(result).toMatchObject({ isError: true, structuredContent: { code: 'reauthorization_required' } });
      }
      expect((await tokenCalls(world.gateway)).length - before).toBe(1);
      const { connect_url: link } = results[0].structuredContent;
      const flow = await startFlow(world.gateway, String(link).split('=').at(-1) ?? '');
      const { key } = desk.subject;
      await world.ledger.adopt(
        () => finishFlow(flow, { account }),
        () => key,
      );
      expect(await call('drive_list_recent_files', { page_size: 1 })).not.toHaveProperty('isError');
    },
  },
  {
    id: 'F192',
    claim:
      'MC-34: a table that throttles a tool’s call refuses it before anything is sent, never as a failure of the protocol alone, and the next call works',
    runs: 'long',
    async run(world) {
      const desk = await Desk.open(world);
      const { call, ask } = await desk.assistant(WRITING);
      await world.restart('proxy');
      world.table.add(ofProxy, THROTTLED, 60);
      const made = { name: 'drive_create_file', arguments: { name: 'throttled', kind: 'text', content: 'x' } };
      const refused = await ask('tools/call', made);
      expect([refused.status, refused.headers.get('x-gateway-error')]).toEqual([503, 'service_unavailable']);
      await world.calm();
      const sent = () =>
        world.ledger.requests.filter(({ method, facts }) => method === 'POST' && facts.origin === 'api');
      const before = sent().length;
      expect(await call(made.name, made.arguments)).not.toHaveProperty('isError');
      expect(sent().length - before).toBe(1);
    },
  },
  {
    id: 'F193',
    claim:
      'MC-34: a process killed while a tool writes at the provider has it written once: the call fails, and nothing repeats it',
    runs: 'long',
    async run(world) {
      const desk = await Desk.open(world);
      const { call, ask } = await desk.assistant(WRITING);
      for (const killed of ['mcp', 'proxy'] as const) {
        const file = await desk.newFile('kept.txt');
        await world.provider({ origin: 'api', method: 'PATCH' }, { delayMs: 3_000 }, { times: 1 });
        const trashing = ask('tools/call', { name: 'drive_trash_file', arguments: { file_id: file } }).catch(
          () => undefined,
        );
        await until('the write is at the provider', () => desk.changes(file, 'PATCH') > 0);
        await world.killBusy(killed);
        expect((await trashing)?.status ?? 502).toBeGreaterThanOrEqual(500);
        await world.calm();
        const now = await call('drive_get_file_metadata', { file_id: file });
        expect(now.structuredContent.id).toBe(file);
        expect(desk.changes(file, 'PATCH')).toBe(1);
      }
    },
  },
];
