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

/** Open channels, and the messages on their way. */
export interface ChannelStore {
  find(id: string): Channel | undefined;
  /** Keeps a channel and sends its `sync` message. */
  open(channel: Channel): void;
  stop(id: string): void;
  /** Tells every channel of the user on this resource. */
  notify(sub: string, resource: string, state: string): void;
  close(): void;
}

const SEND_TIMEOUT_MS = 5_000;
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
  const sending = new Set<ClientRequest>();
  const send = (channel: Channel, state: string) => {
    channel.messageNumber += 1;
    if (!isLoopbackAddress(channel.address)) return;
    const message = request(channel.address, {
      method: 'POST',
      headers: messageHeaders(channel, state),
      timeout: SEND_TIMEOUT_MS,
    });
    sending.add(message);
    message.on('timeout', () => message.destroy());
    message.on('close', () => sending.delete(message));
    // Google's messages are lossy too: a receiver that is not there misses them.
    message.on('error', () => message.destroy());
    message.on('response', (answer) => answer.resume());
    message.end();
  };
  return {
    find: (id) => channels.get(id),
    open(channel) {
      channels.set(channel.id, channel);
      send(channel, 'sync');
    },
    stop(id) {
      channels.delete(id);
    },
    notify(sub, resource, state) {
      for (const channel of channels.values()) {
        if (clock.nowMs() >= channel.expirationMs) channels.delete(channel.id);
        else if (channel.sub === sub && channel.resource === resource) send(channel, state);
      }
    },
    close() {
      channels.clear();
      for (const message of sending) message.destroy();
    },
  };
}
