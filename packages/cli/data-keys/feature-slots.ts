import type { CipherContext } from '../../../lambdas/gateway/core/ports.ts';
import type { Item } from '../../../lambdas/gateway/platform/dynamodb/client.ts';

/** The place of a row's sealed values; undefined for rows of others. */
export type PlaceOf = (item: Item, accountId: string) => CipherContext | undefined;
