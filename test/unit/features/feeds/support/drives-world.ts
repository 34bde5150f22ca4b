import type { FeedSettings } from '../../../../../lambdas/features/feeds/feed.rules.ts';
import { FEED_LOG_SK_PREFIX, feedItemKey } from '../../../../../lambdas/features/feeds/feed-keys.store.ts';
import type { FeedAnswer } from '../../../../../lambdas/features/feeds/ports.ts';
import { DriveLogsWorld, type LogEntry } from './drive-logs-world.ts';

/** Where a file lies: `own`, which is My Drive, or the id of a shared drive. */
export type Place = string;

/** A file as it was at some change. */
export interface FileFacets {
  readonly madeAtMs: number;
  readonly place: Place;
  readonly version: number;
  readonly changes: number;
  readonly content: number;
  readonly name: number;
  readonly shared: number | undefined;
  readonly isTrashed: boolean;
}

/** Files of My Drive and of shared drives that their user joins and leaves. */
export class DrivesWorld extends DriveLogsWorld {
  readonly members = new Set<string>(['drive-1']);
  readonly files = new Map<string, FileFacets>();
  /** Files as answers showed them, by the MIME type that each time has of its own. */
  readonly shown = new Map<string, FileFacets>();

  constructor(settings: Partial<FeedSettings> = {}) {
    super('drives', settings);
  }

  isReadable(id: string): boolean {
    const place = this.files.get(id)?.place;
    return place !== undefined && (place === 'own' || this.members.has(place));
  }

  /** Makes, changes, moves or deletes a file; the logs that it leaves and enters both say so. */
  put(id: string, place: Place | undefined): void {
    const before = this.files.get(id);
    if (place === undefined) this.files.delete(id);
    else this.files.set(id, nextFacets(before, place, this.nowMs));
    for (const log of new Set([before?.place, place])) {
      if (log !== undefined) this.append(log, id);
    }
  }

  /** Joins or leaves a shared drive. @param isSaid whether the user's log says so, which it need not for groups */
  setMember(drive: string, isMember: boolean, isSaid: boolean): void {
    if (isMember) this.members.add(drive);
    else this.members.delete(drive);
    if (isSaid) this.append('own', drive, 'drive');
  }

  /** The rows of logs are gone, as a restore leaves them. */
  async loseRows(): Promise<void> {
    for (const { driveId } of await this.table.logs(this.ref)) {
      this.memory.delete({ ...feedItemKey(this.ref), sk: FEED_LOG_SK_PREFIX + driveId });
    }
    await this.set({ pullAtEpochSec: 0 });
  }

  /** Ids of the shared drives whose logs were listed since the last time somebody asked. */
  takeListed(): string[] {
    const listed = this.calls.map(({ path }) => new URL(path, 'https://google.example'));
    this.calls.length = 0;
    return listed
      .filter(({ pathname }) => pathname === '/drive/v3/changes')
      .flatMap(({ searchParams }) => searchParams.get('driveId') ?? []);
  }

  protected override isMemberOf(drive: string): boolean {
    return this.members.has(drive);
  }

  protected override provideFiles({ pathname }: URL): FeedAnswer | undefined {
    if (pathname !== '/drive/v3/drives') return undefined;
    return { kind: 'ok', body: { drives: [...this.members].map((id) => ({ id })) } };
  }

  protected override shownChange({ kind, id, at }: LogEntry, log: string): object {
    const time = new Date(at).toISOString();
    if (kind === 'drive') return { changeType: 'drive', driveId: id, time, removed: !this.members.has(id) };
    const facets = this.files.get(id);
    const isReadable = this.isReadable(id);
    // Unlike an event, a file changes without a new time of its entry: it is shown as it is when the log is read.
    const mimeType = `text/${this.shown.size}`;
    if (facets !== undefined) this.shown.set(mimeType, facets);
    const file = isReadable && facets !== undefined ? { file: { ...shownFacets(facets), mimeType } } : {};
    const removed = !isReadable || facets?.place !== log;
    return { changeType: 'file', fileId: id, time, removed, ...file };
  }
}

/** The next change of a file: of its content, its name, its permissions, the trash, or its content and name. */
function nextFacets(before: FileFacets | undefined, place: Place, atMs: number): FileFacets {
  if (before === undefined) {
    const none = { changes: 0, content: 0, name: 0, shared: 0, isTrashed: false };
    return { ...none, madeAtMs: atMs, place, version: 1 };
  }
  const changes = before.changes + 1;
  const kind = changes % 6;
  return {
    ...before,
    place,
    version: before.version + 1,
    changes,
    content: before.content + (kind === 1 || kind === 5 ? 1 : 0),
    name: before.name + (kind === 2 || kind === 5 ? 1 : 0),
    shared: (before.shared ?? 0) + (kind === 3 ? 1 : 0),
    isTrashed: kind === 4 ? !before.isTrashed : before.isTrashed,
  };
}

function shownFacets({ madeAtMs, place, content, name, shared, isTrashed }: FileFacets): object {
  return {
    createdTime: new Date(madeAtMs).toISOString(),
    name: `name ${name}`,
    md5Checksum: `checksum ${content}`,
    parents: [place],
    trashed: isTrashed,
    ...(place === 'own' ? { permissions: [{ id: `person ${shared}`, role: 'reader' }] } : { driveId: place }),
  };
}

/** A consumer that follows the rules of docs/changes.md for all that a user sees. */
export class DrivesMirror {
  readonly #world: DrivesWorld;
  readonly copy = new Map<string, FileFacets>();
  done = 0;

  constructor(world: DrivesWorld) {
    this.#world = world;
  }

  listAll(): void {
    this.copy.clear();
    for (const id of this.#world.files.keys()) this.#read(id);
  }

  async read(): Promise<void> {
    for (const batch of await this.#world.table.batches(this.#world.ref, this.done, 1_000, 0)) {
      if (batch.sequence !== this.done + 1) throw new Error(`Batch ${batch.sequence} came behind ${this.done}`);
      if (batch.kind === 'gap') this.listAll();
      for (const { kind, id, removed } of batch.changes) {
        if (kind === 'drive') this.#list(id, removed);
        else if (removed) this.copy.delete(id);
        else this.#read(id);
      }
      this.done = batch.sequence;
    }
  }

  /** Drops what lay in a shared drive, and lists it again where it is there. */
  #list(drive: string, removed: boolean): void {
    for (const [id, { place }] of this.copy) {
      if (place === drive) this.copy.delete(id);
    }
    if (removed) return;
    for (const [id, { place }] of this.#world.files) {
      if (place === drive) this.#read(id);
    }
  }

  #read(id: string): void {
    const file = this.#world.files.get(id);
    if (file !== undefined && this.#world.isReadable(id)) this.copy.set(id, file);
    else this.copy.delete(id);
  }
}
