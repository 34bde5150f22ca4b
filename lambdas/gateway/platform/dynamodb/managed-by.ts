import type { ManagedBy } from '../../core/managed-by.rules.ts';
import { type Item, optionalMap, str, strings } from './client.ts';

/** The stack that declares a row that has the attribute `managedBy`. */
export function managedByOf(item: Item): ManagedBy {
  const map = optionalMap(item, 'managedBy') ?? {};
  return { stackId: str(map, 'stackId'), resources: strings(map, 'resources') };
}
