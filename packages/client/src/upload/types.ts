import type { ConnectionRef, HeaderInput } from '../http/headers.ts';
import type { QueryParams } from '../http/query.ts';
import type { BodyChunk } from '../http/source-stream.ts';

/** Sources of an upload; a Node stream is an async iterable. */
export type UploadSource = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | AsyncIterable<BodyChunk>;

/** How far an upload is. */
export interface UploadProgress {
  /** Bytes the provider has stored. */
  readonly uploadedBytes: number;
  /** Undefined while the size is not known. */
  readonly totalBytes: number | undefined;
}

/** A file to upload in chunks. */
export interface UploadCall extends ConnectionRef {
  /** Upload path at the provider: `/upload/drive/v3/files`, or `/upload/drive/v3/files/{id}` with method PATCH. */
  endpoint: string;
  /** POST makes a file, PATCH replaces the bytes of one. @default 'POST' */
  method?: 'POST' | 'PATCH';
  /** Further query parameters, such as `fields`. */
  params?: QueryParams;
  /** Further headers of the first request. */
  headers?: HeaderInput;
  /** Metadata of the file: `name`, `parents` and so on. */
  metadata?: object;
  /** Media type of the bytes. */
  contentType: string;
  body: UploadSource;
  /** Bytes of the body; found out by itself for bytes and blobs, unknown for streams unless it is given. */
  size?: number;
  /** Bytes of one request: a multiple of 256 KiB, below the gateway's 4.5 MB. @default 4 MiB */
  chunkBytes?: number;
  /** Tries in a row that may fail before the upload does. @default 5 */
  maxAttempts?: number;
  /** Called after each chunk. Its errors end the upload. */
  onProgress?: (progress: UploadProgress) => void;
  signal?: AbortSignal;
  /** Milliseconds for each request. @default the client's */
  timeoutMs?: number;
}
