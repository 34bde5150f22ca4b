import type { FaultWorld, Subject } from '../faults/support/fault-world.ts';
import { type Called, callProxy } from './caller.ts';

const CHUNK_BYTES = 256 * 1024;
/** Failures in a row after which a client gives up. */
const PATIENCE = 8;

/**
 * A resumable upload as Google's clients do it: chunk after chunk, and after a failure the question how far it came.
 *
 * @returns the last call; its answer is the file when the upload was completed
 */
export async function uploadInChunks(
  world: FaultWorld,
  subject: Subject,
  name: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<Called> {
  const started = await callProxy(world, subject, '/upload/drive/v3/files?uploadType=resumable', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, mimeType: 'application/octet-stream' }),
  });
  const location = started.answer?.headers.get('location');
  if (started.outcome.kind !== 'ok' || location === null || location === undefined) return started;
  const session = location.slice(location.indexOf('/proxy/') + '/proxy'.length);
  let from = 0;
  let failures = 0;
  for (;;) {
    const end = Math.min(from + CHUNK_BYTES, content.length);
    const called = await callProxy(world, subject, session, {
      method: 'PUT',
      headers: failures > 0 ? { 'content-range': `bytes */${content.length}` } : range(from, end, content.length),
      ...(failures > 0 ? {} : { body: content.slice(from, end) }),
    });
    if (called.answer?.status === 308) {
      from = Number(/bytes=0-(\d+)/.exec(called.answer.headers.get('range') ?? '')?.[1] ?? -1) + 1;
      failures = 0;
    } else if (called.outcome.kind === 'ok' || ++failures > PATIENCE) {
      return called;
    }
  }
}

function range(from: number, end: number, total: number): Readonly<Record<string, string>> {
  return { 'content-range': `bytes ${from}-${end - 1}/${total}`, 'content-type': 'application/octet-stream' };
}
