import { expect } from 'vitest';
import { jsonRequest } from '../../support/gateway.ts';
import { tokenCalls } from '../../support/simulator.ts';
import { sweep } from '../../support/sweep.ts';
import type { AwsCall } from '../support/fault-proxy.ts';
import { type FaultWorld, nowSec, type Subject } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

const KIB = 1024;
/** DynamoDB's own limit of an item. */
const ITEM_MAX_BYTES = 400 * KIB;

/** Answers of the table that are incomplete, late or too large. */
export const partialRows: readonly FaultRow[] = [
  {
    id: 'F47',
    claim: 'a batch read left in part is asked for again, and one that stays so is a 503',
    runs: 'test',
    async run(world) {
      const subject = await world.connect({ expired: false });
      await world.restart('proxy');
      const inPart = world.table.add(isBatchRead, { kind: 'answer', body: leaveAll }, 2);
      expect((await subject.call()).status).toBe(200);
      expect(inPart.count()).toBe(2);
      await world.restart('proxy');
      world.table.add(isBatchRead, { kind: 'answer', body: leaveAll }, 1_000);
      const answer = await subject.call();
      expect(answer.status).toBe(503);
      expect((await answer.json()).error.code).toBe('service_unavailable');
    },
  },
  {
    id: 'F48',
    claim: 'what would make a row too large is refused at input, also when it comes in small parts',
    runs: 'long',
    async run(world) {
      const subject = await world.connect();
      const whole = await mergeMetadata(world, subject, { whole: 'x'.repeat(40 * KIB) });
      expect(whole.status).toBe(400);
      const statuses: number[] = [];
      for (let part = 0; part < 20; part++) {
        const answer = await mergeMetadata(world, subject, { [`part${part}`]: 'x'.repeat(30 * KIB) });
        statuses.push(answer.status);
        if (answer.status >= 400) expect(JSON.stringify(await answer.json())).toMatch(/metadata/);
      }
      expect(statuses[0]).toBe(200);
      expect(new Set(statuses.slice(1))).toEqual(new Set([400]));
      expect(JSON.stringify(await subject.row()).length).toBeLessThan(ITEM_MAX_BYTES / 4);
    },
  },
  {
    id: 'F84',
    claim: 'a due connection the index does not show is refreshed on use, and found by a later tick',
    runs: 'long',
    async run(world) {
      const [used, waiting] = [await world.connect(), await world.connect()];
      for (const subject of [used, waiting]) await subject.set({ refreshAt: nowSec() - 5 });
      const nothing = { Items: [], Count: 0, ScannedCount: 0 };
      world.table.add(isDueQuery, { kind: 'answer', body: nothing }, 10_000);
      expect(await sweep(world.gateway, used, waiting)).toMatchObject({ refreshed: 0, failed: 0 });
      expect((await used.call()).status).toBe(200);
      expect(await tokenCalls(world.gateway)).toHaveLength(1);
      await world.calm();
      expect(await sweep(world.gateway, used, waiting)).toMatchObject({ refreshed: 1 });
      expect(await tokenCalls(world.gateway)).toHaveLength(2);
    },
  },
  {
    id: 'F66',
    claim: 'a row or a ciphertext of a later form is refused and never rewritten, and stops no other',
    runs: 'long',
    async run(world) {
      const other = await world.connect();
      const laterRow = { itemVersion: 2 };
      const laterCipher = { encryptedRefreshToken: 'v2.1.c29tZXRoaW5nIGVsc2UgYWx0b2dldGhlcg' };
      for (const later of [laterRow, laterCipher]) {
        const subject = await world.connect();
        const before = await subject.row();
        await subject.set({ ...later, refreshAt: nowSec() - 5 });
        await world.restart('proxy');
        expect((await subject.call()).status).toBeGreaterThanOrEqual(500);
        expect(await sweep(world.gateway, subject)).toMatchObject({ failed: 1, dead: 0 });
        const after = await subject.row();
        // Only when it is looked at again moves, so that it does not stand in the way of others.
        const upkeep = { refreshAt: after.refreshAt, failureCount: after.failureCount };
        expect(after).toEqual({ ...before, ...later, ...upkeep });
        expect((await other.call()).status).toBe(200);
        const kept = Object.keys(later).map((name) => [name, before[name]]);
        await subject.set({ ...Object.fromEntries(kept), refreshAt: nowSec() + 1_000 });
        await world.restart('proxy');
        expect((await subject.call()).status, 'code that knows the form').toBe(200);
      }
    },
  },
];

function isBatchRead({ operation }: AwsCall): boolean {
  return operation === 'BatchGetItem';
}

function isDueQuery({ operation, body }: AwsCall): boolean {
  return operation === 'Query' && body.includes('dueShard = :shard');
}

/** A batch read of which nothing was processed. */
function leaveAll(call: AwsCall): Record<string, unknown> {
  const { RequestItems } = JSON.parse(call.body);
  return { Responses: {}, UnprocessedKeys: RequestItems };
}

function mergeMetadata(world: FaultWorld, subject: Subject, metadata: Record<string, string>): Promise<Response> {
  const { connectionId, integrationId } = subject;
  const body = { connection_id: connectionId, provider_config_key: integrationId, metadata };
  return world.gateway.call('/connections/metadata', jsonRequest('PATCH', body));
}
