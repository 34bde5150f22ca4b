import { type ClientRequest, request } from 'node:http';
import type { SimClock } from '../clock.ts';

/** A push channel of one user and client on one resource. */
export interface Channel {
  id: string;
  resourceId: string;
  resourceUri: string;
  /** Internal name of what is watched, for example `drive/changes`. */
  resource: string;
  address: string;
  token: string | undefined;
  expirationMs: number;
  sub: string;
  clientId: string;
  messageNumber: number;
}

/** What happens to messages on their way. Counts are used up, one message each; the rest holds until it is changed. */
export interface MessageRules {
  /** Messages that never arrive: Google drops a small share in normal operation. */
  drop: number;
  /** Messages that arrive twice. */
  double: number;
  /** Messages of a resource that still arrive on channels that were stopped. */
  late: number;
  /** Milliseconds that a message is on its way. */
  delayMs: number;
  /** Messages wait until they are released. */
  hold: boolean;
  /** Addresses are refused when a channel is opened, as those of a domain that is not verified. */
  unauthorized: boolean;
  /** Milliseconds until a message that was answered with 500, 502, 503 or 504 is repeated; they double each time. */
  repeatAfterMs: number;
}

/** How a simulator begins. */
const USUAL_MESSAGE_RULES: Readonly<MessageRules> = {
  drop: 0,
  double: 0,
  late: 0,
  delayMs: 0,
  hold: false,
  unauthorized: false,
  repeatAfterMs: 1_000,
};

/** Open channels, and the messages on their way. */
export interface ChannelStore {
  readonly rules: MessageRules;
  /** Channels that are open, oldest first. */
  list(): Channel[];
  /** Sends the messages that are held, in their order or in the other. @returns how many there were */
  release(reversed: boolean): number;
  find(id: string): Channel | undefined;
  /** Keeps a channel and sends its `sync` message. */
  open(channel: Channel): void;
  stop(id: string): void;
  /** Notifies every channel of the user on this resource. */
  notify(sub: string, resource: string, state: string): void;
  close(): void;
}

const SEND_TIMEOUT_MS = 5_000;
/** Answers after which a message is repeated ("Responding to notifications"); every other is final. */
const REPEATED = new Set([500, 502, 503, 504]);
const REPEATS_MAX = 5;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** True for an address messages are really sent to: plain HTTP on this machine, nothing else. */
export function isLoopbackAddress(address: string): boolean {
  const url = new URL(address);
  return url.protocol === 'http:' && LOOPBACK.has(url.hostname);
}

function messageHeaders(channel: Channel, state: string): Record<string, string> {
  return {
    'X-Goog-Channel-ID': channel.id,
    'X-Goog-Channel-Expiration': new Date(channel.expirationMs).toUTCString(),
    'X-Goog-Resource-ID': channel.resourceId,
    'X-Goog-Resource-URI': channel.resourceUri,
    'X-Goog-Resource-State': state,
    'X-Goog-Message-Number': String(channel.messageNumber),
    ...(channel.token === undefined ? {} : { 'X-Goog-Channel-Token': channel.token }),
    ...(state === 'update' ? { 'X-Goog-Changed': 'content,properties' } : {}),
    'Content-Length': '0',
  };
}

/** No channel yet. */
export function createChannelStore(clock: SimClock): ChannelStore {
  const channels = new Map<string, Channel>();
  const stopped = new Set<Channel>();
  const sending = new Set<ClientRequest>();
  const timers = new Set<NodeJS.Timeout>();
  const rules = { ...USUAL_MESSAGE_RULES };
  let held: (() => void)[] = [];

  const later = (ms: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  };

  const post = (address: string, headers: Record<string, string>, repeats: number) => {
    const message = request(address, { method: 'POST', headers, timeout: SEND_TIMEOUT_MS });
    sending.add(message);
    message.on('timeout', () => message.destroy());
    message.on('close', () => sending.delete(message));
    // Google's messages are lossy too: a receiver that is not there misses them.
    message.on('error', () => message.destroy());
    message.on('response', (answer) => {
      answer.resume();
      if (!REPEATED.has(answer.statusCode ?? 0) || repeats === REPEATS_MAX) return;
      later(rules.repeatAfterMs * 2 ** repeats, () => post(address, headers, repeats + 1));
    });
    message.end();
  };

  const used = (name: 'drop' | 'double' | 'late'): boolean => {
    if (rules[name] === 0) return false;
    rules[name] -= 1;
    return true;
  };

  const send = (channel: Channel, state: string) => {
    channel.messageNumber += 1;
    if (!isLoopbackAddress(channel.address)) return;
    const headers = messageHeaders(channel, state);
    // `sync` says that the channel is open: what a test plays begins behind it.
    if (state !== 'sync' && used('drop')) return;
    const copies = state !== 'sync' && used('double') ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      const go = () => post(channel.address, headers, 0);
      if (rules.hold && state !== 'sync') held.push(go);
      else if (rules.delayMs > 0 && state !== 'sync') later(rules.delayMs, go);
      else go();
    }
  };

  return {
    rules,
    list: () => [...channels.values()],
    release(reversed) {
      const messages = reversed ? held.toReversed() : held;
      held = [];
      for (const go of messages) go();
      return messages.length;
    },
    find: (id) => channels.get(id),
    open(channel) {
      channels.set(channel.id, channel);
      send(channel, 'sync');
    },
    stop(id) {
      const channel = channels.get(id);
      if (channel !== undefined) stopped.add(channel);
      channels.delete(id);
    },
    notify(sub, resource, state) {
      for (const channel of channels.values()) {
        if (clock.nowMs() >= channel.expirationMs) channels.delete(channel.id);
        else if (channel.sub === sub && channel.resource === resource) send(channel, state);
      }
      for (const channel of stopped) {
        if (channel.sub === sub && channel.resource === resource && used('late')) send(channel, state);
      }
    },
    close() {
      channels.clear();
      stopped.clear();
      held = [];
      Object.assign(rules, USUAL_MESSAGE_RULES);
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      for (const message of sending) message.destroy();
    },
  };
}
