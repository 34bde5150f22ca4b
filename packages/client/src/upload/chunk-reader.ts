import { type BodyChunk, bytesOf, chunksOf, overArrayBuffer } from '../http/source-stream.ts';
import type { UploadSource } from './types.ts';

/** A piece of a file of exactly the wanted length, the last one excepted. */
export interface FileChunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isLast: boolean;
}

/** Cuts a source into pieces, one at a time in memory. */
export interface ChunkReader {
  /** Bytes of the source where they are known beforehand. */
  readonly size: number | undefined;
  next(): Promise<FileChunk>;
  /** Releases a source that is not read to its end. */
  close(): Promise<void>;
}

/** @param chunkBytes length of every piece but the last, which is empty only for an empty source */
export function openChunkReader(source: UploadSource, chunkBytes: number): ChunkReader {
  if (source instanceof Blob) {
    return rangeReader(source.size, chunkBytes, async (start, end) => {
      return new Uint8Array(await source.slice(start, end).arrayBuffer());
    });
  }
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : overArrayBuffer(source);
    return rangeReader(bytes.byteLength, chunkBytes, async (start, end) => bytes.subarray(start, end));
  }
  return streamReader(chunksOf(source), chunkBytes);
}

function rangeReader(
  size: number,
  chunkBytes: number,
  read: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>,
): ChunkReader {
  let offset = 0;
  return {
    size,
    async next() {
      const start = offset;
      offset = Math.min(start + chunkBytes, size);
      return { bytes: await read(start, offset), isLast: offset === size };
    },
    async close() {},
  };
}

function streamReader(chunks: AsyncIterator<BodyChunk>, chunkBytes: number): ChunkReader {
  let pending: Uint8Array<ArrayBuffer>[] = [];
  let pendingBytes = 0;
  let isEnded = false;

  return {
    size: undefined,
    async next() {
      // One byte more than a piece: only then it is known not to be the last.
      while (!isEnded && pendingBytes <= chunkBytes) {
        const { done, value } = await chunks.next();
        isEnded = done === true;
        if (done === true) break;
        const bytes = bytesOf(value);
        pending.push(bytes);
        pendingBytes += bytes.byteLength;
      }
      const length = Math.min(chunkBytes, pendingBytes);
      const { head, rest } = split(pending, length);
      pending = rest;
      pendingBytes -= length;
      return { bytes: head, isLast: isEnded && pendingBytes === 0 };
    },
    async close() {
      if (!isEnded) await chunks.return?.().catch(() => {});
    },
  };
}

function split(
  pieces: readonly Uint8Array<ArrayBuffer>[],
  length: number,
): { head: Uint8Array<ArrayBuffer>; rest: Uint8Array<ArrayBuffer>[] } {
  const head = new Uint8Array(length);
  const rest: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const piece of pieces) {
    const taken = Math.min(piece.byteLength, length - offset);
    head.set(piece.subarray(0, taken), offset);
    offset += taken;
    if (taken < piece.byteLength) rest.push(piece.subarray(taken));
  }
  return { head, rest };
}
