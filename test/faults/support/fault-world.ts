import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { connectAccount } from '../../support/connect.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { control, forgetRequests, tokenCalls } from '../../support/simulator.ts';
import { changeConnection, connectionKey, readConnection, tableClient } from '../../support/table.ts';
import { type AwsCall, type Fault, type FaultAction, type FaultProxy, startFaultProxy } from './fault-proxy.ts';

/** Lease length of these runs: seconds instead of half a minute, at the same ratios. */
export const SHORT_LEASE_SEC = 3;
const FILES = '/drive/v3/files?pageSize=1';
const CALENDARS = '/calendar/v3/users/me/calendarList';
const ACCOUNTS = ['first.user@example.com', 'second.user@example.com', 'editor@workspace.example'] as const;

/** A gateway whose provider, table and AWS services can be broken, and whose processes can be killed. */
export interface FaultWorld extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly table: FaultProxy;
  readonly aws: FaultProxy;
  /** A connection of its own for one row, its access token expired unless told otherwise. */
  connect(options?: { account?: string; integrationId?: string; expired?: boolean }): Promise<Subject>;
  /** Puts a switch on at the provider. */
  provider(
    match: Record<string, unknown>,
    action: Record<string, unknown>,
    more?: Record<string, unknown>,
  ): Promise<void>;
  /** Ends every process of a function, so that the next call meets a cold one. */
  restart(functionName: string): Promise<void>;
  /** Sends a signal to the one process of a function that is serving a call. */
  signalBusy(functionName: string, signal: NodeJS.Signals): number;
  /** Ends every fault, so that the invariants can be checked. */
  calm(): Promise<void>;
}

/** One connection under test. */
export interface Subject {
  readonly integrationId: string;
  readonly connectionId: string;
  call(path?: string): Promise<Response>;
  row(): Promise<Record<string, unknown>>;
  set(attributes: Record<string, unknown>): Promise<void>;
  expire(): Promise<void>;
  /** Transitions on record, in order. */
  events(): Promise<{ readonly type: string; readonly sequence: number; readonly cause: string }[]>;
  /** Is this call about this connection's row? */
  owns(call: AwsCall): boolean;
}

export interface WorldOptions {
  readonly maxChildren?: number;
  readonly leaseSec?: number;
  /** How far the clocks of the proxy's processes are off. */
  readonly clockOffsetMs?: number;
}

/** Starts a world; `GATEWAY_ASSEMBLY` names another assembly than the project's, such as one with a removal in it. */
export async function startFaultWorld(options: WorldOptions = {}): Promise<FaultWorld> {
  const proxies: { table?: FaultProxy; aws?: FaultProxy } = {};
  const leaseSec = options.leaseSec ?? SHORT_LEASE_SEC;
  const assembly = process.env.GATEWAY_ASSEMBLY;
  const gateway = await startTestGateway({
    maxChildrenPerFunction: options.maxChildren ?? 4,
    preloads: [preload(leaseSec, options.clockOffsetMs ?? 0)],
    ...(assembly === undefined ? {} : { assemblyFolder: assembly }),
    endpointOverrides: {
      dynamodb: async (real) => {
        proxies.table = await startFaultProxy(real);
        return proxies.table.endpoint;
      },
      aws: async (real) => {
        proxies.aws = await startFaultProxy(real);
        return proxies.aws.endpoint;
      },
    },
  });
  const { table, aws } = proxies;
  if (table === undefined || aws === undefined) throw new Error('The gateway did not ask for its endpoints');
  const stopped = new Set<number>();
  const connect: FaultWorld['connect'] = async (wanted = {}) => {
    const integrationId = wanted.integrationId ?? 'google-drive';
    const account = wanted.account ?? ACCOUNTS[0];
    const subject = subjectOf(gateway, integrationId, await connectAccount(gateway, integrationId, { account }));
    if (wanted.expired !== false) await subject.expire();
    await forgetRequests(gateway);
    return subject;
  };
  return {
    gateway,
    table,
    aws,
    connect,
    provider: async (match, action, more = {}) => {
      await control(gateway, 'POST', '/faults', { match, action, ...more });
    },
    async restart(functionName) {
      const pids = gateway.gateway
        .children()
        .filter((child) => child.functionName === functionName)
        .map(({ pid }) => pid);
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      await until(`${functionName} has ended`, () =>
        gateway.gateway.children().every(({ pid }) => !pids.includes(pid)),
      );
    },
    signalBusy(functionName, signal) {
      const busy = gateway.gateway
        .children()
        .filter((child) => child.functionName === functionName && child.state === 'busy');
      const [child] = busy;
      if (child === undefined || busy.length > 1)
        throw new Error(`${busy.length} processes of ${functionName} are busy`);
      process.kill(child.pid, signal);
      if (signal === 'SIGSTOP') stopped.add(child.pid);
      else stopped.delete(child.pid);
      return child.pid;
    },
    async calm() {
      table.clear();
      aws.clear();
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
      stopped.clear();
      const { kms, pipe } = gateway.gateway.switches;
      Object.assign(kms, { throttled: false, disabled: false, delayMs: 0 });
      if (pipe !== undefined) Object.assign(pipe, { paused: false, repeat: 0, reverse: false, refuse: undefined });
      await control(gateway, 'DELETE', '/faults');
      await control(gateway, 'POST', '/clock', { offsetSec: 0 });
    },
    async [Symbol.asyncDispose]() {
      table.clear();
      aws.clear();
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
      await gateway[Symbol.asyncDispose]();
      await Promise.all([table.close(), aws.close()]);
    },
  };
}

/** Settings that the stack leaves alone, and a wrong clock in the processes of the proxy. */
function preload(leaseSec: number, offsetMs: number): string {
  const lines = [
    `process.env.REFRESH_LEASE_SEC = '${leaseSec}';`,
    `const now = Date.now;`,
    `if (process.env.AWS_SDK_UA_APP_ID === 'proxy') Date.now = () => now() + ${offsetMs};`,
  ];
  return `data:text/javascript,${encodeURIComponent(lines.join(' '))}`;
}

function subjectOf(gateway: TestGateway, integrationId: string, connectionId: string): Subject {
  const { pk } = connectionKey(integrationId, connectionId);
  const subject: Subject = {
    integrationId,
    connectionId,
    call: (path = integrationId === 'google-calendar' ? CALENDARS : FILES) =>
      gateway.call(`/proxy${path}`, {
        headers: { 'provider-config-key': integrationId, 'connection-id': connectionId },
      }),
    row: () => readConnection(gateway, integrationId, connectionId),
    set: (attributes) => changeConnection(gateway, integrationId, connectionId, attributes),
    expire: () => subject.set({ accessTokenExpiresAtEpochSec: nowSec() - 10 }),
    owns: (call) => call.body.includes(pk),
    async events() {
      const { Items = [] } = await tableClient(gateway).send(
        new QueryCommand({
          TableName: gateway.gateway.tableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': pk, ':prefix': 'EVENT#' },
          ConsistentRead: true,
        }),
      );
      // Sequence 0 reports no transition, such as the start of a flow.
      return Items.map((item) => ({
        type: String(item.eventType),
        sequence: Number(item.sequence),
        cause: String(item.cause),
      })).filter(({ sequence }) => sequence > 0);
    },
  };
  return subject;
}

/** Seconds since the epoch. */
export function nowSec(): number {
  return Math.floor(Date.now() / 1000);
}

/** Writes of the lease protocol, told apart by what their expressions set. */
export const writes = {
  lease: (call: AwsCall) => call.operation === 'UpdateItem' && call.body.includes('SET refreshLease'),
  tokens: (call: AwsCall) => call.operation === 'UpdateItem' && call.body.includes('SET encryptedAccessToken'),
  release: (call: AwsCall) => call.operation === 'UpdateItem' && call.body.includes('SET failureCount'),
  transition: (call: AwsCall) => call.operation === 'TransactWriteItems',
  escrow: (call: AwsCall) => call.operation === 'PutItem' && call.body.includes('ESCROW#'),
} as const;

/** Breaks a kind of write of one connection. */
export function breakWrite(
  world: FaultWorld,
  subject: Subject,
  kind: (call: AwsCall) => boolean,
  action: FaultAction,
  times?: number,
): Fault {
  return world.table.add((call) => kind(call) && subject.owns(call), action, times);
}

/** Waits until something is so. @throws Error naming it when it does not come about in time */
export async function until(what: string, check: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`Not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until the token endpoint has received this many requests. */
export function tokenCallsReach(world: FaultWorld, count: number): Promise<void> {
  return until(`${count} token calls`, async () => (await tokenCalls(world.gateway)).length >= count);
}
