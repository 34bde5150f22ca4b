import { type HeaderList, headerValue, type Origin, type SimRequest } from '../http/exchange.ts';
import { sha256Hex } from '../random.ts';

/** Requests kept; beyond that the oldest go. */
const MAX_REQUESTS = 5_000;

/** One received request, bodies by digest only. */
export interface RecordedRequest {
  /** Counts up from 1 and is never reused, also not after clearing. */
  seq: number;
  /** RFC 3339 time of the machine's own clock. */
  at: string;
  origin: Origin;
  method: string;
  /** Raw request target. */
  target: string;
  /** Raw header fields in order. */
  headers: HeaderList;
  bodyLength: number;
  /** Hex. */
  bodySha256: string;
  /** Host header, so that tests see where a credential was sent. */
  host: string;
  /** E-mail of the account whose token the request carries. */
  tokenOwner?: string;
  /** The calls inside a batch, as they arrived. */
  parts?: RecordedPart[];
}

/** One call inside a recorded batch. */
export interface RecordedPart {
  method: string;
  target: string;
  headers: HeaderList;
}

/** Keeps what arrived, up to a fixed number of requests. */
export interface Recorder {
  add(request: SimRequest, tokenOwner: string | undefined): RecordedRequest;
  /** Adds the calls of a batch to its record, unless that is gone already. */
  noteParts(seq: number, parts: RecordedPart[]): void;
  list(): readonly RecordedRequest[];
  clear(): void;
}

/** An empty recorder. */
export function createRecorder(): Recorder {
  let seq = 0;
  let requests: RecordedRequest[] = [];
  return {
    add(request, tokenOwner) {
      seq += 1;
      const record: RecordedRequest = {
        seq,
        at: new Date().toISOString(),
        origin: request.origin,
        method: request.method,
        target: request.target,
        headers: request.headers,
        bodyLength: request.body.length,
        bodySha256: sha256Hex(request.body),
        host: headerValue(request.headers, 'host') ?? '',
        ...(tokenOwner === undefined ? {} : { tokenOwner }),
      };
      requests.push(record);
      if (requests.length > MAX_REQUESTS * 1.1) requests = requests.slice(-MAX_REQUESTS);
      return record;
    },
    noteParts(recordSeq, parts) {
      const record = requests.find((entry) => entry.seq === recordSeq);
      if (record !== undefined) record.parts = parts;
    },
    list: () => requests.slice(-MAX_REQUESTS),
    clear() {
      requests = [];
    },
  };
}
