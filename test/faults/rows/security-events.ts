import { expect } from 'vitest';
import { control, tokenCalls } from '../../support/simulator.ts';
import type { AwsCall } from '../support/fault-proxy.ts';
import { type FaultWorld, type Subject, until } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

const TYPE = '"security_event"';
/** Calls on the way of a statement, told apart by what they say. */
const calls = {
  evidence: ({ caller, operation, body }: AwsCall) =>
    caller === 'inbox' && operation === 'UpdateItem' && body.includes('"EVIDENCE#'),
  store: ({ caller, operation, body }: AwsCall) => caller === 'inbox' && operation === 'PutItem' && body.includes(TYPE),
  wake: ({ caller, operation, body }: AwsCall) =>
    caller === 'inbox' && operation === '' && body.includes('"statement"'),
  death: ({ caller, operation, body }: AwsCall) =>
    caller === 'refresh' && operation === 'TransactWriteItems' && body.includes('ConnectionReauthorizationRequired'),
  end: ({ caller, operation, body }: AwsCall) =>
    caller === 'refresh' && operation === 'UpdateItem' && body.includes('REMOVE dueShard, refreshAt, failureCount'),
} as const;

/** What Google states about accounts, between its arrival and the end of the work that follows. */
export const securityEventRows: readonly FaultRow[] = [
  {
    id: 'F170',
    claim:
      'a receiver killed before or after each of its writes has acknowledged nothing, and the security event that is sent again has one effect',
    runs: 'long',
    // A statement asks the provider, whatever the token's age.
    spareTokenCalls: 1,
    async run(world) {
      for (const kind of ['evidence', 'store'] as const) {
        for (const side of ['before', 'after'] as const) {
          const { subject, state } = await revoked(world);
          const writing = world.table.add(calls[kind], { kind: 'hold', side });
          const sending = state();
          await writing.met;
          await world.killBusy('inbox');
          writing.release('drop');
          const [answer] = await sending;
          expect(answer ?? 502).toBeGreaterThanOrEqual(500);
          expect(await state()).toEqual([202]);
          // What was stored before the kill has woken nobody: the next tick takes it up.
          await world.gateway.gateway.tick('refresh');
          await provenOnce(world, subject);
        }
      }
    },
  },
  {
    id: 'F171',
    claim: 'a wake-up of a security event that is lost costs one tick, never the work',
    runs: 'test',
    // A statement asks the provider, whatever the token's age.
    spareTokenCalls: 1,
    async run(world) {
      const { subject, state } = await revoked(world);
      const waking = world.aws.add(calls.wake, { kind: 'error', name: 'ServiceException', status: 500 }, 10);
      expect(await state()).toEqual([202]);
      await waking.met;
      expect(await subject.row()).toMatchObject({ status: 'active' });
      world.aws.clear();
      await world.gateway.gateway.tick('refresh');
      await provenOnce(world, subject);
    },
  },
  {
    id: 'F172',
    claim:
      'a process killed at the work of a security event, before or after the death and before the end, leaves it to the next tick, which repeats nothing',
    runs: 'long',
    // The statement's own, and that of a process that dies with the lease.
    spareTokenCalls: 2,
    async run(world) {
      for (const [kind, side] of [
        ['death', 'before'],
        ['death', 'after'],
        ['end', 'before'],
      ] as const) {
        const { subject, state } = await revoked(world);
        const working = world.table.add(calls[kind], { kind: 'hold', side });
        expect(await state()).toEqual([202]);
        await working.met;
        await world.killBusy('refresh');
        working.release('drop');
        await until('the work is done', async () => {
          await world.gateway.gateway.tick('refresh');
          return (await subject.row()).status !== 'active';
        });
        await provenOnce(world, subject);
      }
    },
  },
  {
    id: 'F173',
    claim: 'a security event that arrives twenty times at once has one effect, and all are acknowledged',
    runs: 'long',
    // A statement asks the provider, whatever the token's age.
    spareTokenCalls: 1,
    async run(world) {
      const { subject, state } = await revoked(world);
      const answers = await Promise.all(Array.from({ length: 20 }, () => state()));
      expect(new Set(answers.flat())).toEqual(new Set([202]));
      await provenOnce(world, subject);
      expect(await tokenCalls(world.gateway)).toHaveLength(1);
    },
  },
];

/** A connection whose grant its user has just revoked, and Google's statement of that, which has not come yet. */
async function revoked(world: FaultWorld): Promise<{ subject: Subject; state: () => Promise<(number | null)[]> }> {
  const account = 'viewer@workspace.example';
  const { gateway } = world;
  const subject = await world.connect({ account, expired: false });
  const { clientId } = await subject.row();
  const { body } = await gateway.json('GET', '/security-events');
  const [{ cloud_project: project }] = body.data.projects;
  await gateway.json('PUT', `/security-events/${project}`, {});
  await control(gateway, 'POST', '/streams', { register: { clientId, url: body.data.receiver_url }, drop: 1 });
  await control(gateway, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
  const statement = { type: 'tokens-revoked', account, clientId, jti: crypto.randomUUID() };
  return {
    subject,
    state: async () => Object(await control(gateway, 'POST', '/security-events', statement)).answers,
  };
}

/** The death is certain by the statement, told once, and its tokens are erased. */
async function provenOnce({ gateway }: FaultWorld, subject: Subject): Promise<void> {
  await until('the connection is dead', async () => (await subject.row()).status === 'reauthorization_required');
  const row = await subject.row();
  expect(row).toMatchObject({ death: { cause: 'user_revoked', certain: true, evidence: { type: 'tokens-revoked' } } });
  expect(row.encryptedRefreshToken).toBeUndefined();
  const { integrationId, connectionId } = subject;
  const path = `/connections/${connectionId}/events?provider_config_key=${integrationId}`;
  const { body } = await gateway.json('GET', path);
  const types: string[] = body.events.map(({ type }: { readonly type: string }) => type);
  for (const type of ['ConnectionReauthorizationRequired', 'ConnectionSecurityEvent']) {
    expect([type, types.filter((one) => one === type).length]).toEqual([type, 1]);
  }
}
