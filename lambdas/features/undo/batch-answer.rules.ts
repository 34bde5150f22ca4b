import { type HeaderPairs, headerValue } from '../../gateway/core/http-message.ts';
import { readHeaderBlock, readLine, splitParts } from '../../gateway/proxying/batch.rules.ts';

/** One answer of a batch's. */
export interface PartAnswer {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
}

/**
 * Responses of a batch's parts, in the order of the parts; undefined for unreadable ones.
 *
 * @param contentType of the whole response
 */
export function partAnswers(body: Uint8Array, contentType: string, parts: number): readonly (PartAnswer | undefined)[] {
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType);
  try {
    return splitParts(body, boundary?.[1] ?? boundary?.[2] ?? '', parts).map(answerOf);
  } catch {
    return [];
  }
}

function answerOf(part: Uint8Array): PartAnswer | undefined {
  try {
    const { rest } = readHeaderBlock(part);
    const line = readLine(rest, 0);
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line.text)?.[1]);
    if (!Number.isInteger(status)) return undefined;
    const { headers, rest: body } = readHeaderBlock(rest.subarray(line.next));
    const length = Number(headerValue(headers, 'content-length') ?? body.length);
    return { status, headers, body: Number.isInteger(length) ? body.subarray(0, length) : body };
  } catch {
    return undefined;
  }
}
