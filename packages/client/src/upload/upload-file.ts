import { ProviderError, UploadError } from '../errors.ts';
import type { ProxyAnswer } from '../proxy/types.ts';
import type { Settings } from '../settings.ts';
import { backOffMs, pause } from './back-off.ts';
import { type ChunkReader, type FileChunk, openChunkReader } from './chunk-reader.ts';
import { isPassing, type SessionState, startSession, type UploadSession } from './session.ts';
import type { UploadCall } from './types.ts';

/** Google takes chunks in multiples of this, the last one excepted. */
const CHUNK_UNIT_BYTES = 256 * 1024;
const DEFAULT_CHUNK_BYTES = 4 * 1024 * 1024;
/** Largest request through the gateway. */
const MAX_CHUNK_BYTES = 4_500_000;
const DEFAULT_ATTEMPTS = 5;

/**
 * Uploads a file of any size in chunks and resumes after failures that pass: 5xx, rate limits, broken connections. One
 * chunk at a time is held in memory.
 *
 * @returns the answer to the last chunk: the file's resource
 * @throws UploadError when the session is gone or the body is not as long as `size`; else what a call throws
 */
export async function uploadFile<T>(settings: Settings, call: UploadCall): Promise<ProxyAnswer<T>> {
  const chunkBytes = readChunkBytes(call.chunkBytes);
  const attempts = readAttempts(call.maxAttempts);
  const reader = openChunkReader(call.body, chunkBytes);
  try {
    const size = readSize(call.size, reader.size);
    const session = await persist(() => startSession<T>(settings, call, size), attempts, call.signal);
    return await sendChunks(session, reader, { call, size, attempts });
  } finally {
    await reader.close();
  }
}

interface Plan {
  readonly call: UploadCall;
  readonly size: number | undefined;
  readonly attempts: number;
}

async function sendChunks<T>(session: UploadSession<T>, reader: ChunkReader, plan: Plan): Promise<ProxyAnswer<T>> {
  for (let offset = 0; ; ) {
    const chunk = await reader.next();
    const end = offset + chunk.bytes.byteLength;
    checkEnd(end, chunk.isLast, plan.size);
    const totalBytes = chunk.isLast ? end : plan.size;
    const answer = await sendChunk(session, chunk, { offset, totalBytes }, plan);
    plan.call.onProgress?.({ uploadedBytes: end, totalBytes });
    if (answer !== undefined) return answer;
    offset = end;
  }
}

/** Sends one chunk until the provider has all of it. @returns the final answer, or undefined when more is to come */
async function sendChunk<T>(
  session: UploadSession<T>,
  { bytes, isLast }: FileChunk,
  { offset, totalBytes }: { offset: number; totalBytes: number | undefined },
  { attempts, call: { signal } }: Plan,
): Promise<ProxyAnswer<T> | undefined> {
  let sent = 0;
  for (let idle = 0; ; ) {
    const rest = bytes.subarray(sent);
    const state = await putOrAsk(session, rest, { offset: offset + sent, totalBytes }, attempts, signal);
    if (state.kind === 'done') {
      if (isLast) return state.answer;
      throw new UploadError('The provider finished the file before its end.');
    }
    const stored = state.bytes - offset;
    if (stored < sent || stored > bytes.byteLength) {
      throw new UploadError(`The provider has ${state.bytes} bytes, which does not fit what was sent. Upload again.`);
    }
    if (stored === bytes.byteLength && !isLast) return undefined;
    idle = stored > sent ? 0 : idle + 1;
    if (idle >= attempts) throw new UploadError(`The provider stored nothing in ${attempts} tries.`);
    if (idle > 0) await pause(backOffMs(idle - 1, undefined, Math.random()), signal);
    sent = stored;
  }
}

/** Sends bytes; after a failure that passes, asks what arrived instead of sending them again. */
async function putOrAsk<T>(
  session: UploadSession<T>,
  rest: Uint8Array<ArrayBuffer>,
  { offset, totalBytes }: { offset: number; totalBytes: number | undefined },
  attempts: number,
  signal: AbortSignal | undefined,
): Promise<SessionState<T>> {
  let isFirst = true;
  return persist(
    () => {
      const isQuestion = !isFirst || (rest.byteLength === 0 && offset > 0);
      isFirst = false;
      return isQuestion ? session.status(totalBytes) : session.put(rest, offset, totalBytes);
    },
    attempts,
    signal,
  ).catch((error: unknown) => {
    if (error instanceof ProviderError && (error.status === 404 || error.status === 410)) {
      throw new UploadError('The upload session is gone. Upload the file again.', { cause: error });
    }
    throw error;
  });
}

async function persist<R>(action: () => Promise<R>, attempts: number, signal: AbortSignal | undefined): Promise<R> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      if (attempt + 1 >= attempts || !isPassing(error)) throw error;
      const retryAfterSec = 'retryAfterSec' in error ? error.retryAfterSec : undefined;
      await pause(backOffMs(attempt, retryAfterSec, Math.random()), signal);
    }
  }
}

function checkEnd(end: number, isLast: boolean, size: number | undefined): void {
  if (size === undefined || (isLast ? end === size : end < size)) return;
  throw new UploadError(`The body has ${isLast ? '' : 'more than '}${end} bytes, size says ${size}.`);
}

function readChunkBytes(chunkBytes = DEFAULT_CHUNK_BYTES): number {
  if (Number.isInteger(chunkBytes) && chunkBytes > 0 && chunkBytes % CHUNK_UNIT_BYTES === 0) {
    if (chunkBytes <= MAX_CHUNK_BYTES) return chunkBytes;
  }
  throw new TypeError(`chunkBytes must be a multiple of ${CHUNK_UNIT_BYTES}, at most ${DEFAULT_CHUNK_BYTES}.`);
}

function readAttempts(maxAttempts = DEFAULT_ATTEMPTS): number {
  if (Number.isInteger(maxAttempts) && maxAttempts >= 1) return maxAttempts;
  throw new TypeError('maxAttempts must be a whole number of at least 1.');
}

function readSize(given: number | undefined, known: number | undefined): number | undefined {
  if (given !== undefined && !(Number.isSafeInteger(given) && given >= 0)) {
    throw new TypeError('size must be a number of bytes.');
  }
  if (given !== undefined && known !== undefined && given !== known) {
    throw new TypeError(`size says ${given} bytes, the body has ${known}.`);
  }
  return given ?? known;
}
