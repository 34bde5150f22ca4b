import { setTimeout as delay } from 'node:timers/promises';
import type { GatewayClient, PendingRevocations } from '../../client/src/index.ts';
import type { Progress } from '../bulk/progress.ts';
import { withRetries } from '../bulk/with-retries.ts';
import type { Selection } from './selection.ts';

const POLL_MS = 3_000;

/**
 * Waits, up to a time, until the provider has ended all pending grants, including those of earlier runs. The gateway retries by itself
 * in any case.
 */
export async function awaitRevocations(
  gateway: GatewayClient,
  selection: Selection,
  options: { readonly waitSec: number; readonly progress: Progress; readonly stop: AbortSignal },
): Promise<PendingRevocations> {
  const integrationId = selection.kind === 'all' ? {} : { integrationId: selection.ids };
  const untilMs = Date.now() + options.waitSec * 1000;
  for (;;) {
    const pending = await withRetries(() => gateway.revocations.pending(integrationId), options.stop);
    if (pending.pending === 0 || options.stop.aborted || Date.now() + POLL_MS > untilMs) return pending;
    options.progress.update({ 'not ended at the provider yet': pending.pending });
    await delay(POLL_MS, undefined, { signal: options.stop }).catch(() => {});
  }
}
