import { keyIdOf } from '../../gateway/core/identifiers.ts';
import type { TokenCipher } from '../../gateway/core/ports.ts';
import type { SecretKeyStore } from '../../gateway/keys/ports.ts';
import type { ObjectRef } from '../../gateway/providers/inverse.rules.ts';
import { type Change, changeContext } from './change.rules.ts';
import type { JournalRange, JournalRow, JournalStore } from './ports.ts';

/** Dependencies of a list of writes. */
export interface ListWritesDependencies {
  readonly journal: Pick<JournalStore, 'page'>;
  readonly cipher: TokenCipher;
  readonly secretKeys: Pick<SecretKeyStore, 'list'>;
}

/** A row of the journal with what it is about. */
export interface Write {
  readonly row: JournalRow;
  readonly object: ObjectRef | undefined;
}

export interface WritesQuery extends Omit<JournalRange, 'of'> {
  readonly accountId: string;
  /** Undefined: every key of the account. */
  readonly of: JournalRange['of'] | undefined;
  /** Only writes on the object of this id, and on its parts. */
  readonly objectId: string | undefined;
  readonly limit: number;
}

/** Rows that one request searches for an object, because each has to be decrypted. */
const LOOKED_MAX = 1_000;
const ROWS_AT_ONCE = 200;

/** Writes of the journal, newest first. @returns with `next` where there may be more, even if the page is empty */
export async function listWrites(
  services: ListWritesDependencies,
  query: WritesQuery,
): Promise<{ readonly writes: readonly Write[]; readonly next: string | undefined }> {
  const { accountId, of, objectId, limit } = query;
  const ranges = of === undefined ? await keysOf(services, accountId) : [of];
  const writes: Write[] = [];
  let { before } = query;
  for (let looked = 0; looked < LOOKED_MAX; ) {
    const count = objectId === undefined ? limit + 1 : ROWS_AT_ONCE;
    const { rows, isEnd } = await newest(services, ranges, { ...query, before }, count);
    for (const row of rows) {
      if (writes.length === limit) return { writes, next: before };
      const write = await opened(services, row);
      if (objectId === undefined || isOn(write, objectId)) writes.push(write);
      before = row.rowId;
      looked++;
    }
    if (isEnd) return { writes, next: undefined };
  }
  return { writes, next: before };
}

async function keysOf(
  { secretKeys }: Pick<ListWritesDependencies, 'secretKeys'>,
  accountId: string,
): Promise<JournalRange['of'][]> {
  const keys = await secretKeys.list(accountId);
  return keys.filter(({ right }) => right === 'proxy').map((key) => ({ accountId, keyId: keyIdOf(key) }));
}

/** The newest rows of several ranges, merged; rows below the oldest one read of an unfinished range are left out. */
async function newest(
  { journal }: Pick<ListWritesDependencies, 'journal'>,
  ranges: readonly JournalRange['of'][],
  { fromMs, untilMs, before }: Omit<JournalRange, 'of'>,
  count: number,
): Promise<{ readonly rows: readonly JournalRow[]; readonly isEnd: boolean }> {
  const pages = await Promise.all(ranges.map((of) => journal.page({ of, fromMs, untilMs, before }, count)));
  const floors = pages.flatMap((page) => (page.length < count ? [] : (page.at(-1)?.rowId ?? [])));
  const floor = floors.toSorted().at(-1);
  const rows = pages
    .flat()
    .filter(({ rowId }) => floor === undefined || rowId >= floor)
    .toSorted((a, b) => (a.rowId < b.rowId ? 1 : -1));
  return { rows, isEnd: floor === undefined };
}

interface OpenedWrite extends Write {
  readonly former: ObjectRef | undefined;
}

/** A row with its objects, decrypted. */
async function opened({ cipher }: Pick<ListWritesDependencies, 'cipher'>, row: JournalRow): Promise<OpenedWrite> {
  if (row.sealed === undefined) return { row, object: undefined, former: undefined };
  const { object, former }: Change = JSON.parse(await cipher.decrypt(changeContext(row, row.rowId), row.sealed));
  return { row, object, former };
}

function isOn({ object, former }: OpenedWrite, id: string): boolean {
  return [object, former].some((one) => one?.ids.includes(id));
}
