import type { FeedRef, FeedSettings } from '../../../../../lambdas/features/feeds/feed.rules.ts';
import type { FeedChange } from '../../../../../lambdas/features/feeds/feed-resource.rules.ts';
import { FOLDER_TYPE, FolderSet } from '../../../../../lambdas/features/feeds/folder.rules.ts';
import { stateName } from '../../../../../lambdas/features/feeds/meaning.rules.ts';
import type { FeedAnswer } from '../../../../../lambdas/features/feeds/ports.ts';
import { DriveLogsWorld, type LogEntry, REFUSED } from './drive-logs-world.ts';

/** A file or folder of the provider's. */
export interface Node {
  readonly parent: string;
  readonly isFolder: boolean;
  readonly version: number;
  readonly isTrashed: boolean;
  readonly isHidden: boolean;
  readonly madeAtMs: number;
  /** What a shortcut leads to. */
  readonly target?: string;
  /** How often each of its parts has changed; `touched` counts changes of what nobody names. */
  readonly parts: Readonly<Record<Part, number>>;
}

/** A part of a file that an edit changes. */
export type Part = 'content' | 'name' | 'shared' | 'touched';

/** A file or folder as an answer has shown it. */
export interface Shown extends Pick<Node, 'isFolder' | 'madeAtMs' | 'parts' | 'parent'> {
  readonly id: string;
  readonly top: string;
  readonly isTrashed: boolean;
}

/** What a feed has stored of a thing. */
export interface StoredThing {
  readonly parent: string | undefined;
  readonly isBelow: boolean;
  readonly isKept: boolean;
}

const SHORTCUT_TYPE = 'application/vnd.google-apps.shortcut';
export const ROOT = 'root';
/** The tops that things lie below: My Drive and a shared drive, whose log has its id. */
export const TOPS: readonly string[] = ['own', 'drive-1'];

/**
 * Google Drive with folders, in My Drive and a shared drive. A change of a folder is in the logs as that folder's alone, whatever lies
 * below it: the harshest that Google's documents allow (CH-4).
 */
export class FolderWorld extends DriveLogsWorld {
  readonly nodes = new Map<string, Node>();
  isMember = true;
  /** Everything that has ever been below the folder. */
  readonly everBelow = new Set<string>();
  /** What entries of logs have shown, by the time that each showing has of its own; undefined: that it is gone. */
  readonly entries = new Map<string, { readonly id: string; readonly shown: Shown | undefined }>();
  /** What lists of folders have shown, in their order, and behind which batch. */
  readonly listed: { readonly shown: Shown; readonly sequence: number }[] = [];
  readonly #removed = new Set<string>();
  /** Names of things in the feed's memory, by the sealed key and the thing. */
  readonly #names = new Map<string, string>();
  /** Where in the log of its top each folder has left it. */
  readonly #crossed = new Map<string, { readonly log: string; readonly at: number }>();
  readonly #children = new Map<string, Set<string>>();

  constructor(settings: Partial<FeedSettings> = {}) {
    super(`folder:${ROOT}`, settings);
    this.put(ROOT, 'own', true);
  }

  /** Makes or moves something; nothing where that would lead in a circle or nowhere. */
  put(id: string, parent: string, isFolder = /^(folder|root)/.test(id)): void {
    const isPlace = TOPS.includes(parent) || this.nodes.get(parent)?.isFolder === true;
    // An id is given once.
    if (!isPlace || this.#removed.has(id) || this.#chain(parent).includes(id)) return;
    const top = this.nodes.has(id) ? this.topOf(id) : undefined;
    if (top !== undefined && top !== this.topOf(parent) && !this.#mayCross(id, top)) return;
    const before = this.nodes.get(id);
    const parts = { content: 0, name: 0, shared: 0, touched: 0 };
    const none = { isFolder, version: 0, isTrashed: false, isHidden: false, madeAtMs: this.nowMs, parts };
    this.#set(id, { ...none, ...before, parent, version: (before?.version ?? 0) + 1 });
  }

  /** Makes a shortcut to a folder. */
  shortcut(id: string, parent: string, target: string): void {
    this.put(id, parent, false);
    const made = this.nodes.get(id);
    if (made !== undefined) this.nodes.set(id, { ...made, target });
  }

  /** Changes something's place in the trash or its access, or a part of it; `seen`: nothing but that somebody has looked at it. */
  edit(
    id: string,
    change: Partial<Pick<Node, 'isTrashed' | 'isHidden'>> = {},
    part: Part | 'seen' = Object.keys(change).length === 0 ? 'content' : 'seen',
  ): void {
    const before = this.nodes.get(id);
    if (before === undefined) return;
    const parts = part === 'seen' ? before.parts : { ...before.parts, [part]: before.parts[part] + 1 };
    this.#set(id, { ...before, ...change, parts, version: before.version + 1 });
  }

  /** Deletes something with everything below it. */
  remove(id: string): void {
    const top = this.topOf(id);
    this.#removeBelow(id);
    this.append(top, id);
  }

  topOf(id: string): string {
    return this.#chain(id).at(-1) ?? 'own';
  }

  isReadable(id: string): boolean {
    const chain = this.#chain(id);
    const isOpen = chain.slice(0, -1).every((one) => this.nodes.get(one)?.isHidden === false);
    return TOPS.includes(chain.at(-1) ?? '') && isOpen && (this.isMember || chain.at(-1) === 'own');
  }

  isTrashed(id: string): boolean {
    return this.#chain(id).some((one) => this.nodes.get(one)?.isTrashed === true);
  }

  /** Whether something can be read and is not in the trash. */
  isThere(id: string): boolean {
    return this.nodes.has(id) && this.isReadable(id) && !this.isTrashed(id);
  }

  /** What a folder contains, as a list shows it. */
  contents(folder: string): string[] {
    return [...(this.#children.get(folder) ?? [])].filter((id) => this.isThere(id)).sort();
  }

  /** Ids of all that lies below a folder, by a walk. */
  below(folder = ROOT): string[] {
    return this.isThere(folder) ? this.#walk(folder) : [];
  }

  /** What the feed takes to be below the folder, of those that there are or were. */
  async known(): Promise<string[]> {
    const rows = await this.rows(this.everBelow);
    return [...rows].flatMap(([id, { isBelow }]) => (isBelow ? [id] : [])).sort();
  }

  /** Of some things where the feed takes them to be, whether that is below the folder, and whether it remembers what they were. */
  async rows(ids: Iterable<string>): Promise<ReadonlyMap<string, StoredThing>> {
    const set = new FolderSet(ROOT, await this.table.folders(this.ref));
    const sealed = (await this.table.statesKey(this.ref)) ?? '';
    const names = new Map([...ids].map((id) => [id, this.#nameOf(sealed, id)]));
    const states = await this.table.states(this.ref, [...names.values()], 0);
    return new Map(
      [...names].map(([id, name]) => {
        const { folder, state = '' } = states.get(name) ?? {};
        const parent = id.startsWith('folder') ? set.get(id)?.parent : folder;
        return [id, { parent, isBelow: parent !== undefined && set.has(parent), isKept: state !== '' }];
      }),
    );
  }

  /** Each name is hashed once, because hashes took 20 % of the time of a history. */
  #nameOf(sealedKey: string, id: string): string {
    const known = this.#names.get(`${sealedKey} ${id}`);
    if (known !== undefined) return known;
    const name = stateName(Buffer.from(sealedKey.replace('sealed:', ''), 'base64url'), { kind: 'file', id });
    this.#names.set(`${sealedKey} ${id}`, name);
    return name;
  }

  /** Whether the feed has read all that there is in its log, and listed what it has to. */
  get isCaughtUp(): boolean {
    const [, log = '', at] = /\|([^@"]*)@(\d+)/.exec(this.feed.encryptedCursor ?? '') ?? [];
    return this.isListed && this.feed.state === 'watching' && Number(at) === this.lengthOf(log);
  }

  /** Whether everything below the folder is listed. */
  get isListed(): boolean {
    return !/"isWalking":true|building/.test(this.feed.encryptedCursor ?? 'building');
  }

  #walk(folder: string): string[] {
    return this.contents(folder).flatMap((id) => [id, ...this.#walk(id)]);
  }

  /** A thing, the folders above it, and the top; of something that is gone, itself alone. */
  #chain(id: string): string[] {
    const chain = [id];
    for (let at = this.nodes.get(id)?.parent; at !== undefined; at = this.nodes.get(at)?.parent) chain.push(at);
    return chain;
  }

  #set(id: string, node: Node): void {
    const before = this.nodes.has(id) ? this.topOf(id) : undefined;
    this.#children.get(this.nodes.get(id)?.parent ?? '')?.delete(id);
    this.nodes.set(id, node);
    this.#children.set(node.parent, (this.#children.get(node.parent) ?? new Set()).add(id));
    for (const log of new Set([before, this.topOf(id)])) if (log !== undefined) this.append(log, id);
    if (this.#chain(id).includes(ROOT)) for (const one of [id, ...this.#walk(id)]) this.everBelow.add(one);
  }

  #removeBelow(id: string): void {
    for (const child of [...(this.#children.get(id) ?? [])]) this.#removeBelow(child);
    this.#children.get(this.nodes.get(id)?.parent ?? '')?.delete(id);
    this.nodes.delete(id);
    this.#removed.add(id);
  }

  /**
   * What goes to another log, is changed there and comes back before anybody reads looks as if nothing had happened: no consumer can
   * know of it, so it does not happen here.
   */
  #mayCross(id: string, from: string): boolean {
    const cursors = this.memory.ofType('feed').map(({ encryptedCursor }) => String(encryptedCursor));
    const places = cursors.map((cursor) => /\|([^@"]*)@(\d+)/.exec(cursor)).filter((place) => place !== null);
    const moving = [id, ...this.#below(id)];
    const isUnread = (one: string) => {
      const last = this.#crossed.get(one);
      return last !== undefined && places.some(([, log, at]) => last.log === log && last.at >= Number(at));
    };
    if (moving.some(isUnread)) return false;
    for (const one of moving) this.#crossed.set(one, { log: from, at: this.lengthOf(from) });
    return true;
  }

  #below(id: string): string[] {
    return [...(this.#children.get(id) ?? [])].flatMap((child) => [child, ...this.#below(child)]);
  }

  protected override isMemberOf(): boolean {
    return this.isMember;
  }

  protected override provideFiles({ pathname, searchParams }: URL): FeedAnswer | undefined {
    if (pathname === '/drive/v3/files') return this.#list(searchParams);
    if (pathname.startsWith('/drive/v3/files/')) return this.#get(pathname.slice('/drive/v3/files/'.length));
    return undefined;
  }

  protected override shownChange({ id, at }: LogEntry, log: string): object {
    const isReadable = this.nodes.has(id) && this.isReadable(id);
    const removed = !isReadable || this.topOf(id) !== log;
    const file = isReadable ? { file: this.#file(id) } : {};
    // Nanoseconds make each time at which an entry was shown unique.
    const time = new Date(at).toISOString().replace('Z', `${String(this.entries.size).padStart(6, '0')}Z`);
    this.entries.set(time, { id, shown: isReadable ? this.shown(id) : undefined });
    return { changeType: 'file', fileId: id, time, removed, ...file };
  }

  #get(id: string): FeedAnswer {
    return this.nodes.has(id) && this.isReadable(id) ? { kind: 'ok', body: this.#file(id) } : REFUSED;
  }

  #list(query: URLSearchParams): FeedAnswer {
    const folders = [...(query.get('q') ?? '').matchAll(/'([^']*)' in parents/g)].map(([, id = '']) => id);
    // Google answers 404 for a search in a folder that is not there.
    if (folders.some((id) => !this.nodes.has(id) || !this.isReadable(id))) return REFUSED;
    const page = query.get('pageToken') ?? '';
    const all = folders.flatMap((id) => this.contents(id)).sort();
    const rest = all.filter((id) => id > page);
    const files = rest.slice(0, this.pageSize);
    const next = rest.length > files.length ? { nextPageToken: files.at(-1) } : {};
    const { sequence } = this.feed;
    this.listed.push(...files.map((id) => ({ shown: this.shown(id), sequence })));
    return { kind: 'ok', body: { files: files.map((id) => this.#file(id)), ...next } };
  }

  /** As answers show it now. */
  shown(id: string): Shown {
    const node = this.nodes.get(id);
    if (node === undefined) throw new Error(`There is no ${id}`);
    const { parent, isFolder, madeAtMs, parts } = node;
    return { id, parent, isFolder, madeAtMs, parts, top: this.topOf(id), isTrashed: this.isTrashed(id) };
  }

  /** As Google's API shows it. */
  #file(id: string): object {
    const { parent, isFolder, madeAtMs, parts, top, isTrashed } = this.shown(id);
    const target = this.nodes.get(id)?.target;
    const shortcutDetails = { targetId: target, targetMimeType: FOLDER_TYPE };
    return {
      id,
      mimeType: isFolder ? FOLDER_TYPE : target === undefined ? 'text/plain' : SHORTCUT_TYPE,
      ...(target === undefined ? {} : { shortcutDetails }),
      parents: [parent],
      trashed: isTrashed,
      name: `name ${parts.name} of ${id}`,
      createdTime: new Date(madeAtMs).toISOString(),
      modifiedTime: new Date(madeAtMs + parts.content + parts.name + parts.touched).toISOString(),
      ...(isFolder || target !== undefined ? {} : { md5Checksum: `checksum ${parts.content}` }),
      ...(top === 'own' ? { permissions: [{ id: `person ${parts.shared}`, role: 'reader' }] } : { driveId: top }),
    };
  }
}

/** A consumer that follows the rules of docs/changes.md for everything below a folder. */
export class FolderMirror {
  readonly #world: FolderWorld;
  readonly #ref: FeedRef;
  readonly #root: string;
  readonly copy = new Map<string, Pick<Node, 'parent' | 'version'>>();
  /** Files that the consumer has seen before the feed read them, not reported since. The feed never reports those that are gone by then. */
  readonly ahead = new Set<string>();
  readonly #seen = new Set<string>();
  done = 0;

  constructor(world: FolderWorld, ref = world.ref, root = ROOT) {
    this.#world = world;
    this.#ref = ref;
    this.#root = root;
  }

  listAll(): void {
    this.copy.clear();
    if (this.#world.isThere(this.#root)) this.#listBelow(this.#root);
  }

  async read(): Promise<void> {
    const batches = await this.#world.table.batches(this.#ref, this.done, 1_000, 0);
    for (const batch of batches) {
      if (batch.sequence !== this.done + 1) throw new Error(`Batch ${batch.sequence} came behind ${this.done}`);
      if (batch.kind === 'gap') this.listAll();
      for (const change of batch.changes) this.#apply(change);
      this.done = batch.sequence;
    }
    await this.compare();
    if (batches.length > 0) await this.read();
  }

  /** Notes what of the latest sights the feed has not read yet. */
  async compare(): Promise<void> {
    for (const [id, { parent, isBelow }] of await this.#world.rows(this.#seen)) {
      if (!isBelow || parent !== this.copy.get(id)?.parent) this.ahead.add(id);
    }
    this.#seen.clear();
  }

  #apply({ id, removed, subtree = false }: FeedChange): void {
    // Until the entry of a folder that has left is read, what lies in it is taken to be below.
    const above = this.#world.nodes.get(id)?.parent ?? '';
    const isKnown = id === ROOT || this.#world.everBelow.has(id) || this.#world.everBelow.has(above);
    if (this.#root === ROOT && !isKnown) throw new Error(`Told of ${id}, which was never below`);
    const isNew = !this.copy.has(id);
    this.ahead.delete(id);
    const { parent = '', version = 0, isFolder } = this.#world.nodes.get(id) ?? {};
    const isBelow = id === this.#root || parent === this.#root || this.copy.has(parent);
    if (removed || !this.#world.isThere(id) || !isBelow) {
      this.#drop(id);
      return;
    }
    if (id !== this.#root) {
      this.copy.set(id, { parent, version });
      this.#seen.add(id);
    }
    if (isFolder === true && (subtree || isNew)) this.#listBelow(id);
  }

  #drop(id: string): void {
    this.copy.delete(id);
    for (const [child, { parent }] of [...this.copy]) if (parent === id && this.copy.has(child)) this.#drop(child);
  }

  #listBelow(folder: string): void {
    for (const id of this.#world.contents(folder)) {
      const { parent = '', version = 0 } = this.#world.nodes.get(id) ?? {};
      this.copy.set(id, { parent, version });
      this.#seen.add(id);
      this.#listBelow(id);
    }
  }
}
