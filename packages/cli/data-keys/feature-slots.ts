import type { CipherContext } from '../../../lambdas/gateway/core/ports.ts';
import type { Item, Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';

/** The place of a row's sealed values; undefined for rows of others. */
export type PlaceOf = (item: Item) => CipherContext | undefined;

/** Reads what a feature needs to find the places of an account's sealed values. */
export type OpenPlaces = (table: Table, accountId: string) => Promise<PlaceOf>;
