/** Puts many connections into the table of a data folder that no gateway is using, with their search index and their count. */
import { rmSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import {
  type CountedConnections,
  NOTHING_COUNTED,
  newCensus,
} from '../../../lambdas/gateway/connections/census.rules.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import {
  listedRowsOf,
  listedSubject,
  searchBucketOf,
  searchEntry,
} from '../../../lambdas/gateway/connections/index-rows.rules.ts';
import type { Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import {
  censusItemKey,
  listedPk,
  searchBucketItemKey,
  searchCheckItemKey,
} from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { readAssembly } from '../../local/template/read-stack.ts';
import { ensureAssembly } from '../../tools/assembly.ts';
import { importRows } from '../sweep/emulated-table.ts';
import { exportRows } from '../sweep/export-rows.ts';

type Item = Record<string, unknown>;

/** Everything a small table holds. */
export async function allItems({ client, tableName }: Table): Promise<Item[]> {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: tableName, ...(start === undefined ? {} : { ExclusiveStartKey: start }) }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}

/**
 * Makes the data folder's table again.
 *
 * @param kept items that were there before
 * @param count how many connections to add
 * @param connectionOf makes each by its number
 */
export async function fillDataFolder(
  dataDir: string,
  kept: readonly Item[],
  count: number,
  connectionOf: (number: number) => Connection,
  nowSec: number,
  progress: (text: string) => void,
): Promise<void> {
  const stack = await readAssembly(await ensureAssembly({ mode: 'reuse', step: (_, work) => work() }));
  const table = stack.tables.find(({ createTable }) => 'StreamSpecification' in createTable);
  if (table === undefined) throw new Error('The template has no table of connections.');
  const indexed = indexOf(count, connectionOf, nowSec);
  const made = new Set(indexed.map(({ pk, sk }) => `${pk} ${sk}`));
  const own = kept.filter(({ pk, sk }) => !made.has(`${pk} ${sk}`));
  const folder = await mkdtemp(join(dataDir, 'import-'));
  const others = [...own, ...indexed];
  const itemOf = async (number: number): Promise<Item> =>
    number < count ? connectionToItem(connectionOf(number)) : (others[number - count] ?? {});
  const rows = count + own.length + indexed.length;
  const written = await exportRows(join(folder, 'export'), table, rows, itemOf, (done) =>
    progress(`${done} of ${rows} rows written`),
  );
  progress('the engine takes them in');
  await importRows(written, join(folder, 'dynamodb.sqlite'));
  for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `dynamodb.sqlite${end}`), { force: true });
  await rename(join(folder, 'dynamodb.sqlite'), join(dataDir, 'dynamodb.sqlite'));
  await rm(folder, { recursive: true });
}

/** The search index, the rows of lists and the finished count of the connections. */
function indexOf(count: number, connectionOf: (number: number) => Connection, nowSec: number): Item[] {
  const buckets = new Map<string, { readonly key: Item; readonly entries: string[] }>();
  const rows: Item[] = [];
  const integrations = new Map<string, { active: number; causes: Record<string, number> }>();
  const causes: Record<string, number> = {};
  let active = 0;
  for (let number = 0; number < count; number++) {
    const connection = connectionOf(number);
    const cause = connection.death?.cause;
    const ofIntegration = integrations.get(connection.integrationId) ?? { active: 0, causes: {} };
    integrations.set(connection.integrationId, ofIntegration);
    if (cause === undefined) {
      active++;
      ofIntegration.active++;
    } else {
      causes[cause] = (causes[cause] ?? 0) + 1;
      ofIntegration.causes[cause] = (ofIntegration.causes[cause] ?? 0) + 1;
    }
    const { accountId, integrationId, connectionId } = connection;
    for (const { list, place } of listedRowsOf(listedSubject(connection))) {
      rows.push({ pk: listedPk(accountId, list), sk: place, type: 'listed', integrationId, connectionId });
    }
    const { shard, bucket } = searchBucketOf(connection);
    const key = searchBucketItemKey(connection.accountId, shard, bucket);
    const known = buckets.get(key.pk + key.sk) ?? { key: { ...key }, entries: [] };
    known.entries.push(searchEntry(connection));
    buckets.set(key.pk + key.sk, known);
  }
  const { accountId } = connectionOf(0);
  const counted: CountedConnections = {
    ...NOTHING_COUNTED,
    ...{ active, causes, countedAtEpochSec: nowSec },
    integrations: Object.fromEntries(
      [...integrations].map(([id, tally]) => [id, { ...tally, failing: 0, endsByDay: {} }]),
    ),
    from: { day: new Date(nowSec * 1000).toISOString().slice(0, 10), changes: {} },
  };
  return [
    ...rows,
    { ...searchCheckItemKey(accountId), type: 'search_walk', walkedAtEpochSec: nowSec, lists: 'complete' },
    ...[...buckets.values()].map(({ key, entries }) => ({
      ...key,
      type: 'search_bucket',
      entries: entries.toSorted().join('\n'),
      version: 1,
    })),
    { ...censusItemKey(accountId), type: 'census', ...newCensus(accountId), version: 1, counted },
  ];
}
