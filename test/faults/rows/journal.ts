import { expect } from 'vitest';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { Desk, letLocksEnd } from '../support/agents.ts';
import type { AwsCall } from '../support/fault-proxy.ts';
import { type FaultWorld, THROTTLED } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

const isJournal = ({ body }: AwsCall) => /"TableName":"[^"]*Journal/.test(body);

/** Writes of the journal, recognized by their caller and operation. */
const writes = {
  begin: (call: AwsCall) => call.caller === 'proxy' && call.operation === 'PutItem' && isJournal(call),
  end: (call: AwsCall) => call.caller === 'proxy' && call.operation === 'UpdateItem' && isJournal(call),
  lock: (call: AwsCall) => call.caller === 'grants' && call.operation === 'PutItem' && isJournal(call),
  undone: (call: AwsCall) => call.caller === 'grants' && call.operation === 'TransactWriteItems' && isJournal(call),
  any: (call: AwsCall) => call.caller === 'grants' && isJournal(call),
} as const;

/** A key with a journal, and a file that it changes. */
class Scene {
  readonly desk: Desk;
  readonly key: string;
  readonly file: string;
  readonly since = new Date().toISOString();

  private constructor(desk: Desk, key: string, file: string) {
    this.desk = desk;
    this.key = key;
    this.file = file;
  }

  static async open(world: FaultWorld, journal: true | 'required' = true): Promise<Scene> {
    const desk = await Desk.open(world);
    const file = await desk.newFile('before');
    return new Scene(desk, await desk.key({ journal }), file);
  }

  change(members: Record<string, unknown>): Promise<Response> {
    return this.desk.send('PATCH', `/${this.file}`, members, this.key);
  }

  /** What an undo of all that the key wrote reports, to the end of the range; its status where it fails. */
  async undo() {
    const counts = { undone: 0, conflicts: 0, not_undoable: 0 };
    for (let cursor: string | undefined; ; ) {
      const wish = { key_id: sha256Hex(this.key), since: this.since, ...(cursor === undefined ? {} : { cursor }) };
      const { status, body } = await this.desk.world.gateway.json('POST', '/undo', wish);
      if (status !== 200) return status;
      for (const name of ['undone', 'conflicts', 'not_undoable'] as const) counts[name] += body.data[name].length;
      cursor = body.data.next_cursor ?? undefined;
      if (cursor === undefined) return counts;
    }
  }

  async rows(): Promise<number> {
    const { body } = await this.desk.world.gateway.json('GET', `/journal?key_id=${sha256Hex(this.key)}`);
    return body.data.length;
  }
}

/** Writes of keys with a journal, and the undo of them. */
export const journalRows: readonly FaultRow[] = [
  {
    id: 'F187',
    claim:
      'AP-21: an undo killed before it begins, before or after a step is on record, is finished by the next one, which does nothing twice',
    runs: 'long',
    async run(world) {
      for (const [kind, side] of [
        ['lock', 'after'],
        ['undone', 'before'],
        ['undone', 'after'],
      ] as const) {
        const scene = await Scene.open(world);
        await scene.change({ name: 'one' });
        await scene.change({ description: 'two' });
        const made = scene.desk.changes(scene.file, 'PATCH');
        const writing = world.table.add(writes[kind], { kind: 'hold', side });
        const cut = scene.undo().catch(() => undefined);
        await writing.met;
        await world.killBusy('grants');
        writing.release('drop');
        await cut;
        expect(await scene.undo(), 'while the lock of the dead one holds').toBe(409);
        await letLocksEnd(world);
        const report = await scene.undo();
        expect(report).toMatchObject({ conflicts: 0, not_undoable: 0 });
        expect(await scene.desk.file(scene.file)).toEqual({ name: 'before' });
        expect([kind, side, scene.desk.changes(scene.file, 'PATCH') - made]).toEqual([kind, side, 2]);
        expect(await scene.undo()).toEqual({ undone: 0, conflicts: 0, not_undoable: 0 });
      }
    },
  },
  {
    id: 'F188',
    claim:
      'AP-20: a journal that cannot be written stops the writes of keys that require it before anything is sent, and no others',
    runs: 'test',
    async run(world) {
      for (const [journal, status, name] of [
        [true, 200, 'written'],
        ['required', 503, 'before'],
      ] as const) {
        const scene = await Scene.open(world, journal);
        world.table.add(writes.begin, { kind: 'error', name: 'ResourceNotFoundException', status: 400 }, 10);
        expect((await scene.change({ name: 'written' })).status).toBe(status);
        await world.calm();
        expect([await scene.desk.file(scene.file), await scene.rows()]).toEqual([{ name }, 0]);
        expect(scene.desk.changes(scene.file, 'PATCH')).toBe(status === 200 ? 1 : 0);
      }
    },
  },
  {
    id: 'F189',
    claim:
      'AP-20: a write whose end is not on record, by a kill or a table that fails, is undone by what is there, or reported if somebody has changed it since',
    runs: 'long',
    async run(world) {
      for (const how of ['killed', 'fails'] as const) {
        for (const isTouched of [false, true]) {
          const scene = await Scene.open(world);
          if (how === 'fails') {
            world.table.add(writes.end, { kind: 'error', name: 'InternalServerError', status: 500 }, 10);
            expect((await scene.change({ name: 'by the key' })).status).toBe(200);
          } else {
            const ending = world.table.add(writes.end, { kind: 'hold', side: 'before' });
            const cut = scene.change({ name: 'by the key' }).catch(() => undefined);
            await ending.met;
            await world.killBusy('proxy');
            ending.release('drop');
            await cut;
          }
          await world.calm();
          if (isTouched) await scene.desk.send('PATCH', `/${scene.file}`, { name: 'by a person' });
          const report = await scene.undo();
          expect([how, report, await scene.desk.file(scene.file)]).toEqual([
            how,
            { undone: isTouched ? 0 : 1, conflicts: isTouched ? 1 : 0, not_undoable: 0 },
            { name: isTouched ? 'by a person' : 'before' },
          ]);
        }
      }
    },
  },
  {
    id: 'F190',
    claim: 'AP-21: a table or a provider that is down during an undo gets 503, and the undo after it finishes all',
    runs: 'long',
    async run(world) {
      const scene = await Scene.open(world);
      await scene.change({ name: 'one' });
      await scene.change({ description: 'two' });
      const made = scene.desk.changes(scene.file, 'PATCH');
      for (const kind of ['any', 'undone'] as const) {
        world.table.add(writes[kind], THROTTLED, 8);
        expect([kind, await scene.undo()]).toEqual([kind, 503]);
        await world.calm();
        await letLocksEnd(world);
      }
      await world.provider({ origin: 'api' }, { status: 503 });
      expect(await scene.undo()).toBe(503);
      await world.calm();
      await letLocksEnd(world);
      expect(await scene.undo()).toMatchObject({ conflicts: 0, not_undoable: 0 });
      expect(await scene.desk.file(scene.file)).toEqual({ name: 'before' });
      expect(scene.desk.changes(scene.file, 'PATCH') - made).toBe(2);
    },
  },
];
