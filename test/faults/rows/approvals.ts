import { expect } from 'vitest';
import { Approver, Desk, ends } from '../support/agents.ts';
import type { AwsCall } from '../support/fault-proxy.ts';
import { type FaultWorld, THROTTLED } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

/** Writes that a call makes while it waits for approval, recognized by their expressions. */
const writes = {
  hold: ({ caller, operation, body }: AwsCall) =>
    caller === 'proxy' && operation === 'TransactWriteItems' && body.includes('ApprovalRequested'),
  decision: ({ caller, operation, body }: AwsCall) =>
    caller === 'grants' && operation === 'TransactWriteItems' && body.includes('ApprovalDecided'),
  claim: step('running'),
  end: ({ caller, operation, body }: AwsCall) =>
    caller === 'proxy' && operation === 'TransactWriteItems' && body.includes('ApprovalEnded'),
} as const;

function step(state: string) {
  return ({ caller, operation, body }: AwsCall) =>
    caller === 'proxy' && operation === 'TransactWriteItems' && body.includes(`{"S":"${state}"}`);
}

/** A deletion that waits. */
interface Waiting {
  readonly desk: Desk;
  readonly key: string;
  readonly file: string;
  readonly id: string;
}

async function asking(world: FaultWorld): Promise<Omit<Waiting, 'id'>> {
  const desk = await Desk.open(world);
  return { desk, key: await desk.key({ approve: ['delete'] }), file: await desk.newFile('plan.txt') };
}

async function waiting(world: FaultWorld): Promise<Waiting> {
  const asked = await asking(world);
  return { ...asked, id: await askedAgain(asked) };
}

/** The same call again: it is the same approval while it waits. */
async function askedAgain({ desk, key, file }: Omit<Waiting, 'id'>): Promise<string> {
  const answer = await desk.send('DELETE', `/${file}`, undefined, key);
  const { error } = Object(await answer.json());
  expect([answer.status, error.code]).toEqual([403, 'approval_required']);
  return error.approval.approval_id;
}

/** Calls that a person has to approve, between being asked for and their end. */
export const approvalRows: readonly FaultRow[] = [
  {
    id: 'F180',
    claim:
      'AP-14: a process killed before or after it keeps a call for approval has sent nothing, and the call asked for again is one approval',
    runs: 'long',
    async run(world) {
      for (const side of ['before', 'after'] as const) {
        const asked = await asking(world);
        const holding = world.table.add(writes.hold, { kind: 'hold', side });
        const cut = asked.desk.send('DELETE', `/${asked.file}`, undefined, asked.key).catch(() => undefined);
        await holding.met;
        await world.killBusy('proxy');
        holding.release('drop');
        expect((await cut)?.status ?? 502).toBeGreaterThanOrEqual(500);
        const id = await askedAgain(asked);
        expect(await askedAgain(asked)).toBe(id);
        expect(asked.desk.changes(asked.file, 'DELETE')).toBe(0);
      }
    },
  },
  {
    id: 'F181',
    claim:
      'AP-14: a process killed before or after it takes an approved call, or before or after it notes the end, has it sent once or not at all, and says which',
    runs: 'long',
    async run(world) {
      const approver = await Approver.start(world);
      for (const [kind, side, end, sent] of [
        ['claim', 'before', 'done', 1],
        ['claim', 'after', 'failed', 0],
        ['end', 'before', 'done', 1],
        ['end', 'after', 'done', 1],
      ] as const) {
        const { desk, file, id } = await waiting(world);
        expect((await approver.decide(id)).status).toBe(200);
        const writing = world.table.add(writes[kind], { kind: 'hold', side });
        const cut = approver.bring(id).catch(() => undefined);
        await writing.met;
        await world.killBusy('proxy');
        writing.release('drop');
        await cut;
        if (!(side === 'before' && kind === 'claim')) await approver.letPass(id, ['runUntilMs']);
        await Promise.all([approver.bring(id), approver.bring(id)]);
        await ends(approver, id, [end]);
        await approver.bring(id);
        expect([kind, side, await approver.statusOf(id), desk.changes(file, 'DELETE')]).toEqual([
          ...[kind, side, end, sent],
        ]);
        await world.calm();
      }
    },
  },
  {
    id: 'F182',
    claim: 'AP-14: a decision whose answer is lost holds, and a second one changes nothing',
    runs: 'long',
    async run(world) {
      const approver = await Approver.start(world);
      const { desk, file, id } = await waiting(world);
      const deciding = world.table.add(writes.decision, { kind: 'hold', side: 'after' });
      const cut = approver.decide(id).catch(() => undefined);
      await deciding.met;
      await world.killBusy('grants');
      deciding.release('drop');
      await cut;
      expect(await approver.statusOf(id)).toBe('approved');
      expect((await approver.decide(id, 'refuse')).status).toBe(409);
      await approver.bring(id);
      await ends(approver, id, ['done']);
      expect(desk.changes(file, 'DELETE')).toBe(1);
    },
  },
  {
    id: 'F183',
    claim: 'AP-14: an approved call whose object somebody has changed since is stale, and nothing is sent',
    runs: 'test',
    async run(world) {
      const approver = await Approver.start(world);
      const { desk, file, id } = await waiting(world);
      await approver.decide(id);
      await desk.send('PATCH', `/${file}`, { name: 'final.txt' });
      await approver.bring(id);
      await ends(approver, id, ['stale']);
      expect([await desk.file(file, 'name'), desk.changes(file, 'DELETE')]).toEqual([{ name: 'final.txt' }, 0]);
    },
  },
  {
    id: 'F184',
    claim:
      'AP-14: what nobody decides in time, and what was approved and does not begin within an hour, is expired and never sent, however often its event comes',
    runs: 'long',
    async run(world) {
      const approver = await Approver.start(world);
      const [late, unbegun] = [await waiting(world), await waiting(world)];
      await approver.letPass(late.id, ['expiresAtMs']);
      expect((await approver.decide(late.id)).status).toBe(410);
      await approver.decide(unbegun.id);
      await approver.letPass(unbegun.id, ['decidedAtMs']);
      for (const { desk, file, id } of [late, unbegun]) {
        await Promise.all([approver.bring(id), approver.bring(id)]);
        expect([await approver.statusOf(id), desk.changes(file, 'DELETE')]).toEqual(['expired', 0]);
      }
    },
  },
  {
    id: 'F185',
    claim:
      'AP-14: a provider that is down while an approved call runs gets it at most once; what became of it is read there and said',
    runs: 'long',
    async run(world) {
      const approver = await Approver.start(world);
      for (const [match, action, end, sent] of [
        // Down before the object is read: nothing is sent.
        [{ origin: 'api' }, { status: 503 }, 'failed', 0],
        // Down for the call alone: reading says that nothing was done.
        [{ origin: 'api', method: 'DELETE' }, { status: 503 }, 'failed', 1],
        // Carried out, and the answer lost.
        [{ origin: 'api', method: 'DELETE' }, { closeAfterApply: true }, 'done', 1],
      ] as const) {
        const { desk, file, id } = await waiting(world);
        await approver.decide(id);
        await world.provider(match, action);
        await approver.bring(id);
        await world.calm();
        await approver.bring(id);
        expect([await approver.statusOf(id), desk.changes(file, 'DELETE')]).toEqual([end, sent]);
      }
    },
  },
  {
    id: 'F186',
    claim:
      'AP-14: a table that throttles keeps no call half: the call is refused with 503 and can be asked for again, and a run begins when the table takes it',
    runs: 'long',
    async run(world) {
      const approver = await Approver.start(world);
      const asked = await asking(world);
      world.table.add(writes.hold, THROTTLED, 8);
      const refused = await asked.desk.send('DELETE', `/${asked.file}`, undefined, asked.key);
      expect(refused.status).toBe(503);
      await world.calm();
      const id = await askedAgain(asked);
      await approver.decide(id);
      world.table.add(writes.claim, THROTTLED, 8);
      await approver.bring(id).catch(() => undefined);
      await world.calm();
      await approver.bring(id);
      await ends(approver, id, ['done']);
      expect(asked.desk.changes(asked.file, 'DELETE')).toBe(1);
    },
  },
];
