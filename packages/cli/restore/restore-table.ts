import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { integrationFromItem } from '../../../lambdas/gateway/integrations/integration-item.store.ts';
import { batchGet } from '../../../lambdas/gateway/platform/dynamodb/batch-get.ts';
import { type Item, isDone, readable, str, type Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import {
  censusItemKey,
  connectionPk,
  escrowItemKey,
  HEARTBEAT_PK,
  type ItemKey,
  integrationItemKey,
  searchCheckItemKey,
} from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { inParallel } from '../bulk/in-parallel.ts';
import { CONNECTION_ROWS } from '../features/connection-rows.ts';
import { RESTORED_ROWS } from '../features/restored-rows.ts';
import { scanTable } from '../table/scan.ts';
import { AccountTrails } from './account-trail.ts';
import { bringDataKey, bringIntegration, bringSecretKey } from './bring-along.ts';
import { bringRevocation, bringSums, copyMissing, copyPicks, rewindCount } from './copy-rows.ts';
import { readableConnection } from './judge-connection.ts';
import { KINDS, type Kind, type KindReport, newKindReport, RESTORED_TYPES } from './kinds.ts';
import { restoreConnection } from './restore-connection.ts';
import { type Outcome, type RestoreContext, skipped } from './restore-context.ts';
import type { BringAfterConnections, BroughtConnections } from './restored-after-connections.ts';

const OF_FEATURES: Readonly<
  Record<string, (context: RestoreContext, row: Item, trails: AccountTrails) => Promise<Outcome>>
> = RESTORED_ROWS;

const AFTER_CONNECTIONS: Readonly<Record<string, BringAfterConnections>> = CONNECTION_ROWS;

const AT_A_TIME = 8;
/** Rows that are looked up in one call. */
const ROWS_AT_ONCE = 100;
/** The same of connections, few enough that a row seldom changes before its turn comes. */
const CONNECTIONS_LOOKED_UP = 25;
/** Of those. */
const CONNECTIONS_AT_ONCE = 4;

/** Rows to restore. */
export interface RestoreOptions extends RestoreContext {
  readonly only: RestoredPart;
  readonly includeKeys: boolean;
  readonly stop: AbortSignal;
  readonly onProgress: (report: RestoreReport) => void;
}

/** Which part of a backup: everything where nothing is said. */
export interface RestoredPart {
  readonly accountId?: string;
  readonly integrationId?: string;
  readonly connectionId?: string;
}

/** Outcome of a run, counted. */
export interface RestoreReport {
  readonly kinds: Record<Kind, KindReport>;
  /** Rows of the backup that were read. */
  read: number;
  readonly failed: { readonly what: string; readonly message: string }[];
  stopped: boolean;
}

/**
 * Restores rows of a backup into the stack's table: dependencies first, then the connections, then their rows, each judged separately.
 * It never stops at a failure: a repeated run continues.
 */
export async function restoreTable(options: RestoreOptions): Promise<RestoreReport> {
  const report: RestoreReport = {
    kinds: Object.fromEntries(KINDS.map((kind) => [kind, newKindReport()])) as Record<Kind, KindReport>,
    read: 0,
    failed: [],
    stopped: false,
  };
  const run = new Run(options, report);
  await run.bringWhatOthersNeed();
  await run.bringConnections();
  await run.bringWhatBelongsToThem();
  await run.askForRecount();
  report.stopped = options.stop.aborted;
  return report;
}

class Run {
  readonly #options: RestoreOptions;
  readonly #report: RestoreReport;
  readonly #trails: AccountTrails;
  readonly #integrations: IntegrationLookup;
  readonly #accounts = new Set<string>();
  /** Of the backup, by key. There are few: each is of a refresh whose tokens could not be stored. */
  readonly #escrows = new Map<string, Item>();
  /** `pk` of connections that a dry run would bring back: what belongs to them comes, too. */
  readonly #coming = new Set<string>();

  readonly #connections: BroughtConnections = {
    isComing: (ref) => this.#coming.has(connectionPk(ref)),
    count: (kind, outcome) => this.#count(kind, outcome),
  };

  constructor(options: RestoreOptions, report: RestoreReport) {
    this.#options = options;
    this.#report = report;
    this.#trails = new AccountTrails(options.into);
    this.#integrations = new IntegrationLookup(options.into);
  }

  async bringWhatOthersNeed(): Promise<void> {
    const { only, includeKeys } = this.#options;
    const isWhole = only.integrationId === undefined && only.connectionId === undefined;
    const types = [
      'data_key',
      'integration',
      ...(isWhole ? [...Object.keys(OF_FEATURES), 'operator'] : []),
      ...(includeKeys ? ['secret_key'] : []),
    ];
    const rows: Item[] = [];
    for await (const item of this.#rows([...types, 'escrow'])) {
      if (item.type === 'escrow') this.#escrows.set(keyText(item), item);
      else if (isCovered(item, only)) rows.push(item);
    }
    // A different data key determines what happens to its values.
    const isDataKey = ({ type }: Item) => type === 'data_key';
    await this.#work(rows.filter(isDataKey).map((row) => [row]));
    await this.#work(rows.filter((row) => !isDataKey(row)).map((row) => [row]));
  }

  async bringConnections(): Promise<void> {
    await this.#work(units(this.#covered(['connection'])));
  }

  async bringWhatBelongsToThem(): Promise<void> {
    const types = [
      ...Object.keys(AFTER_CONNECTIONS),
      'revocation',
      'usage',
      'changes',
      'event',
      'restored_event',
      'pick',
      'consent_log',
      'evidence',
      'security_project',
    ];
    await this.#work(units(this.#covered([...types, ...BOOK_TYPES])));
  }

  /** Brings rows of one type, each judged by itself. */
  async #bring(rows: readonly Item[], first: Item): Promise<Outcome[]> {
    const options = this.#options;
    switch (first.type) {
      case 'data_key':
        return [await bringDataKey(options, first)];
      case 'integration':
        return [await bringIntegration(options, first, this.#trails)];
      case 'secret_key':
        return [await bringSecretKey(options, first, this.#trails)];
      case 'connection':
        return this.#restoreConnections(rows);
      case 'revocation':
        return [await bringRevocation(options, first)];
      case 'usage':
      case 'changes':
        return [await bringSums(options, first)];
      case 'book_cursor':
        return [await rewindCount(options, first)];
      case 'pick':
        return copyPicks(options, rows, (pk) => this.#coming.has(pk));
      default:
        return this.#bringOthers(rows, first);
    }
  }

  /** Rows that a feature judges, and those that need no judgment. */
  async #bringOthers(rows: readonly Item[], first: Item): Promise<Outcome[]> {
    const bringLater = AFTER_CONNECTIONS[String(first.type)];
    if (bringLater !== undefined) return [await bringLater(this.#options, first, this.#connections)];
    const bring = OF_FEATURES[String(first.type)];
    if (bring === undefined) return copyMissing(this.#options, rows);
    return [await bring(this.#options, first, this.#trails)];
  }

  async #restoreConnections(rows: readonly Item[]): Promise<Outcome[]> {
    const keys = rows.map((row) => ({ pk: str(row, 'pk'), sk: str(row, 'sk') }));
    const here = await batchGet(this.#options.into, keys, { isConsistent: true });
    const live = new Map(here.map((row) => [keyText(row), row]));
    const outcomes: Outcome[] = [];
    await inParallel(rows, CONNECTIONS_AT_ONCE, async (row) => {
      if (this.#options.stop.aborted) return;
      try {
        outcomes.push(await this.#restoreConnection(row, live.get(keyText(row))));
      } catch (error) {
        this.#note(row, error);
      }
    });
    return outcomes;
  }

  async #restoreConnection(item: Item, live: Item | undefined): Promise<Outcome> {
    const { dryRun } = this.#options;
    const backup = readableConnection(item);
    if (backup === undefined) return skipped('unreadable_in_backup');
    const isNeeded = backup.status !== 'deleted' && !dryRun;
    const integration = await this.#integrations.of(backup);
    if (isNeeded && integration === undefined) return skipped('no_integration');
    const escrow = this.#escrows.get(keyText(escrowItemKey(backup)));
    const [readableOne] = readable(integration === undefined ? [] : [integration], integrationFromItem, () => {});
    const outcome = await restoreConnection(this.#options, backup, { live, escrow, integration: readableOne });
    if (outcome.kind === 'restored') {
      this.#accounts.add(backup.accountId);
      if (dryRun) this.#coming.add(connectionPk(backup));
    }
    return outcome;
  }

  /** Makes the next tick count connections and complete the search index and lists, instead of in a week. */
  async askForRecount(): Promise<void> {
    const { into, dryRun, stop } = this.#options;
    if (dryRun || stop.aborted) return;
    for (const accountId of this.#accounts) {
      await isDone(
        into.client.send(
          new UpdateCommand({
            TableName: into.tableName,
            Key: censusItemKey(accountId),
            UpdateExpression: 'SET counted.countedAtEpochSec = :long',
            ConditionExpression: 'attribute_exists(counted)',
            ExpressionAttributeValues: { ':long': 0 },
          }),
        ),
      );
      await isDone(
        into.client.send(
          new UpdateCommand({
            TableName: into.tableName,
            Key: searchCheckItemKey(accountId),
            UpdateExpression: 'SET walkedAtEpochSec = :long REMOVE #position',
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeNames: { '#position': 'position' },
            ExpressionAttributeValues: { ':long': 0 },
          }),
        ),
      );
    }
  }

  /** Works on rows of one type each, several units at a time. What fails is noted and keeps no other away. */
  async #work(of: AsyncIterable<Item[]> | Iterable<Item[]>): Promise<void> {
    await inParallel(
      of,
      AT_A_TIME,
      async (rows) => {
        const [first] = rows;
        if (first === undefined) return;
        try {
          for (const outcome of await this.#bring(rows, first)) this.#count(kindOf(first), outcome);
        } catch (error) {
          this.#note(first, error);
        }
        this.#options.onProgress(this.#report);
      },
      this.#options.stop,
    );
  }

  /** Rows of the backup within the selection. */
  async *#covered(types: readonly string[]): AsyncGenerator<Item> {
    for await (const item of this.#rows(types)) if (isCovered(item, this.#options.only)) yield item;
  }

  async *#rows(types: readonly string[]): AsyncGenerator<Item> {
    const { from, stop, onProgress } = this.#options;
    const onPage = (count: number) => {
      this.#report.read += count;
      onProgress(this.#report);
    };
    for await (const item of scanTable(from, { types, onPage })) {
      if (stop.aborted) return;
      yield item;
    }
  }

  #count(kind: Kind, { kind: what, why }: Outcome): void {
    const counts = this.#report.kinds[kind][what];
    counts[why] = (counts[why] ?? 0) + 1;
  }

  #note(item: Item, error: unknown): void {
    this.#report.failed.push({
      what: `${item.pk} ${item.sk}`,
      message: error instanceof Error ? error.message : String(error),
    });
  }
}

function keyText({ pk, sk }: Item | ItemKey): string {
  return `${pk} ${sk}`;
}

function kindOf({ type }: Item): Kind {
  const kind = RESTORED_TYPES[String(type)];
  if (kind === undefined) throw new Error(`Rows of the type ${type} are not restored.`);
  return kind;
}

/** Whether a row belongs to the part that is wanted, or is needed by it. */
function isCovered(item: Item, only: RestoredPart): boolean {
  const { pk = '', sk = '' } = item;
  // A heartbeat is not part of the history, and belongs in no list of events.
  if (pk === HEARTBEAT_PK) return false;
  // Batches lie alongside their feed, and come with it.
  if (String(pk).startsWith('FEED#') && item.type !== 'feed') return false;
  const isWhole = Object.values(only).every((value) => value === undefined);
  // A page is of all integrations of its account, and the progress of the count of all accounts.
  if (['consent_log', 'evidence', 'security_project'].includes(String(item.type))) return isWhole;
  if (BOOK_TYPES.includes(String(item.type))) return isWhole;
  const identity = item.type === 'usage' || item.type === 'changes' ? usageIdentity(String(pk), String(sk)) : item;
  if (only.accountId !== undefined && identity.accountId !== only.accountId) return false;
  if (item.type === 'data_key' || item.type === 'secret_key') return true;
  if (only.integrationId !== undefined && identity.integrationId !== only.integrationId) return false;
  return only.connectionId === undefined || item.type === 'integration' || identity.connectionId === only.connectionId;
}

/** The subject of a row's sums, by its key. */
function usageIdentity(pk: string, sk: string): RestoredPart {
  const [, accountId = ''] = pk.split('#').map(decodeURIComponent);
  const [kind, integrationId = '', connectionId = ''] = sk.split('#').map(decodeURIComponent);
  if (kind === 'KEY') return { accountId };
  return { accountId, integrationId, ...(kind === 'CONNECTION' ? { connectionId } : {}) };
}

/** Pages of calls and the progress of their count; calls counted since the backup are read from the log again. */
const BOOK_TYPES: readonly string[] = ['usage_page', 'last_uses', 'book_cursor', 'book_hours', 'book_gap'];

/** Types of which so many rows are looked up in one call. */
const TOGETHER: ReadonlyMap<unknown, number> = new Map([
  ['connection', CONNECTIONS_LOOKED_UP],
  ...['event', 'restored_event', 'pick', 'consent_log', 'usage_page', 'evidence', 'security_project'].map(
    (type) => [type, ROWS_AT_ONCE] as const,
  ),
]);

/** Rows as they are worked on: many of one type, or one. */
async function* units(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  const waiting = new Map<unknown, Item[]>();
  for await (const item of items) {
    const most = TOGETHER.get(item.type) ?? 1;
    const rows = [...(waiting.get(item.type) ?? []), item];
    waiting.set(item.type, rows.length < most ? rows : []);
    if (rows.length === most) yield rows;
  }
  for (const rows of waiting.values()) if (rows.length > 0) yield rows;
}

/** Integrations of the table, each read once. */
class IntegrationLookup {
  readonly #table: Table;
  readonly #known = new Map<string, Promise<Item | undefined>>();

  constructor(table: Table) {
    this.#table = table;
  }

  of(connection: Connection): Promise<Item | undefined> {
    const Key = integrationItemKey(connection);
    const name = keyText(Key);
    const known = this.#known.get(name) ?? this.#ask(Key);
    this.#known.set(name, known);
    return known;
  }

  async #ask(Key: ItemKey): Promise<Item | undefined> {
    const { Item } = await this.#table.client.send(
      new GetCommand({ TableName: this.#table.tableName, Key, ConsistentRead: true }),
    );
    return Item;
  }
}
