import { type ConnectionRef, type GatewayClient, GatewayError } from '../../client/src/index.ts';
import { inParallel } from '../bulk/in-parallel.ts';
import type { Progress } from '../bulk/progress.ts';
import { withRetries } from '../bulk/with-retries.ts';
import { filterOf, type Selection } from './selection.ts';

const PAGE_SIZE = 200;
/** Lists of DynamoDB lag a little, and users may be connecting meanwhile, so lists are read again until one shows nothing new. */
const PASSES_MAX = 10;

/** Outcome of ending the grants of a selection. */
export interface EndReport {
  /** Connections deleted in this run: fenced, their tokens erased here. */
  deleted: number;
  /** Of them: ended at the provider, or ended there before. */
  revoked: number;
  /** Of them: the provider did not answer yet. */
  pending: number;
  /** Of these, grants that were not revoked at the provider, by reason. */
  readonly skipped: Map<string, number>;
  /** Deleted meanwhile by others, or by an earlier run. */
  gone: number;
  readonly failed: { readonly ref: ConnectionRef; readonly message: string }[];
  stopped: boolean;
}

/**
 * Deletes every connection of a selection and ends its grant at the provider, even if others share it (TK-13). Each is erased before
 * the provider is asked, so a repeated run continues an interrupted one: deleted connections are in no list any more, and the gateway's
 * schedule sends pending revocations.
 */
export async function endGrants(
  gateway: GatewayClient,
  selection: Selection,
  options: { readonly atATime: number; readonly progress: Progress; readonly stop: AbortSignal },
): Promise<EndReport> {
  const report: EndReport = {
    deleted: 0,
    revoked: 0,
    pending: 0,
    skipped: new Map(),
    gone: 0,
    failed: [],
    stopped: false,
  };
  const tried = new Set<string>();
  for (let pass = 0; pass < PASSES_MAX && !options.stop.aborted; pass++) {
    const before = tried.size;
    const connections = gateway.connections.all({ ...filterOf(selection), limit: PAGE_SIZE });
    await inParallel(
      connections,
      options.atATime,
      async ({ providerConfigKey, connectionId }) => {
        const key = JSON.stringify([providerConfigKey, connectionId]);
        if (tried.has(key)) return;
        tried.add(key);
        await endOne(gateway, { providerConfigKey, connectionId }, report, options.stop);
        options.progress.update({
          deleted: report.deleted,
          'ended at the provider': report.revoked,
          pending: report.pending,
          failed: report.failed.length,
        });
      },
      options.stop,
    );
    if (tried.size === before) break;
  }
  report.stopped = options.stop.aborted;
  return report;
}

async function endOne(gateway: GatewayClient, ref: ConnectionRef, report: EndReport, stop: AbortSignal): Promise<void> {
  try {
    const { status, reason = 'no reason given' } = await withRetries(
      () => gateway.connections.delete(ref, { revoke: 'force' }),
      stop,
    );
    report.deleted++;
    if (status === 'revoked') report.revoked++;
    else if (status === 'pending') report.pending++;
    else report.skipped.set(reason, (report.skipped.get(reason) ?? 0) + 1);
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'unknown_connection') report.gone++;
    // One connection that cannot be deleted must not keep the others alive.
    else report.failed.push({ ref, message: error instanceof Error ? error.message : String(error) });
  }
}
