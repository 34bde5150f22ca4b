import { DeleteCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { ItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { control, tokenCalls } from '../../support/simulator.ts';
import { connectionKey, tableClient } from '../../support/table.ts';
import type { AwsCall, Fault } from '../support/fault-proxy.ts';
import { breakWrite, type FaultWorld, type Subject, until, writes } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

const TYPE = '"security_event"';
/** Calls that a statement causes, recognized by what they contain. */
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
    runs: 'long',
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
        await killAt(working, world, subject);
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
  {
    id: 'F174',
    claim:
      'RI-14: a process killed at the work of a security event that names a token alone leaves it to the next tick, also where the death has erased what the token is found by',
    runs: 'long',
    // The statement's own, and that of a process that dies with the lease.
    spareTokenCalls: 2,
    async run(world) {
      for (const [tokenBy, side] of [
        ['prefix', 'before'],
        ['hash_base64_sha512_sha512', 'after'],
      ] as const) {
        const { subject, state } = await revoked(world, tokenBy);
        const working = world.table.add(calls.death, { kind: 'hold', side });
        expect(await state()).toEqual([202]);
        await killAt(working, world, subject);
        await provenOnce(world, subject, 'token-revoked');
        expect(await placesOf(world, subject)).toEqual([]);
      }
    },
  },
  {
    id: 'F175',
    claim:
      'RI-14: a refresh killed around its write of an older connection’s token digests has stored them with the new tokens or not at all, and a security event that names the token finds the connection after its refresh',
    runs: 'long',
    // The lease dies with its process, and the statement asks the provider.
    spareTokenCalls: 2,
    async run(world) {
      for (const side of ['before', 'after'] as const) {
        const { subject, state, revoke } = await revocable(world, 'prefix');
        await forgetPrints(world, subject);
        await subject.expire();
        const storing = breakWrite(world, subject, writes.tokens, { kind: 'hold', side });
        const call = subject.call();
        await storing.met;
        await world.killBusy('proxy');
        await call;
        storing.release(side === 'before' ? 'drop' : undefined);
        const isWritten = side === 'after';
        expect((await subject.row()).tokenPrints !== undefined).toBe(isWritten);
        expect(await placesOf(world, subject)).toHaveLength(isWritten ? 2 : 0);
        expect((await subject.call()).status).toBe(200);
        expect(await placesOf(world, subject)).toHaveLength(2);
        await revoke();
        expect(await state()).toEqual([202]);
        await provenOnce(world, subject, 'token-revoked');
        expect(await placesOf(world, subject)).toEqual([]);
      }
    },
  },
];

type TokenBy = 'prefix' | 'hash_base64_sha512_sha512';

/**
 * A connection whose grant its user has just revoked, and Google's statement of that, which has not come yet.
 *
 * @param tokenBy names its token alone, in this way
 */
async function revoked(world: FaultWorld, tokenBy?: TokenBy): ReturnType<typeof revocable> {
  const one = await revocable(world, tokenBy);
  await one.revoke();
  return one;
}

/** The same before the user does so. */
async function revocable(
  world: FaultWorld,
  tokenBy?: TokenBy,
): Promise<{ subject: Subject; revoke: () => Promise<void>; state: () => Promise<(number | null)[]> }> {
  // Another account per kind of statement: a statement about an account also explains every grant that died in the same second.
  const account = tokenBy === undefined ? 'viewer@workspace.example' : 'second.user@example.com';
  const { gateway } = world;
  const subject = await world.connect({ account, expired: false });
  const { clientId } = await subject.row();
  const { body } = await gateway.json('GET', '/security-events');
  const [{ cloud_project: project }] = body.data.projects;
  await gateway.json('PUT', `/security-events/${project}`, {});
  const { refreshTokens } = Object(await control(gateway, 'GET', '/state'));
  const { sha256: tokenSha256 } = refreshTokens.findLast(
    (one: { readonly account: string }) => one.account === account,
  );
  const about =
    tokenBy === undefined ? { type: 'tokens-revoked', account } : { type: 'token-revoked', tokenSha256, tokenBy };
  const statement = { ...about, clientId, jti: crypto.randomUUID() };
  return {
    subject,
    revoke: async () => {
      await control(gateway, 'POST', '/streams', { register: { clientId, url: body.data.receiver_url }, drop: 1 });
      await control(gateway, 'POST', '/grants/kill', { account, reason: 'user_revoked' });
    },
    state: async () => Object(await control(gateway, 'POST', '/security-events', statement)).answers,
  };
}

/** The process that meets a held call dies there, and ticks do the work. */
async function killAt(held: Fault, world: FaultWorld, subject: Subject): Promise<void> {
  await held.met;
  await world.killBusy('refresh');
  held.release('drop');
  await until('the work is done', async () => {
    await world.gateway.gateway.tick('refresh');
    return (await subject.row()).status !== 'active';
  });
}

/** The statement makes the cause of death certain; it is reported once, and the tokens are erased. */
async function provenOnce(
  { gateway }: FaultWorld,
  subject: Subject,
  type: 'tokens-revoked' | 'token-revoked' = 'tokens-revoked',
): Promise<void> {
  await until('the connection is dead', async () => (await subject.row()).status === 'reauthorization_required');
  const row = await subject.row();
  const cause = type === 'tokens-revoked' ? 'user_revoked' : 'token_revoked';
  expect(row).toMatchObject({ death: { cause, certain: true, evidence: { type } } });
  expect(row.encryptedRefreshToken).toBeUndefined();
  const { integrationId, connectionId } = subject;
  const path = `/connections/${connectionId}/events?provider_config_key=${integrationId}`;
  const { body } = await gateway.json('GET', path);
  const told: string[] = body.events.map((event: { readonly type: string }) => event.type);
  for (const one of ['ConnectionReauthorizationRequired', 'ConnectionSecurityEvent']) {
    expect([one, told.filter((each) => each === one).length]).toEqual([one, 1]);
  }
}

/** Where a connection is found by its token. */
async function placesOf(
  { gateway }: FaultWorld,
  { integrationId, connectionId }: Subject,
): Promise<readonly ItemKey[]> {
  const { Items = [] } = await tableClient(gateway).send(
    new ScanCommand({
      TableName: gateway.gateway.tableName,
      FilterExpression:
        'contains(pk, :list) AND integrationId = :integration AND connectionId = :connection AND attribute_not_exists(#left)',
      ExpressionAttributeNames: { '#left': 'left' },
      ExpressionAttributeValues: { ':list': '#TOKEN#', ':integration': integrationId, ':connection': connectionId },
      ConsistentRead: true,
    }),
  );
  return Items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
}

/** As a version that kept no prints left the connection. */
async function forgetPrints(world: FaultWorld, subject: Subject): Promise<void> {
  const { tableName: TableName } = world.gateway.gateway;
  const client = tableClient(world.gateway);
  for (const Key of await placesOf(world, subject)) await client.send(new DeleteCommand({ TableName, Key }));
  const Key = connectionKey(subject.integrationId, subject.connectionId);
  await client.send(new UpdateCommand({ TableName, Key, UpdateExpression: 'REMOVE tokenPrints' }));
}
