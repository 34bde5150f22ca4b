import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** One call of a function to an AWS service, as the proxy sees it. */
export interface AwsCall {
  /** Such as `UpdateItem` or `Decrypt`. */
  readonly operation: string;
  /** The whole request body. */
  readonly body: string;
  /** Function that calls, from the SDK's application id. */
  readonly caller: string;
}

/** What happens to a call that matches. */
export type FaultAction =
  | { readonly kind: 'drop' }
  /** `meanwhile` happens between the applied call and the loss of its answer. */
  | { readonly kind: 'apply_then_drop'; readonly meanwhile?: () => Promise<void> }
  | {
      readonly kind: 'error';
      readonly name: string;
      readonly status?: number;
      readonly more?: Readonly<Record<string, unknown>>;
    }
  /** Answers in the service's place. */
  | {
      readonly kind: 'answer';
      readonly body: Readonly<Record<string, unknown>> | ((call: AwsCall) => Readonly<Record<string, unknown>>);
    }
  /** Goes through and is counted. */
  | { readonly kind: 'pass' }
  /** Is taken and never answered; until `release` is called its connection stays open. */
  | { readonly kind: 'hang' }
  /** The service does it and answers a byte a second without end: the answer seems to be on its way. */
  | { readonly kind: 'trickle' }
  /** The service does it, and the connection is reset in the middle of the answer. */
  | { readonly kind: 'cut' }
  /** Stops in front of the service, or behind it, until `release` is called. */
  | { readonly kind: 'hold'; readonly side: 'before' | 'after' };

export interface Fault {
  /** Resolves when the first matching call has been met; for `hold` it is held by then. */
  readonly met: Promise<AwsCall>;
  /** How many calls were met. */
  count(): number;
  /** Lets held calls continue and takes the fault away; with `drop` a call held in front is lost instead. */
  release(how?: 'drop'): void;
}

/** Stands between the functions and an AWS endpoint, and breaks the calls that a test names. */
export interface FaultProxy {
  readonly endpoint: string;
  /** @param times how many matching calls are met. @default 1 */
  add(matches: (call: AwsCall) => boolean, action: FaultAction, times?: number): Fault;
  clear(): void;
  close(): Promise<void>;
}

interface Rule {
  readonly matches: (call: AwsCall) => boolean;
  readonly action: FaultAction;
  left: number;
  count: number;
  readonly met: (call: AwsCall) => void;
  readonly released: Promise<'drop' | undefined>;
  readonly release: (how?: 'drop') => void;
}

/** Starts a proxy on a free loopback port. @param realEndpoint where calls continue to */
export async function startFaultProxy(realEndpoint: string): Promise<FaultProxy> {
  const rules = new Set<Rule>();
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing, realEndpoint, rules).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    add(matches, action, times = 1) {
      const met = Promise.withResolvers<AwsCall>();
      const released = Promise.withResolvers<'drop' | undefined>();
      const rule: Rule = {
        matches,
        action,
        left: times,
        count: 0,
        met: met.resolve,
        released: released.promise,
        release: (how) => released.resolve(how),
      };
      rules.add(rule);
      const release = (how?: 'drop') => {
        rules.delete(rule);
        rule.release(how);
      };
      return { met: met.promise, count: () => rule.count, release };
    },
    clear() {
      for (const rule of rules) rule.release();
      rules.clear();
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  realEndpoint: string,
  rules: ReadonlySet<Rule>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const call: AwsCall = {
    operation:
      String(incoming.headers['x-amz-target'] ?? '')
        .split('.')
        .at(-1) ?? '',
    body: body.toString('utf8'),
    caller: /app\/(\S+)/.exec(String(incoming.headers['user-agent']))?.[1] ?? '',
  };
  const rule = [...rules].find((one) => one.left > 0 && one.matches(call));
  if (rule === undefined) return forward(incoming, outgoing, body, realEndpoint);
  rule.left--;
  rule.count++;
  const { action } = rule;
  switch (action.kind) {
    case 'drop':
      rule.met(call);
      incoming.socket.destroy();
      return;
    case 'apply_then_drop':
      await forward(incoming, undefined, body, realEndpoint);
      await action.meanwhile?.();
      rule.met(call);
      incoming.socket.destroy();
      return;
    case 'error':
      rule.met(call);
      outgoing.writeHead(action.status ?? 400, { 'content-type': 'application/x-amz-json-1.0' });
      outgoing.end(JSON.stringify({ __type: `com.amazonaws#${action.name}`, message: action.name, ...action.more }));
      return;
    case 'answer':
      rule.met(call);
      outgoing.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
      outgoing.end(JSON.stringify(typeof action.body === 'function' ? action.body(call) : action.body));
      return;
    case 'hang':
      rule.met(call);
      await rule.released;
      incoming.socket.destroy();
      return;
    case 'trickle':
      rule.met(call);
      return forward(incoming, outgoing, body, realEndpoint, (answer) => trickle(answer, rule.released), 1e6);
    case 'cut':
      rule.met(call);
      return forward(incoming, outgoing, body, realEndpoint, async (answer, whole) => {
        answer.write(whole.subarray(0, Math.ceil(whole.length / 2)), () => answer.socket?.resetAndDestroy());
      });
    case 'pass':
      rule.met(call);
      return forward(incoming, outgoing, body, realEndpoint);
    case 'hold':
      if (action.side === 'before') {
        rule.met(call);
        if ((await rule.released) === 'drop') {
          incoming.socket.destroy();
          return;
        }
        return forward(incoming, outgoing, body, realEndpoint);
      }
      return forward(incoming, outgoing, body, realEndpoint, async (answer, whole) => {
        rule.met(call);
        await rule.released;
        answer.end(whole);
      });
  }
}

/** Gives a space a second, with which every JSON may begin, until the fault is over. */
async function trickle(answer: ServerResponse, over: Promise<unknown>): Promise<void> {
  let isOver = false;
  over.then(() => {
    isOver = true;
  });
  while (!isOver && !answer.destroyed) {
    answer.write(' ');
    await Promise.race([over, delay(1_000)]);
  }
  answer.socket?.destroy();
}

/**
 * Passes a call on; without `outgoing` its answer is thrown away.
 *
 * @param send gives an answer whose head is written its body
 * @param more bytes that the head announces beyond that body
 */
function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse | undefined,
  body: Buffer,
  realEndpoint: string,
  send: (answer: ServerResponse, whole: Buffer) => Promise<void> = async (answer, whole) => void answer.end(whole),
  more = 0,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(realEndpoint);
    const onward = request(
      {
        hostname,
        port,
        method: incoming.method,
        path: incoming.url,
        // As they are: the caller signed them, its name of this proxy among them.
        headers: incoming.headers,
      },
      async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk);
        if (outgoing !== undefined) {
          // Fixed here: of an answer that was chunked nobody would notice the missing half otherwise.
          const { 'transfer-encoding': _, ...headers } = answer.headers;
          const whole = Buffer.concat(chunks);
          outgoing.writeHead(answer.statusCode ?? 502, { ...headers, 'content-length': String(whole.length + more) });
          await send(outgoing, whole);
        }
        resolve();
      },
    );
    onward.once('error', reject);
    onward.end(body);
  });
}
