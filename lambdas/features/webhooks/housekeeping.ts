import type { FeatureDependencies, Housekeeping } from '../../gateway/feature-dependencies.ts';
import { webhookSealer } from './seal-again.ts';
import { secretSeals, webhookStore } from './webhook.store.ts';

/** Seals secrets again that an earlier version stored: before the refreshes, because deliveries wait for it. */
export function housekeeping(deps: FeatureDependencies): Housekeeping {
  return { begin: webhookSealer({ ...deps, webhooks: { ...webhookStore(deps.table), ...secretSeals(deps.table) } }) };
}
