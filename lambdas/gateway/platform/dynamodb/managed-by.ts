import type { ManagedBy } from '../../core/managed-by.rules.ts';
import { type Item, optionalMap, str, strings } from './client.ts';

/** The stack that declares a row, as the row has it. */
export function managedByOf(item: Item): ManagedBy | undefined {
  const map = optionalMap(item, 'managedBy');
  return map === undefined ? undefined : { stackId: str(map, 'stackId'), resources: strings(map, 'resources') };
}
