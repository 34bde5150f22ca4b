import { GatewayError } from '../core/errors.ts';
import { BATCH_PART_TARGET_MAX_BYTES } from '../core/limits.ts';
import type { Provider } from '../providers/provider.rules.ts';
import { assertProviderPath, isUnder, PROXY_PREFIX } from './path.rules.ts';
import { rawQueryProblems } from './query.rules.ts';

/** Addresses a client of the gateway may have written into a part. */
export interface BatchAddresses {
  /** The gateway's public address, no trailing slash; may end in a stage path. */
  readonly baseUrl: string;
  /** The provider's API origin, no trailing slash. */
  readonly apiOrigin: string;
}

/** Printable ASCII without space, quote and `#`. */
const RAW_QUERY = /^[\x21\x24-\x7e]*$/;

/**
 * A part's target as the provider wants it: path and query byte for byte, less the gateway's address and `/proxy` (PX-22).
 *
 * @throws GatewayError that says why the target may not be sent
 */
export function batchTarget(target: string, provider: Provider, addresses: BatchAddresses): string {
  if (target.length > BATCH_PART_TARGET_MAX_BYTES) {
    throw new GatewayError('invalid_path', `Its address is longer than ${BATCH_PART_TARGET_MAX_BYTES} bytes.`);
  }
  const local = withoutOrigin(target, addresses);
  const queryAt = local.indexOf('?');
  const path = withoutProxyPrefix(queryAt === -1 ? local : local.slice(0, queryAt), addresses);
  assertProviderPath(path, provider);
  if (provider.uploadPathPrefixes.some((prefix) => path.startsWith(prefix))) {
    throw new GatewayError('path_not_allowed', 'Uploads are not taken in a batch; send them one by one.');
  }
  if (provider.batchPaths.includes(path)) {
    throw new GatewayError('path_not_allowed', 'A batch cannot hold a batch; send its parts directly.');
  }
  if (!provider.batchPartPrefixes.some((prefix) => isUnder(path, prefix))) {
    const reached = provider.batchPartPrefixes.join(', ');
    throw new GatewayError('path_not_allowed', `A batch reaches ${reached} only; send this call by itself.`);
  }
  return queryAt === -1 ? path : path + checkedQuery(local.slice(queryAt));
}

/** `/path?query` of an origin-form target, or of an absolute one at the gateway or the provider (RFC 9112 section 3.2). */
function withoutOrigin(target: string, { baseUrl, apiOrigin }: BatchAddresses): string {
  if (target.startsWith('/')) return target;
  const pathAt = target.indexOf('/', target.indexOf('://') + 3);
  const origin = target.slice(0, pathAt).toLowerCase();
  if (pathAt === -1 || ![apiOrigin.toLowerCase(), new URL(baseUrl).origin].includes(origin)) {
    throw new GatewayError(
      'invalid_path',
      `Address a part by its path, or under ${apiOrigin}; this address is neither.`,
    );
  }
  return target.slice(pathAt);
}

/** The path less the gateway's stage and `/proxy`, or less `/proxy` alone; any other stays as it is. */
function withoutProxyPrefix(path: string, { baseUrl }: BatchAddresses): string {
  const stage = new URL(baseUrl).pathname.replace(/\/$/, '');
  for (const prefix of [stage + PROXY_PREFIX, PROXY_PREFIX]) {
    if (path.startsWith(`${prefix}/`)) return path.slice(prefix.length);
  }
  return path;
}

/** `?query` as it was sent. */
function checkedQuery(query: string): string {
  if (!RAW_QUERY.test(query)) {
    throw new GatewayError('invalid_query_params', 'Its query holds characters that must be percent-encoded.');
  }
  const first = rawQueryProblems(query.slice(1))[0];
  if (first !== undefined) throw new GatewayError('invalid_query_params', `${first.path}: ${first.message}`);
  return query;
}
