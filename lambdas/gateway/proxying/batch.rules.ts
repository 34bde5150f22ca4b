import { sha256Hex } from '../core/digest.ts';
import { GatewayError, type Problem, refusal } from '../core/errors.ts';
import type { Provider } from '../providers/provider.rules.ts';
import { boundaryOf, splitParts } from './batch-multipart.rules.ts';
import { rewritePart } from './batch-part.rules.ts';

/** A batch as the caller sent it. */
export interface BatchRequest {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly provider: Provider;
  /** The gateway's public address, no trailing slash; may end in a stage path. */
  readonly baseUrl: string;
  /** The provider's API origin, no trailing slash. */
  readonly apiOrigin: string;
}

/**
 * Rewrites every part of a batch for the provider: clients pointed at the gateway write its address, `/proxy` and the
 * secret key into each part (PX-22; RFC 2046 section 5.1; Google, "Batching requests"). The whole is written anew under a
 * boundary no caller can choose, so that the provider splits it exactly where it was split here.
 *
 * @throws GatewayError `invalid_body`, its problems naming each bad part as `parts[n]`, n from 0
 */
export function rewriteBatchRequest(batch: BatchRequest): { readonly body: Uint8Array; readonly contentType: string } {
  const parts = splitParts(batch.body, boundaryOf(batch.contentType), batch.provider.batchMaxParts);
  const problems: Problem[] = [];
  const rewritten: Uint8Array[] = [];
  parts.forEach((part, index) => {
    try {
      rewritten.push(rewritePart(part, batch.provider, batch));
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      problems.push({ path: `parts[${index}]`, message: error.message });
    }
  });
  if (problems.length > 0) throw refusal('invalid_body', problems);
  const boundary = `batch_${sha256Hex(Buffer.concat(rewritten)).slice(0, 40)}`;
  return { body: joinParts(rewritten, boundary), contentType: `multipart/mixed; boundary=${boundary}` };
}

function joinParts(parts: readonly Uint8Array[], boundary: string): Uint8Array {
  const delimiter = Buffer.from(`--${boundary}\r\n`);
  const lineBreak = Buffer.from('\r\n');
  return Buffer.concat([...parts.flatMap((part) => [delimiter, part, lineBreak]), Buffer.from(`--${boundary}--\r\n`)]);
}
