import type { IncomingMessage } from 'node:http';
import type { HeaderList } from './exchange.ts';

/** Largest request body kept in memory: the whole store of uploads is smaller. */
export const MAX_REQUEST_BODY_BYTES = 272 * 1024 * 1024;

/** Pairs up Node's flat list of raw header names and values. */
export function pairHeaders(rawHeaders: readonly string[]): HeaderList {
  const pairs: HeaderList = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return pairs;
}

/** Reads a whole request body; `undefined` when it is above {@link MAX_REQUEST_BODY_BYTES} or the sender went away. */
export async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let received = 0;
  try {
    for await (const chunk of message) {
      const bytes = Buffer.from(chunk);
      received += bytes.length;
      if (received > MAX_REQUEST_BODY_BYTES) return undefined;
      chunks.push(bytes);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}
