import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Connection } from '../../lambdas/gateway/connections/connection.rules.ts';
import type { Table } from '../../lambdas/gateway/platform/dynamodb/client.ts';
import { type Item, str } from '../../lambdas/gateway/platform/dynamodb/item-reader.ts';
import { dataKeyItemKey, integrationItemKey } from '../../lambdas/gateway/platform/dynamodb/keys.ts';
import { inParallel } from '../bulk/in-parallel.ts';
import { scanTable } from '../table/scan.ts';
import { type Brought, bringDataKey, bringIntegration, bringSecretKey } from './bring-along.ts';
import { type Judgement, readableConnection } from './judge-connection.ts';
import { type RestoreContext, restoreConnection } from './restore-connection.ts';

const AT_A_TIME = 8;

/** What to bring back. */
export interface RestoreOptions extends RestoreContext {
  readonly only: { readonly accountId?: string; readonly integrationId?: string; readonly connectionId?: string };
  readonly includeKeys: boolean;
  readonly stop: AbortSignal;
  readonly onProgress: (report: RestoreReport) => void;
}

/** What a run came to, counted. */
export interface RestoreReport {
  readonly restored: Record<string, number>;
  readonly left: Record<string, number>;
  readonly dataKeys: Record<string, number>;
  readonly integrations: Record<string, number>;
  readonly secretKeys: Record<string, number>;
  readonly failed: { readonly connection: string; readonly message: string }[];
  stopped: boolean;
}

/**
 * Brings rows of a restored backup back into the stack's table: what connections need first, then the connections, each
 * judged by itself. Stops and fails nowhere in between: run again, it goes on.
 */
export async function restoreTable(options: RestoreOptions): Promise<RestoreReport> {
  const { from, only, stop } = options;
  const report: RestoreReport = {
    restored: {},
    left: {},
    dataKeys: {},
    integrations: {},
    secretKeys: {},
    failed: [],
    stopped: false,
  };
  const account = { accountId: only.accountId };
  const differing = new Set<string>();
  for await (const item of scanTable(from, { types: ['data_key', 'integration', 'secret_key'], equal: account })) {
    if (stop.aborted) break;
    await bringOne(options, item, report, differing);
  }
  const integrations = new IntegrationLookup(options.into);
  await inParallel(
    scanTable(from, { types: ['connection'], equal: only }),
    AT_A_TIME,
    async (item) => {
      try {
        const judgement = await judged(options, item, integrations, differing);
        count(judgement.kind === 'restore' ? report.restored : report.left, judgement.reason);
      } catch (error) {
        // One row that cannot be written must not keep the others away.
        report.failed.push({
          connection: String(item.pk),
          message: error instanceof Error ? error.message : String(error),
        });
      }
      options.onProgress(report);
    },
    stop,
  );
  report.stopped = stop.aborted;
  return report;
}

async function bringOne(
  { into, wishes, dryRun, runName, includeKeys, only }: RestoreOptions,
  item: Item,
  report: RestoreReport,
  differing: Set<string>,
): Promise<void> {
  if (item.type === 'data_key') {
    const brought = await bringDataKey(into, item, dryRun);
    if (brought === 'differs') differing.add(`${item.pk} ${item.sk}`);
    count(report.dataKeys, brought);
  } else if (item.type === 'integration') {
    if (only.integrationId !== undefined && item.integrationId !== only.integrationId) return;
    const settings = { dryRun, runName, includeDeleted: wishes.includeDeleted };
    const brought: Brought = await bringIntegration(into, item, settings);
    count(report.integrations, brought);
  } else if (includeKeys) count(report.secretKeys, await bringSecretKey(into, item, dryRun, runName));
}

async function judged(
  options: RestoreOptions,
  item: Item,
  integrations: IntegrationLookup,
  differing: ReadonlySet<string>,
): Promise<Judgement> {
  const backup = readableConnection(item);
  if (backup === undefined) return { kind: 'leave', reason: 'unreadable_in_backup' };
  if (backup.status !== 'deleted') {
    if (isUnderDiffering(backup, differing)) return { kind: 'leave', reason: 'key_differs' };
    if (!options.dryRun && !(await integrations.has(backup))) return { kind: 'leave', reason: 'no_integration' };
  }
  return restoreConnection(options, backup);
}

function isUnderDiffering({ accountId, encryptedRefreshToken }: Connection, differing: ReadonlySet<string>): boolean {
  const { pk, sk } = dataKeyItemKey(accountId, Number(encryptedRefreshToken?.split('.')[1]));
  return differing.has(`${pk} ${sk}`);
}

/** Whether integrations are in the table, each asked for once. */
class IntegrationLookup {
  readonly #table: Table;
  readonly #known = new Map<string, Promise<boolean>>();

  constructor(table: Table) {
    this.#table = table;
  }

  has(connection: Connection): Promise<boolean> {
    const Key = integrationItemKey(connection);
    const name = `${Key.pk} ${Key.sk}`;
    const known = this.#known.get(name) ?? this.#ask(Key);
    this.#known.set(name, known);
    return known;
  }

  async #ask(Key: { readonly pk: string; readonly sk: string }): Promise<boolean> {
    const { Item } = await this.#table.client.send(
      new GetCommand({ TableName: this.#table.tableName, Key, ConsistentRead: true }),
    );
    return Item !== undefined && str(Item, 'integrationId') !== '';
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
