import { type Arrived, json, type Responder, raw, type Stub } from './stub.ts';

const UNIT = 256 * 1024;

/** A resumable session as Google keeps it, and the faults a test throws in. */
export interface UploadStub {
  /** What was stored so far. */
  stored(): Buffer;
  readonly starts: readonly Arrived[];
  readonly puts: readonly Arrived[];
  /** Answers the n-th PUT (from 1) in another way; only its first bytes are stored. @param bytes @default none */
  fault(put: number, answer: Responder, bytes?: number): void;
}

/** Makes the stub answer as the upload path behind the gateway. @param locationBase address that Location names */
export function uploadStub(stub: Stub, locationBase = stub.baseUrl): UploadStub {
  let stored = Buffer.alloc(0);
  let isFinished = false;
  const faults = new Map<number, { readonly answer: Responder; readonly bytes: number }>();
  const starts: Arrived[] = [];
  const puts: Arrived[] = [];
  const store = ({ headers, body }: Arrived, bytes = body.length) => {
    stored = Buffer.concat([stored, body.subarray(0, bytes)]);
    const range = headers['content-range'] ?? 'whole';
    isFinished = range === 'whole' || range.endsWith(`/${stored.length}`);
  };
  stub.answer(async (request, response) => {
    if (request.method !== 'PUT') {
      starts.push(request);
      stored = Buffer.alloc(0);
      isFinished = false;
      const location = `${locationBase}/proxy/upload/drive/v3/files?uploadType=resumable&upload_id=secret%2Bid`;
      return raw(200, undefined, { location })(request, response);
    }
    puts.push(request);
    const fault = faults.get(puts.length);
    if (fault !== undefined) {
      if (fault.bytes > 0) store(request, fault.bytes);
      return fault.answer(request, response);
    }
    const range = request.headers['content-range'] ?? '';
    if (!/^bytes \*\//.test(range)) {
      checkChunk(range, request.body, stored.length);
      store(request);
    }
    if (isFinished) return json(200, { id: 'file-1', size: String(stored.length) })(request, response);
    return raw(308, undefined, stored.length === 0 ? {} : { range: `bytes=0-${stored.length - 1}` })(request, response);
  });
  return {
    stored: () => stored,
    starts,
    puts,
    fault: (put, answer, bytes = 0) => void faults.set(put, { answer, bytes }),
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
