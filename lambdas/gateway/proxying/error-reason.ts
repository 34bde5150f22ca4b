import { type HeaderPairs, headerValues, type UpstreamResponse } from '../core/http-message.ts';

/** More bytes than any error body of Google has, compressed or not. */
export const ERROR_BODY_MAX_BYTES = 64 * 1024;

/** A refusal whose body was inspected: its reason, and the unchanged answer, to be read once. */
export interface ReadRefusal {
  readonly reason: string | undefined;
  readonly response: UpstreamResponse;
}

/**
 * Google's reason of a 403, compressed or not; undefined where the body names none or breaks off. The answer keeps all its bytes and
 * its failure: a body that broke during inspection breaks for the caller, too.
 */
export async function readReason(response: UpstreamResponse): Promise<ReadRefusal> {
  const iterator = response.body[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let end: { readonly failure: unknown } | undefined;
  while (end === undefined && length <= ERROR_BODY_MAX_BYTES) {
    try {
      const next = await iterator.next();
      if (next.done === true) end = { failure: undefined };
      else {
        chunks.push(next.value);
        length += next.value.length;
      }
    } catch (failure) {
      end = { failure };
    }
  }
  const body: AsyncIterable<Uint8Array> = {
    async *[Symbol.asyncIterator]() {
      yield* chunks;
      if (end === undefined) {
        for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
      } else if (end.failure !== undefined) throw end.failure;
    },
  };
  const isWhole = end !== undefined && end.failure === undefined;
  return {
    reason: isWhole ? await reasonInBody(Buffer.concat(chunks), response.headers) : undefined,
    response: { ...response, body },
  };
}

/** `error.errors[0].reason` of Google's error envelope, compressed or not; undefined where the bytes contain none. */
export async function reasonInBody(bytes: Buffer, headers: HeaderPairs): Promise<string | undefined> {
  return /"reason"\s*:\s*"([A-Za-z]{1,64})"/.exec(await unpacked(bytes, headers))?.[1];
}

/** The text of an error body; '' when it cannot be decompressed within the limit. */
async function unpacked(bytes: Buffer, headers: HeaderPairs): Promise<string> {
  const encoding = headerValues(headers, 'content-encoding').join().trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return bytes.toString('utf8');
  // The only coding Google uses.
  if (encoding !== 'gzip') return '';
  // Loaded lazily: few calls are refused, but every cold start would load it.
  const { gunzipSync } = await import('node:zlib');
  try {
    return gunzipSync(bytes, { maxOutputLength: ERROR_BODY_MAX_BYTES }).toString('utf8');
  } catch {
    return '';
  }
}
