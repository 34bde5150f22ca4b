import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { DUE_SHARDS } from '../../../lambdas/gateway/core/contract.ts';
import { delegatedDomainItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import {
  connectUser,
  DOMAIN,
  DRIVE_SCOPE,
  EDITOR,
  list,
  makeIntegration,
  makeRobot,
} from '../../support/delegation.ts';
import { tableClient } from '../../support/table.ts';
import type { AwsCall } from '../support/fault-proxy.ts';
import { type FaultWorld, until } from '../support/fault-world.ts';
import type { FaultRow } from '../support/row.ts';

const EXCHANGE = { pathPrefix: '/v1/token' };
const SIGNING = { pathPrefix: '/v1/projects' };
const lossWrite = ({ operation, body }: AwsCall) =>
  operation === 'TransactWriteItems' && body.includes('DelegationLost');

/** Connections without a person: what Google's services and the table do to them. */
export const delegationRows: readonly FaultRow[] = [
  {
    id: 'F194',
    claim:
      'while Google’s exchange of identities or its signing is down or throttled, calls of a service account are asked to retry, no connection and no domain is lost, and they work once it is back',
    runs: 'matrix',
    async run(world) {
      const broken = [
        [EXCHANGE, { status: 503 }],
        [EXCHANGE, { status: 429 }],
        [SIGNING, { status: 503 }],
        [SIGNING, { status: 429 }],
      ] as const;
      for (const [place, [match, action]] of broken.entries()) {
        const user = await connected(world, `down-${place}`, true);
        // A process that has exchanged its identity already asks for no other.
        await world.restart('proxy');
        await world.provider(match, action);
        const answer = await user.call();
        expect([503, await user.codeOf(answer)]).toEqual([answer.status, 'token_refresh_unavailable']);
        expect(await user.standing()).toEqual({ connection: 'active', domains: [] });
        await world.calm();
        await user.refresh();
        expect((await user.call()).status).toBe(200);
      }
    },
  },
  {
    id: 'F195',
    claim: 'the loss of a domain that could not be written is noted by a later call, once',
    runs: 'matrix',
    async run(world) {
      for (const action of ['drop', 'apply_then_drop'] as const) {
        const user = await connected(world, `unwritten-${action.length}`, false);
        const broken = world.table.add(lossWrite, { kind: action }, 20);
        await user.call();
        await broken.met;
        world.table.clear();
        await until('the loss is noted', async () => {
          await user.refresh();
          return (await user.standing()).domains.includes('lost');
        });
        await until('the loss is told', () => user.told('DelegationLost') > 0);
        expect(user.told('DelegationLost')).toBe(1);
      }
    },
  },
  {
    id: 'F196',
    claim: 'a process killed while it asks for a lost domain costs ten minutes, never the domain',
    runs: 'matrix',
    async run(world) {
      const user = await connected(world, 'killed', false);
      await user.call();
      expect((await user.standing()).domains).toEqual(['lost']);
      await list(world.gateway, user.robot, [DRIVE_SCOPE]);
      await user.tenMinutesLater();
      const working = world.table.add(
        ({ caller, operation, body }) =>
          caller === 'refresh' && operation === 'UpdateItem' && body.includes('refreshLease'),
        { kind: 'hold', side: 'before' },
      );
      const ticking = tick(world).catch(() => undefined);
      await working.met;
      await world.killBusy('refresh');
      working.release('drop');
      await ticking;
      await tick(world);
      expect((await user.standing()).domains).toEqual(['lost']);
      await user.tenMinutesLater();
      await until('the domain is back', async () => {
        await tick(world);
        return (await user.standing()).domains.includes('granted');
      });
      expect(user.told('DelegationLost')).toBe(1);
    },
  },
];

/** The schedule's run over the part of the due index that holds domains. */
function tick({ gateway }: FaultWorld): Promise<unknown> {
  return gateway.gateway.tick('refresh', { slice: { index: 0, count: DUE_SHARDS } });
}

/** A connection of a service account that acts for a user, still without a token. */
async function connected(world: FaultWorld, name: string, isListed: boolean) {
  const { gateway } = world;
  const robot = await makeRobot(gateway, name);
  if (isListed) await list(gateway, robot, [DRIVE_SCOPE]);
  const integration = await makeIntegration(gateway, robot, { via: 'aws' });
  const connectionId = await connectUser(gateway, integration, EDITOR);
  const path = `/connections/${connectionId}`;
  return {
    robot,
    call: () => gateway.proxyAs(integration, connectionId, '/drive/v3/about?fields=user'),
    codeOf: async (answer: Response): Promise<unknown> => Object(await answer.json()).error?.code,
    refresh: () => gateway.json('POST', `${path}/refresh?provider_config_key=${integration}`),
    told: (type: string) =>
      gateway.gateway.events.filter(
        (one) => one['detail-type'] === type && Object(one.detail).integration_id === integration,
      ).length,
    async standing(): Promise<{ connection: string; domains: string[] }> {
      const { body } = await gateway.json('GET', `${path}?provider_config_key=${integration}`);
      const { body: of } = await gateway.json('GET', `/integrations/${integration}/delegation`);
      return { connection: body.status, domains: of.domains.map(({ status }: { status: string }) => status) };
    },
    /** For the row of the domain. */
    tenMinutesLater: () =>
      tableClient(gateway).send(
        new UpdateCommand({
          TableName: gateway.gateway.tableName,
          Key: delegatedDomainItemKey({ accountId: 'default', integrationId: integration }, DOMAIN),
          UpdateExpression: 'SET refreshAt = :past',
          ConditionExpression: 'attribute_exists(refreshAt)',
          ExpressionAttributeValues: { ':past': 1 },
        }),
      ),
  };
}
