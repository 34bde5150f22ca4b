import type { ReportedPage, UnnumberedBatch } from './drive-logs.ts';
import { lastOfEach } from './feed.rules.ts';
import { type FeedChange, type FeedCursor, type FolderPlace, MEANINGS } from './feed-resource.rules.ts';
import type { FeedWish } from './feed-wish.rules.ts';
import {
  changedPlaces,
  FOLDER_TYPE,
  FolderSet,
  folderName,
  foldersFirst,
  type KnownFolder,
  type PlacedFile,
  placedFile,
  readContents,
} from './folder.rules.ts';
import { FEED_FOLDER_ROWS_AT_ONCE, FEED_FOLDERS_AT_ONCE, FEED_GONE_STATE_RETENTION_SEC } from './limits.rules.ts';
import { readSights, readState, stateAfter, stateName, stateText, thingKey } from './meaning.rules.ts';
import { type MeaningsOf, wordsOfPlaced } from './meanings.ts';
import type { FeedAnswer, FeedStore, FeedWrite, ThingState } from './ports.ts';

type Cursor = Extract<FeedCursor, { readonly kind: 'at' }>;
type TreeWrite = Pick<FeedWrite, 'states' | 'forgottenStates'>;

/** Operations of the turn that reads a tree. Each of them may end the turn. */
export interface TurnOfTree {
  call(wish: FeedWish): Promise<FeedAnswer>;
  /** Writes batches, memory and the feed's cursor together, under its epoch. @param cursor undefined where it stays */
  store(cursor: Cursor | undefined, batches: readonly UnnumberedBatch[], write: TreeWrite): Promise<void>;
  /** Changes as batches. */
  batches(changes: readonly FeedChange[]): UnnumberedBatch[];
  fail(answer: Exclude<FeedAnswer, { kind: 'ok' }>): Promise<never>;
  /** Takes quota for so many lists. */
  admit(lists: number): Promise<void>;
  /** Ends the turn because time is up. */
  leave(): Promise<never>;
  /** Restarts in another log, which now contains the folder. */
  moveTo(): Promise<never>;
  seal(page: string): Promise<string>;
  unseal(ciphertext: string): Promise<string>;
  nowEpochSec(): number;
  isLate(): boolean;
}

/** Where a folder is, as the provider says now. */
export type Located = PlacedFile | 'refused';

/** Finds the feed's folder. */
export async function locateFolder(turn: Pick<TurnOfTree, 'call' | 'fail'>): Promise<Located> {
  const answer = await turn.call({ kind: 'folder' });
  if (answer.kind === 'refusal' && answer.refusal === 'refused') return 'refused';
  if (answer.kind !== 'ok') return turn.fail(answer);
  return placedFile(answer.body) ?? 'refused';
}

/** The row of a feed's own folder before anything below it is known. */
export function rootState(folderId: string): ThingState {
  return folderState({ id: folderId, parent: '', listing: '', enters: undefined });
}

function folderState({ id, parent, listing, enters }: KnownFolder): ThingState {
  return { name: folderName(id), state: '', expiresAtEpochSec: undefined, folder: parent, listing, enters };
}

/**
 * The contents of a feed's folder, in rows of the feed: each folder with its parent, and each file with its folder.
 *
 *   folder enters ---> its row, to be listed ---> its contents, page by page ---> reported once everything below is known.
 *   folder leaves ---> its row is deleted with the reported change; rows below it become unreachable and are erased later.
 *
 * The cursor stays in front of a page until every folder that enters with it is listed, so that the page's files are judged by known
 * folders. A consumer that lists a folder when it is reported therefore lists it after the feed did, and every later change
 * is reported (CH-23).
 */
export class FolderTree {
  readonly #turn: TurnOfTree;
  readonly #store: Pick<FeedStore, 'states' | 'folders'>;
  readonly #meanings: MeaningsOf;
  #set: FolderSet | undefined;
  #place: FolderPlace;
  /** Whether a folder has more than one page, so that it is listed alone. */
  readonly #large = new Set<string>();
  #admitted = 0;

  constructor(
    turn: TurnOfTree,
    store: Pick<FeedStore, 'states' | 'folders'>,
    meanings: MeaningsOf,
    place: FolderPlace,
  ) {
    this.#turn = turn;
    this.#store = store;
    this.#meanings = meanings;
    this.#place = place;
  }

  get place(): FolderPlace {
    return this.#place;
  }

  /** Before the log is read: finishes the work of the last turn, and checks whether a lost folder is back. */
  async begin(cursor: Cursor): Promise<Cursor> {
    if (this.#place.isGone && !this.#place.isWalking) await this.#lookForRoot(cursor);
    if (this.#place.isWalking) await this.#walk(cursor);
    return this.#behind(cursor);
  }

  /** Reports the changes of a page of the log below the folder. @returns the cursor behind it */
  async reportPage(page: ReportedPage, from: Cursor, next: Cursor): Promise<Cursor> {
    const set = await this.#folders();
    const places = changedPlaces(page.answer);
    const changes = lastOfEach(page.changes.filter(({ kind }) => kind === 'file'));
    const isFolder = (id: string) => set.get(id) !== undefined || places.get(id)?.isFolder === true;
    const order = foldersFirst(changes, set, places);
    const sights = readSights({ kind: 'folder', id: '' }, page.answer);
    const reported: FeedChange[] = [];
    let states: ThingState[] = [];
    let forgotten: string[] = [];
    const flush = async (cursor: Cursor | undefined) => {
      await this.#turn.store(cursor, this.#turn.batches(reported.splice(0)), { states, forgottenStates: forgotten });
      states = [];
      forgotten = [];
    };
    let known: ReadonlyMap<string, ThingState> | undefined;
    for (const [position, change] of order.entries()) {
      const { id } = change;
      // A transaction takes 100 items, and a change writes three at most.
      if (states.length + forgotten.length >= FEED_FOLDER_ROWS_AT_ONCE) await flush(undefined);
      const placed = change.removed ? undefined : places.get(id);
      if (id === this.#place.folderId) {
        const isHere = placed !== undefined && !placed.isTrashed && placed.driveId === this.#place.driveId;
        if (isHere !== this.#place.isGone) continue;
        await flush(undefined);
        if (isHere) await this.begin(from);
        else await this.#leaveRoot(from, change);
        known = undefined;
        continue;
      }
      // A walk rewrites the memory of everything that it lists, so the rest of the page is read again after one.
      known ??= await this.#known(order.slice(position));
      const stored = known.get(id);
      const folder = set.get(id);
      const before = isFolder(id) ? set.has(id) : stored?.folder !== undefined && set.has(stored.folder);
      const parent = placed === undefined || placed.isTrashed ? undefined : set.parentOf(placed);
      const sight = sights.get(thingKey(change));
      const now = this.#meanings.feed.meaning
        ? stateAfter(this.#meanings.key, change, sight, stored?.state ? readState(stored.state) : undefined)
        : undefined;
      const what = wordsOfPlaced(this.#meanings, {
        before: { isBelow: before, state: stored?.state },
        now: { isBelow: parent !== undefined, state: now, sight, isRemoved: change.removed },
      });
      const state = now === undefined ? '' : stateText(now);
      const name = stateName(this.#meanings.key, change);
      if (parent === undefined) {
        // For a deleted or unreachable folder Google no longer says that it is one, so the known folders decide before it is removed.
        const subtree = isFolder(id) ? { subtree: true } : {};
        if (folder !== undefined) {
          set.delete(id);
          forgotten.push(folderName(id));
        }
        if (before) reported.push({ ...change, removed: true, what, ...subtree });
        // A thing that comes back is not new.
        const isKept = before && now !== undefined;
        if (isKept)
          states.push({ name, state, expiresAtEpochSec: this.#turn.nowEpochSec() + FEED_GONE_STATE_RETENTION_SEC });
        else if (stored?.folder !== undefined) forgotten.push(name);
        continue;
      }
      const isSame = stored !== undefined && stored.folder === parent && stored.state === state;
      const row = { name, state, expiresAtEpochSec: undefined, folder: parent };
      if (!isFolder(id) || this.#meanings.feed.meaning) {
        if (!isSame) states.push(row);
      }
      if (!isFolder(id) || before) {
        const hasMoved = folder !== undefined && folder.parent !== parent;
        if (hasMoved) {
          const moved = { ...folder, parent };
          set.put(moved);
          states.push(folderState(moved));
        }
        const isReported = what === undefined || (what.length > 0 && (this.#meanings.feed.seen || what[0] !== 'seen'));
        // What a consumer stored below a moved folder may predate the move.
        const below = hasMoved ? { subtree: true } : {};
        if (isReported) reported.push({ ...change, ...(what === undefined ? {} : { what }), ...below });
        continue;
      }
      if (set.isFull) await this.#eraseLost();
      if (set.isFull) {
        states = states.filter((one) => one.name !== name);
        this.#place = { ...this.#place, leavesOut: true };
        continue;
      }
      const entering = { id, parent, listing: '', enters: (what ?? []).join() };
      set.put(entering);
      states.push(folderState(entering));
      this.#place = { ...this.#place, isWalking: true };
      await flush(this.#behind(from));
      await this.#walk(from);
      known = undefined;
    }
    const behind = this.#behind(next);
    await flush(behind);
    await this.#eraseLost();
    return behind;
  }

  /** The log is refused, perhaps because the folder has moved to another one. */
  async lookElsewhere(): Promise<void> {
    const located = await locateFolder(this.#turn);
    if (located === 'refused' || located.driveId === this.#place.driveId) return;
    await this.#turn.moveTo();
  }

  #behind(cursor: Cursor): Cursor {
    return { ...cursor, within: this.#place };
  }

  async #folders(): Promise<FolderSet> {
    this.#set ??= new FolderSet(this.#place.folderId, await this.#store.folders(this.#meanings.feed));
    return this.#set;
  }

  /** The feed's memory of things, by their ids. */
  async #known(changes: readonly FeedChange[]): Promise<ReadonlyMap<string, ThingState>> {
    if (changes.length === 0) return new Map();
    const { feed, key } = this.#meanings;
    const names = new Map(changes.map((change) => [stateName(key, change), change.id]));
    const found = await this.#store.states(feed, [...names.keys()], this.#turn.nowEpochSec());
    return new Map([...found].map(([name, state]) => [names.get(name) ?? '', state]));
  }

  /** The folder itself was changed, moved or lost: the provider shows which. */
  async #leaveRoot(cursor: Cursor, change: FeedChange): Promise<void> {
    const located = await locateFolder(this.#turn);
    if (located !== 'refused' && !located.isTrashed) {
      if (located.driveId !== this.#place.driveId) await this.#turn.moveTo();
      return;
    }
    const set = await this.#folders();
    set.delete(this.#place.folderId);
    this.#place = { ...this.#place, isGone: true };
    const left: FeedChange = { ...change, removed: true, mimeType: FOLDER_TYPE, what: ['left'], subtree: true };
    await this.#turn.store(this.#behind(cursor), this.#turn.batches([left]), {
      forgottenStates: [folderName(this.#place.folderId)],
    });
  }

  async #lookForRoot(cursor: Cursor): Promise<void> {
    const located = await locateFolder(this.#turn);
    if (located === 'refused' || located.isTrashed) return;
    if (located.driveId !== this.#place.driveId) await this.#turn.moveTo();
    const set = await this.#folders();
    const root = { id: this.#place.folderId, parent: '', listing: '', enters: 'entered' };
    set.put(root);
    this.#place = { ...this.#place, isGone: false, isWalking: true };
    await this.#turn.store(this.#behind(cursor), [], { states: [folderState(root)] });
  }

  /** Lists folders until everything below the feed's is known, and reports those that have come. */
  async #walk(cursor: Cursor): Promise<void> {
    const set = await this.#folders();
    for (;;) {
      const toList = set.toList();
      if (toList.length === 0) break;
      if (this.#turn.isLate()) await this.#turn.leave();
      await this.#listSome(toList);
    }
    const entering = set.entering();
    const { gap, folderId } = this.#place;
    const reported = gap === undefined ? entering : [];
    const changes = reported.map(({ id, enters = '' }): FeedChange => {
      const what = enters.split(',').flatMap((word) => MEANINGS.find((one) => one === word) ?? []);
      return { id, kind: 'file', removed: false, time: undefined, mimeType: FOLDER_TYPE, what, subtree: true };
    });
    const batches: UnnumberedBatch[] =
      gap === undefined ? this.#turn.batches(changes) : [{ kind: 'gap', reason: gap, changes: [] }];
    const settled = entering.map((folder) => ({ ...folder, enters: undefined }));
    for (const folder of settled) set.put(folder);
    this.#place = { ...this.#place, isWalking: false, gap: undefined, isGone: set.get(folderId) === undefined };
    await this.#turn.store(this.#behind(cursor), batches, { states: settled.map(folderState) });
  }

  async #listSome(toList: readonly KnownFolder[]): Promise<void> {
    const set = await this.#folders();
    const alone = toList.find(({ id, listing }) => listing !== '' || this.#large.has(id));
    const group = alone === undefined ? toList.slice(0, FEED_FOLDERS_AT_ONCE) : [alone];
    const [first] = group;
    if (first === undefined) return;
    if (this.#admitted === 0) {
      this.#admitted = Math.min(FEED_FOLDERS_AT_ONCE, toList.length);
      await this.#turn.admit(this.#admitted);
    }
    this.#admitted -= 1;
    const page =
      first.listing === '' || first.listing === undefined ? undefined : await this.#turn.unseal(first.listing);
    const { feed, key } = this.#meanings;
    const ids = group.map(({ id }) => id);
    const members = feed.meaning ? 'meaning' : undefined;
    const answer = await this.#turn.call({ kind: 'contents', folders: ids, log: this.#place.driveId, page, members });
    if (answer.kind === 'refusal' && page !== undefined && answer.refusal === 'expired') {
      return this.#keep([{ ...first, listing: '' }], []);
    }
    if (answer.kind === 'refusal' && answer.refusal === 'refused') {
      // One of the group is gone; its own entry in the log will follow.
      if (group.length > 1) for (const id of ids) this.#large.add(id);
      else await this.#keep([{ ...first, listing: undefined }], []);
      return;
    }
    if (answer.kind !== 'ok') return this.#turn.fail(answer);
    const { files, next } = readContents(answer.body);
    if (next !== undefined && group.length > 1) {
      for (const id of ids) this.#large.add(id);
      return;
    }
    const sealed = next === undefined ? undefined : await this.#turn.seal(next);
    const listed = new Map(group.map((folder) => [folder.id, { ...folder, listing: sealed }]));
    const rows: ThingState[] = [];
    for (const { placed, file } of files) {
      const parent = set.parentOf(placed);
      if (parent === undefined || placed.isTrashed) continue;
      const change: FeedChange = { id: placed.id, kind: 'file', removed: false, time: undefined, mimeType: undefined };
      const name = stateName(key, change);
      if (placed.isFolder) {
        if (set.get(placed.id) === undefined && set.isFull) {
          this.#place = { ...this.#place, leavesOut: true };
          continue;
        }
        const known = set.get(placed.id);
        const folder = { id: placed.id, parent, listing: '', enters: known?.enters };
        // A folder that this answer lists as well is written with the listed ones.
        if (listed.has(placed.id)) listed.set(placed.id, { ...folder, listing: undefined });
        else {
          set.put(folder);
          rows.push(folderState(folder));
        }
      }
      if (placed.isFolder && !feed.meaning) continue;
      const sight = readSights({ kind: 'folder', id: '' }, { changes: [{ fileId: placed.id, file }] }).get(
        thingKey(change),
      );
      const state = feed.meaning ? stateText(stateAfter(key, change, sight, undefined)) : '';
      rows.push({ name, state, expiresAtEpochSec: undefined, folder: parent });
    }
    // A folder counts as listed once its contents are stored.
    await this.#keep([...listed.values()], rows);
  }

  async #keep(listed: readonly KnownFolder[], rows: readonly ThingState[]): Promise<void> {
    const set = await this.#folders();
    const some = [...rows];
    while (some.length > FEED_FOLDER_ROWS_AT_ONCE) {
      await this.#turn.store(undefined, [], { states: some.splice(0, FEED_FOLDER_ROWS_AT_ONCE) });
    }
    for (const folder of listed) set.put(folder);
    await this.#turn.store(undefined, [], { states: [...some, ...listed.map(folderState)] });
  }

  /** Erases folders that no longer lead to the feed's. They are ignored anyway, so this may happen later. */
  async #eraseLost(): Promise<void> {
    const set = await this.#folders();
    const lost = set.lost();
    while (lost.length > 0 && !this.#turn.isLate()) {
      const some = lost.splice(0, FEED_FOLDER_ROWS_AT_ONCE);
      await this.#turn.store(undefined, [], { forgottenStates: some.map(({ id }) => folderName(id)) });
      for (const { id } of some) set.delete(id);
    }
  }
}
