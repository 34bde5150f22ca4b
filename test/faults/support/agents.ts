import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { keyWith } from '../../integration/api/keys.ts';
import { approvalTools } from '../../integration/approvals/support.ts';
import { setScopes } from '../../support/connect.ts';
import type { JsonAnswer } from '../../support/gateway.ts';
import { assistant } from '../../support/mcp-client.ts';
import { signIn } from '../../support/operator.ts';
import { tableClient } from '../../support/table.ts';
import type { FaultWorld, Subject } from './fault-world.ts';
import { until } from './timing.ts';

/** A connection that may write, and what is done to its files with keys of each kind. */
export class Desk {
  readonly world: FaultWorld;
  readonly subject: Subject;

  private constructor(world: FaultWorld, subject: Subject) {
    this.world = world;
    this.subject = subject;
  }

  static async open(world: FaultWorld, account?: string): Promise<Desk> {
    await setScopes(world.gateway, 'google-drive', ['drive']);
    return new Desk(world, await world.connect({ expired: false, ...(account === undefined ? {} : { account }) }));
  }

  /** A key that may call this connection alone. */
  key(limits: Record<string, unknown>): Promise<string> {
    return keyWith(this.world.gateway, { right: 'proxy', limits: { mode: 'enforce', ...limits } });
  }

  /** An assistant of this connection. */
  async assistant(limits: Record<string, unknown>) {
    const { integrationId, connectionId } = this.subject;
    const connections = [{ integration_id: integrationId, connection_id: connectionId }];
    const made = await this.world.gateway.json('POST', '/account/agents', {
      ...{ name: 'Assistant', connections },
      limits: { mode: 'enforce', ...limits },
    });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return assistant(this.world.gateway, made.body.data.agent_key);
  }

  /** A call of Drive as this connection's user. */
  send(method: string, path: string, json?: unknown, key = this.world.gateway.gateway.secretKey): Promise<Response> {
    const { integrationId, connectionId } = this.subject;
    return this.world.gateway.proxyAs(integrationId, connectionId, `/drive/v3/files${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
  }

  async newFile(name: string): Promise<string> {
    const { id }: { id: string } = Object(await (await this.send('POST', '?fields=id', { name })).json());
    return id;
  }

  /** Members of a file; its status where there is none. */
  async file(id: string, fields = 'name,description'): Promise<unknown> {
    const answer = await this.send('GET', `/${id}?fields=${fields}`);
    const body: unknown = await answer.json();
    return answer.status === 200 ? body : answer.status;
  }

  /** Calls that change a file, as the provider received them. */
  changes(file: string, method: string): number {
    return this.world.ledger.requests.filter((one) => one.method === method && one.target.includes(file)).length;
  }
}

/** Approvals of calls, and what brings and ends their runs. */
export class Approver {
  readonly #world: FaultWorld;
  readonly #operator: string;

  private constructor(world: FaultWorld, operator: string) {
    this.#world = world;
    this.#operator = operator;
  }

  static async start(world: FaultWorld): Promise<Approver> {
    return new Approver(world, (await signIn(world.gateway.gateway)).accessToken);
  }

  /** An operator's decision, and the event of it held back until the row asks for it or ends. */
  async decide(id: string, decision = 'approve'): Promise<JsonAnswer> {
    const { trigger } = this.#world.gateway.gateway.switches;
    if (trigger !== undefined) trigger.paused = true;
    const shown = await this.#world.gateway.json('GET', `/approvals/${id}`, undefined, this.#operator);
    const seen: string | undefined = shown.body.data.about?.seen;
    return this.#world.gateway.json('POST', `/approvals/${id}/decision`, { decision, seen }, this.#operator);
  }

  /** What the bus brings, as often as it likes. */
  bring(id: string): Promise<unknown> {
    const detail = { account_id: 'default', approval_id: id, outcome: 'approved' };
    return Promise.resolve(this.#world.gateway.gateway.tick('approvals', { detail }));
  }

  statusOf(id: string): Promise<string> {
    return approvalTools(this.#world.gateway).statusOf(id);
  }

  /** Moves times of an approval into the past, as only waiting would. */
  async letPass(id: string, names: readonly string[]): Promise<void> {
    const [, ulid = '', keyId = ''] = /^apr_(.{26})(.{12})$/.exec(id) ?? [];
    await tableClient(this.#world.gateway).send(
      new UpdateCommand({
        TableName: await otherTable(this.#world, /CallLog/),
        Key: { pk: `APPROVAL#default#${keyId}`, sk: ulid },
        UpdateExpression: `SET ${names.map((name) => `${name} = :past`).join(', ')}`,
        ExpressionAttributeValues: { ':past': 1 },
      }),
    );
  }
}

/** Ends what keeps two undos of a connection apart, as only waiting would. */
export async function letLocksEnd(world: FaultWorld): Promise<void> {
  const TableName = await otherTable(world, /Journal/);
  const client = tableClient(world.gateway);
  const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
  for (const { pk, sk } of Items.filter((one) => one.owner !== undefined)) {
    await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
  }
}

/** A table alongside the gateway's main one, by its name. */
export async function otherTable(world: FaultWorld, name: RegExp): Promise<string> {
  const { TableNames = [] } = await tableClient(world.gateway).send(new ListTablesCommand({}));
  const [found] = TableNames.filter((one) => name.test(one));
  if (found === undefined) throw new Error(`No table is called ${name}: ${TableNames.join(', ')}`);
  return found;
}

/** Waits until an approval has come to one of these ends. */
export function ends(approver: Approver, id: string, states: readonly string[]): Promise<void> {
  return until(`the call is ${states.join(' or ')}`, async () => states.includes(await approver.statusOf(id)));
}
