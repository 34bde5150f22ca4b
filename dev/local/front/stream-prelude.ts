/** Finds the metadata before a streamed body: JSON, eight zero bytes, then the body. */
import { BadFunctionResponse } from './function-response.ts';

/** The metadata and the first bytes of the body behind it. */
export interface StreamPrelude {
  metadata: Buffer;
  rest: Buffer;
}

/** The metadata must end within this many bytes. */
export const MAX_METADATA_BYTES = 16 * 1024;

const SEPARATOR = Buffer.alloc(8);

/** Collects chunks until the separator is there. */
export interface PreludeCollector {
  /** @returns the prelude once it is complete. @throws BadFunctionResponse when there is no separator in time. */
  push(chunk: Buffer): StreamPrelude | undefined;
}

/** Makes a collector for one response. */
export function preludeCollector(): PreludeCollector {
  let collected: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      collected = Buffer.concat([collected, chunk]);
      const end = collected.indexOf(SEPARATOR);
      if (end > MAX_METADATA_BYTES || (end < 0 && collected.length >= MAX_METADATA_BYTES + SEPARATOR.length)) {
        throw new BadFunctionResponse(`The stream has no metadata within its first ${MAX_METADATA_BYTES} bytes.`);
      }
      if (end < 0) return undefined;
      return { metadata: collected.subarray(0, end), rest: collected.subarray(end + SEPARATOR.length) };
    },
  };
}
