import { connectAccount } from '../../support/connect.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { control, forgetRequests, tokenCalls } from '../../support/simulator.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';
import { Endpoint } from './endpoint.ts';
import { type AwsCall, type Fault, type FaultAction, type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { Ledger } from './ledger.ts';
import { Owner, type WatchedResource } from './owner.ts';
import { EpochWatch, subjectOf, TokenNeeds } from './subject.ts';
import { nowSec, until } from './timing.ts';
import { Transcripts } from './transcripts.ts';
import { WatchedFeed } from './watched-feed.ts';

export { nowSec, until };

/** Lease length of these runs: seconds instead of half a minute, at the same ratios. */
export const SHORT_LEASE_SEC = 3;
const ACCOUNTS = ['first.user@example.com', 'second.user@example.com', 'editor@workspace.example'] as const;

/** Messages of push channels that arrive at once, each once. */
const QUIET = { drop: 0, double: 0, late: 0, delayMs: 0, hold: false, unauthorized: false, repeatAfterMs: 1_000 };

/** A gateway whose provider, table and AWS services can be broken, and whose processes can be killed. */
export interface FaultWorld extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly table: FaultProxy;
  readonly aws: FaultProxy;
  /** What the provider saw and issued. */
  readonly ledger: Ledger;
  /** What callers of connections asked and got. */
  readonly transcripts: Transcripts;
  /** How often a connection needed new tokens: it expired, fell due, or an operator asked. */
  expiries(key: string): number;
  /** Connections whose epochs were seen to fall. */
  fallenEpochs(): readonly string[];
  /** A new connection for one row; its access token has expired by default. */
  connect(options?: { account?: string; integrationId?: string; expired?: boolean }): Promise<Subject>;
  /** So many of them. */
  connectMany(count: number, options?: Parameters<FaultWorld['connect']>[0]): Promise<Subject[]>;
  /** Connections whose invariants are checked when the row is over: all that it made, unless it takes some out. */
  readonly subjects: Set<Subject>;
  /** Puts the Drive or the first calendar of a connection under watch. */
  watch(subject: Subject, resource?: WatchedResource): Promise<WatchedFeed>;
  /** Every feed so far. */
  readonly feeds: readonly WatchedFeed[];
  /** An enabled endpoint of webhooks at a path of its own, for events of these types. Only in worlds with `rules`. */
  endpoint(path: string, types: readonly string[]): Promise<Endpoint>;
  /** Every endpoint so far. */
  readonly endpoints: readonly Endpoint[];
  /** Where endpoints are. */
  receiver(): Promise<WebhookReceiver>;
  /** The person behind an account, alongside the gateway. */
  owner(account: string): Owner;
  /** A connection that was made otherwise; its grant is noted when `ledger.adopt` went around its consent. */
  subject(integrationId: string, connectionId: string): Subject;
  /** Puts a switch on at the provider. */
  provider(
    match: Record<string, unknown>,
    action: Record<string, unknown>,
    more?: Record<string, unknown>,
  ): Promise<void>;
  /** Ends every process of a function, so that the next call meets a cold one. */
  restart(functionName: string): Promise<void>;
  /**
   * Sends a signal to the one process of a function that is serving a call. Another may still be ending what the row
   * does not wait for, an event of its preparation for instance: the signal waits until that one is idle.
   */
  signalBusy(functionName: string, signal: NodeJS.Signals): Promise<number>;
  /** Kills the one process of a function that is serving a call, and waits until it is gone. */
  killBusy(functionName: string): Promise<void>;
  /** Ends every fault, so that the invariants can be checked. */
  calm(): Promise<void>;
}

/** One connection under test. */
export interface Subject {
  readonly integrationId: string;
  readonly connectionId: string;
  /** Integration and connection, as one text. */
  readonly key: string;
  /** Where the management API has it, with its query. */
  readonly path: string;
  /** Whose Google account it was made with, where the row's own `connect` made it. */
  readonly account: string;
  /** A call of the proxy; the whole answer has been read and noted by then. */
  call(path?: string, init?: { readonly method: string; readonly body: string }): Promise<Response>;
  row(): Promise<Record<string, unknown>>;
  set(attributes: Record<string, unknown>): Promise<void>;
  expire(): Promise<void>;
  /** Transitions on record, in order. */
  events(): Promise<
    { readonly id: string; readonly type: string; readonly sequence: number; readonly cause: string }[]
  >;
  /** Is this call about this connection's row? */
  owns(call: AwsCall): boolean;
}

export interface WorldOptions {
  readonly maxChildren?: number;
  readonly leaseSec?: number;
  /** How far clocks are off. */
  readonly clockOffsetMs?: number;
  /** Functions whose processes have that clock. @default the proxy */
  readonly clockOf?: readonly string[];
  /** Events start the functions of the bus's rules. @default false */
  readonly rules?: boolean;
  /** JavaScript that every function process runs before it starts. */
  readonly preload?: string;
  /** Makes another assembly than the project's. @returns its folder */
  readonly assembly?: () => Promise<string>;
}

/** Starts a world; `GATEWAY_ASSEMBLY` names another assembly than the project's, such as one with a removal in it. */
export async function startFaultWorld(options: WorldOptions = {}): Promise<FaultWorld> {
  const proxies: { table?: FaultProxy; aws?: FaultProxy } = {};
  const ledger = new Ledger();
  const transcripts = new Transcripts();
  const needs = new TokenNeeds(ledger);
  const epochs = new EpochWatch();
  const leaseSec = options.leaseSec ?? SHORT_LEASE_SEC;
  const assembly = (await options.assembly?.()) ?? process.env.GATEWAY_ASSEMBLY;
  const started = await startTestGateway({
    simulator: { observer: ledger },
    maxChildrenPerFunction: options.maxChildren ?? 4,
    preloads: [
      preload(leaseSec, options.clockOffsetMs ?? 0, options.clockOf ?? ['proxy']),
      asModule(options.preload ?? ''),
    ],
    rules: options.rules ?? false,
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
  const gateway: TestGateway = {
    ...started,
    call(path, init) {
      const forced = /^\/connections\/([^?/]+)\?provider_config_key=([^&]+)&.*force_refresh=true/.exec(path);
      if (forced !== null) needs.note(`${forced[2]} ${decodeURIComponent(forced[1] ?? '')}`);
      return started.call(path, init);
    },
  };
  const { table, aws } = proxies;
  if (table === undefined || aws === undefined) throw new Error('The gateway did not ask for its endpoints');
  const stopped = new Set<number>();
  const subjects = new Set<Subject>();
  const subject = (integrationId: string, connectionId: string, account = '') => {
    const made = subjectOf({ gateway, transcripts, needs, epochs }, { integrationId, connectionId, account });
    subjects.add(made);
    return made;
  };
  const owners = new Map<string, Owner>();
  const owner = (account: string) => {
    const known = owners.get(account) ?? new Owner(gateway, account);
    owners.set(account, known);
    return known;
  };
  const feeds: WatchedFeed[] = [];
  const endpoints: Endpoint[] = [];
  let starting: Promise<WebhookReceiver> | undefined;
  const receiver = () => {
    starting ??= startWebhookReceiver();
    return starting;
  };
  const connect: FaultWorld['connect'] = async (wanted = {}) => {
    const integrationId = wanted.integrationId ?? 'google-drive';
    const account = wanted.account ?? ACCOUNTS[0];
    const connectionId = await ledger.adopt(
      () => connectAccount(gateway, integrationId, { account }),
      (id) => `${integrationId} ${id}`,
    );
    const connected = subject(integrationId, connectionId, account);
    if (wanted.expired !== false) await connected.expire();
    await forgetRequests(gateway);
    return connected;
  };
  const signalBusy = async (functionName: string, signal: NodeJS.Signals) => {
    let pid = 0;
    await until(`one process of ${functionName} is busy`, () => {
      const busy = gateway.gateway
        .children()
        .filter((child) => child.functionName === functionName && child.state === 'busy');
      pid = busy[0]?.pid ?? 0;
      return busy.length === 1;
    });
    process.kill(pid, signal);
    if (signal === 'SIGSTOP') stopped.add(pid);
    else stopped.delete(pid);
    return pid;
  };
  const gone = (pids: readonly number[]) =>
    until('the processes are gone', () => gateway.gateway.children().every(({ pid }) => !pids.includes(pid)));
  return {
    gateway,
    table,
    aws,
    ledger,
    transcripts,
    expiries: (key) => needs.of(key),
    fallenEpochs: () => epochs.fallen,
    connect,
    async connectMany(count, wanted) {
      const made: Subject[] = [];
      while (made.length < count) made.push(await connect(wanted));
      return made;
    },
    subject,
    subjects,
    feeds,
    endpoints,
    receiver,
    owner,
    async watch(watched, resource = watched.integrationId === 'google-calendar' ? 'calendar:primary' : 'drive') {
      const feed = await WatchedFeed.make(gateway, watched, resource, owner(watched.account));
      feeds.push(feed);
      return feed;
    },
    async endpoint(path, types) {
      const made = await Endpoint.make(gateway, await receiver(), path, types);
      endpoints.push(made);
      return made;
    },
    provider: async (match, action, more = {}) => {
      await control(gateway, 'POST', '/faults', { match, action, ...more });
    },
    async restart(functionName) {
      const pids = gateway.gateway
        .children()
        .filter((child) => child.functionName === functionName)
        .map(({ pid }) => pid);
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      await gone(pids);
    },
    signalBusy,
    killBusy: async (functionName) => gone([await signalBusy(functionName, 'SIGKILL')]),
    async calm() {
      table.clear();
      aws.clear();
      wake(gateway, stopped);
      const { kms, trigger, bus, logs } = gateway.gateway.switches;
      Object.assign(kms, { throttled: false, disabled: false, delayMs: 0 });
      if (trigger !== undefined) Object.assign(trigger, { paused: false, repeat: 0, reverse: false });
      bus.refuse = undefined;
      Object.assign(logs, { delayMs: 0, isHeldBack: false, losesOneIn: 0, isThrottled: false, runs: 0 });
      await control(gateway, 'DELETE', '/faults');
      await control(gateway, 'POST', '/clock', { offsetSec: 0 });
      await control(gateway, 'POST', '/channels', QUIET);
      await control(gateway, 'POST', '/channels', { release: 'in_order' });
    },
    async [Symbol.asyncDispose]() {
      table.clear();
      aws.clear();
      wake(gateway, stopped);
      await gateway[Symbol.asyncDispose]();
      await Promise.all([table.close(), aws.close(), starting?.then((one) => one[Symbol.asyncDispose]())]);
    },
  };
}

/** Lets stopped processes continue, those that are still there. */
function wake(gateway: TestGateway, stopped: Set<number>): void {
  for (const { pid } of gateway.gateway.children()) if (stopped.has(pid)) process.kill(pid, 'SIGCONT');
  stopped.clear();
}

/** Settings that the stack leaves alone, and a wrong clock in the processes of some functions. */
function preload(leaseSec: number, offsetMs: number, functions: readonly string[]): string {
  const lines = [
    `process.env.REFRESH_LEASE_SEC = '${leaseSec}';`,
    `const now = Date.now;`,
    `if (${JSON.stringify(functions)}.includes(process.env.AWS_SDK_UA_APP_ID)) Date.now = () => now() + ${offsetMs};`,
  ];
  return asModule(lines.join(' '));
}

/** Code as a preload of function processes. */
export function asModule(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** Token calls that refresh, and what they are answered where a grant has ended. */
export const REFRESH = { origin: 'token', tokenKind: 'refresh' };
export const INVALID_GRANT = {
  oauthError: { status: 400, error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
};
/** What the table answers a caller that is too fast for it. */
export const THROTTLED = { kind: 'error', name: 'ProvisionedThroughputExceededException' } as const;

/** Statuses of so many calls at the same time. */
export async function statusesOf(count: number, call: () => Promise<Response>): Promise<ReadonlySet<number>> {
  const answers = await Promise.all(Array.from({ length: count }, call));
  return new Set(answers.map(({ status }) => status));
}

/** Writes of the lease protocol, distinguished by what their expressions set. */
export const writes = {
  lease: (call: AwsCall) => call.operation === 'UpdateItem' && call.body.includes('SET refreshLease'),
  /** In a transaction where what the token is found by is written along. */
  tokens: (call: AwsCall) =>
    ['UpdateItem', 'TransactWriteItems'].includes(call.operation) && call.body.includes('SET #encryptedAccessToken'),
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

/** Waits until the token endpoint has received this many requests. */
export function tokenCallsReach(world: FaultWorld, count: number): Promise<void> {
  return until(`${count} token calls`, async () => (await tokenCalls(world.gateway)).length >= count);
}
