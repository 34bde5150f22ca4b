import type { ServerResponse } from 'node:http';
import { type Arrived, json, raw, type Stub } from './stub.ts';

const UNIT = 256 * 1024;

/** A resumable session as Google keeps it, and the faults a test throws in. */
export interface UploadStub {
  /** What was stored so far. */
  stored(): Buffer;
  starts: Arrived[];
  puts: Arrived[];
  /** Runs before the n-th PUT (from 1); an answer of its own replaces the session's, whose state it may still change. */
  fault(
    put: number,
    fault: (session: Session, request: Arrived, response: ServerResponse) => void | Promise<void>,
  ): void;
}

/** What a fault may do to the session. */
export interface Session {
  /** Stores a PUT as the session would. */
  store(request: Arrived): void;
  /** Stores only the first bytes of a PUT. */
  storePart(request: Arrived, bytes: number): void;
}

/** Makes the stub answer as the upload path behind the gateway. @param locationBase address that Location names */
export function uploadStub(stub: Stub, locationBase = stub.baseUrl): UploadStub {
  let stored: Buffer[] = [];
  let isFinished = false;
  const faults = new Map<number, Parameters<UploadStub['fault']>[1]>();
  const starts: Arrived[] = [];
  const puts: Arrived[] = [];
  const session: Session = {
    store(request) {
      stored.push(request.body);
      const range = String(request.headers['content-range'] ?? 'whole');
      const total = /\/(\d+)$/.exec(range)?.[1];
      isFinished = range === 'whole' || (total !== undefined && Buffer.concat(stored).length === Number(total));
    },
    storePart: (request, bytes) => void stored.push(request.body.subarray(0, bytes)),
  };
  stub.answer(async (request, response) => {
    if (request.method !== 'PUT') {
      starts.push(request);
      stored = [];
      isFinished = false;
      const location = `${locationBase}/proxy/upload/drive/v3/files?uploadType=resumable&upload_id=secret%2Bid`;
      return raw(200, undefined, { location })(request, response);
    }
    puts.push(request);
    const fault = faults.get(puts.length);
    if (fault !== undefined) return fault(session, request, response);
    const range = String(request.headers['content-range'] ?? '');
    if (!/^bytes \*\//.test(range)) {
      checkChunk(range, request.body, Buffer.concat(stored).length);
      session.store(request);
    }
    const bytes = Buffer.concat(stored).length;
    if (isFinished) return json(200, { id: 'file-1', size: String(bytes) })(request, response);
    return raw(308, undefined, bytes === 0 ? {} : { range: `bytes=0-${bytes - 1}` })(request, response);
  });
  return {
    stored: () => Buffer.concat(stored),
    starts,
    puts,
    fault: (put, fault) => void faults.set(put, fault),
  };
}

/** Google refuses what does not begin where the last chunk ended, and odd lengths before the end. */
function checkChunk(range: string, body: Buffer, storedBytes: number): void {
  if (range === '') return;
  const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(range);
  if (match === null) throw new Error(`unreadable ${range}`);
  const [first, last] = [Number(match[1]), Number(match[2])];
  if (first !== storedBytes || last - first + 1 !== body.length)
    throw new Error(`${range} does not fit ${storedBytes}`);
  const isLast = match[3] !== '*' && last + 1 === Number(match[3]);
  if (!isLast && body.length % UNIT !== 0) throw new Error(`${range} is no multiple of ${UNIT}`);
}
