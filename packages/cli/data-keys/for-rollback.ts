import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { CipherContext } from '../../../lambdas/gateway/core/ports.ts';
import { systemClock, systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { type Item, isDone, type Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { kmsDataKeys, sealedUnder, tokenCipher } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { inParallel } from '../bulk/in-parallel.ts';
import { SEALED_ROWS } from '../features/sealed-rows.ts';
import { scanTable } from '../table/scan.ts';
import type { PlaceOf } from './feature-slots.ts';

const AT_A_TIME = 8;

/** Outcome of a run, in rows. */
export interface SealedRows {
  sealed: number;
  /** They changed meanwhile, or a value cannot be read: run the command again. */
  failed: number;
}

/**
 * Seals what features keep, such as secrets of webhooks and positions of feeds, under the data keys of tokens, the only ones that 0.2.0 reads. Other values are
 * not touched: they last for days at most. Values are in plain text in this process only.
 */
export async function sealForRollback(
  table: Table,
  options: { readonly accountId: string; readonly tokenKeyArn: string; readonly stop: AbortSignal },
): Promise<SealedRows> {
  const { accountId, tokenKeyArn, stop } = options;
  const keys = kmsDataKeys(table, tokenKeyArn, systemClock, { count: () => {} });
  const cipher = tokenCipher(keys, systemRandom);
  const places = await Promise.all(Object.values(SEALED_ROWS).map((open) => open(table, accountId)));
  const rows: SealedRows = { sealed: 0, failed: 0 };
  await inParallel(
    scanTable(table),
    AT_A_TIME,
    async (item) => {
      const context = contextOf(item, places);
      if (context === undefined) return;
      const again: [string, string][] = [];
      try {
        for (const [name, value] of Object.entries(item)) {
          if (!isUnderOtherKeys(value)) continue;
          const text = await cipher.decrypt(context, value);
          again.push([name, await cipher.encrypt({ ...context, purpose: 'tokens' }, text)]);
        }
        if (again.length > 0) rows[(await replace(table, item, again)) ? 'sealed' : 'failed']++;
      } catch (error) {
        // The key service is away: no row would succeed.
        if (error instanceof Error && '$metadata' in error) throw error;
        rows.failed++;
      }
    },
    stop,
  );
  return rows;
}

function isUnderOtherKeys(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const purpose = sealedUnder(value)?.purpose;
  return purpose !== undefined && purpose !== 'tokens';
}

/** The place of a row's sealed values; undefined for rows that are left as they are. */
function contextOf(item: Item, places: readonly PlaceOf[]): CipherContext | undefined {
  for (const placeOf of places) {
    const place = placeOf(item);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Replaces values of a row that have not changed since it was read. */
function replace(
  { client, tableName }: Table,
  item: Item,
  values: readonly (readonly [name: string, sealed: string])[],
): Promise<boolean> {
  const each = values.map(([name, sealed], index) => ({
    name,
    sealed,
    key: `#a${index}`,
    after: `:n${index}`,
    before: `:b${index}`,
  }));
  return isDone(
    client.send(
      new UpdateCommand({
        TableName: tableName,
        Key: { pk: item.pk, sk: item.sk },
        UpdateExpression: `SET ${each.map(({ key, after }) => `${key} = ${after}`).join(', ')}`,
        ConditionExpression: each.map(({ key, before }) => `${key} = ${before}`).join(' AND '),
        ExpressionAttributeNames: Object.fromEntries(each.map(({ key, name }) => [key, name])),
        ExpressionAttributeValues: Object.fromEntries(
          each.flatMap(({ name, sealed, after, before }) => [
            [after, sealed],
            [before, item[name]],
          ]),
        ),
      }),
    ),
  );
}
