import { FEED_FOLDER_PAGE_SIZE, FEED_FOLDERS_MAX } from '../core/limits.ts';
import { type FeedCall, type FeedChange, list, member, text, withQuery } from './feed-resource.rules.ts';

/**
 * What lies below a folder. Google's log reports a moved folder in one entry and is silent about what lies below it, so a feed of a folder
 * keeps the folders below its own with the parent of each: a thing lies below it when its parents lead there in that set (CH-23).
 */

/** A folder of the set, as it is stored. */
export interface KnownFolder {
  readonly id: string;
  /** Empty for the feed's own folder. */
  readonly parent: string;
  /** Set while what it contains is to be listed: the sealed place of the next page, empty for the first. */
  readonly listing: string | undefined;
  /** What is reported once everything below it is listed, as words. */
  readonly enters: string | undefined;
}

/** The name of a folder among those of things, which are base64url. */
export function folderName(id: string): string {
  return `=${id}`;
}

/** A file or folder, as far as its place goes. */
export interface PlacedFile {
  readonly id: string;
  readonly isFolder: boolean;
  readonly parents: readonly string[];
  readonly driveId: string | undefined;
  readonly isTrashed: boolean;
}

export const FOLDER_TYPE = 'application/vnd.google-apps.folder';

/** Members of a file that say where it lies. */
const PLACE_FIELDS = 'parents,trashed,driveId';

/** Members of a changed file that a feed of a folder asks for. */
export function folderFields(meaningMembers: string | undefined): string {
  return meaningMembers ?? PLACE_FIELDS;
}

/** Reads a file; undefined where it has no id. @param id where the answer says it elsewhere */
export function placedFile(file: unknown, id = text(file, 'id')): PlacedFile | undefined {
  if (id === undefined || file === undefined) return undefined;
  return {
    id,
    isFolder: text(file, 'mimeType') === FOLDER_TYPE,
    parents: list(file, 'parents').filter((parent) => typeof parent === 'string'),
    driveId: text(file, 'driveId'),
    isTrashed: member(file, 'trashed') === true,
  };
}

/** Where the files of an answer to a list of changes lie, by id. */
export function changedPlaces(answer: unknown): ReadonlyMap<string, PlacedFile> {
  return new Map(
    list(answer, 'changes').flatMap((change): [string, PlacedFile][] => {
      const placed = placedFile(member(change, 'file'), text(change, 'fileId'));
      return placed === undefined ? [] : [[placed.id, placed]];
    }),
  );
}

/** The call that finds a folder. */
export function folderCall(id: string): FeedCall {
  const query = { supportsAllDrives: 'true', fields: `id,mimeType,${PLACE_FIELDS}` };
  return { method: 'GET', path: withQuery(`/drive/v3/files/${encodeURIComponent(id)}`, query) };
}

/** The call for a page of what lies in folders, without what is in the trash. */
export function contentsCall(
  folders: readonly string[],
  driveId: string | undefined,
  page: string | undefined,
  meaningMembers: string | undefined,
): FeedCall {
  const quoted = folders.map((id) => `'${id.replace(/[\\']/g, String.raw`\$&`)}' in parents`);
  const query = {
    q: `(${quoted.join(' or ')}) and trashed = false`,
    ...(driveId === undefined ? {} : { corpora: 'drive', driveId }),
    includeItemsFromAllDrives: 'true',
    supportsAllDrives: 'true',
    pageSize: String(FEED_FOLDER_PAGE_SIZE),
    fields: `nextPageToken,files(id,mimeType,${folderFields(meaningMembers)})`,
    pageToken: page,
  };
  return { method: 'GET', path: withQuery('/drive/v3/files', query) };
}

/** Reads the answer to `contentsCall`. */
export function readContents(answer: unknown): {
  readonly files: readonly { readonly placed: PlacedFile; readonly file: unknown }[];
  readonly next: string | undefined;
} {
  const files = list(answer, 'files').flatMap((file) => {
    const placed = placedFile(file);
    return placed === undefined ? [] : [{ placed, file }];
  });
  return { files, next: text(answer, 'nextPageToken') };
}

/**
 * Changes of folders first, and of them those first that leave: what lies in one that left is judged by what is there afterwards, and
 * nothing enters with a folder that has gone.
 */
export function foldersFirst(
  changes: readonly FeedChange[],
  set: FolderSet,
  places: ReadonlyMap<string, PlacedFile>,
): FeedChange[] {
  const folders = changes.filter(({ id }) => set.get(id) !== undefined || places.get(id)?.isFolder === true);
  const after = set.moved(folders, places);
  const leaves = ({ id }: FeedChange) => set.has(id) && !after.has(id);
  const rank = (change: FeedChange) => (!folders.includes(change) ? 2 : leaves(change) ? 0 : 1);
  return changes
    .map((change) => ({ change, rank: rank(change) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ change }) => change);
}

/** The folders of a feed. One whose parents do not lead to the feed's own is not in it, whatever is stored of it. */
export class FolderSet {
  readonly #rootId: string;
  readonly #folders: Map<string, KnownFolder>;

  constructor(rootId: string, folders: Iterable<KnownFolder>) {
    this.#rootId = rootId;
    this.#folders = new Map([...folders].map((folder) => [folder.id, folder]));
  }

  get(id: string): KnownFolder | undefined {
    return this.#folders.get(id);
  }

  put(folder: KnownFolder): void {
    this.#folders.set(folder.id, folder);
  }

  delete(id: string): void {
    this.#folders.delete(id);
  }

  /** Whether a folder is the feed's own or lies below it. @param without as if this one were not there */
  has(id: string, without?: string): boolean {
    let at = id;
    // Read at different times, parents may lead in a circle for a while.
    for (let steps = 0; steps <= this.#folders.size; steps++) {
      const folder = at === without ? undefined : this.#folders.get(at);
      if (folder === undefined) return false;
      if (at === this.#rootId) return true;
      at = folder.parent;
    }
    return false;
  }

  /** The parent by which something lies below the feed's folder; undefined where it does not. */
  parentOf({ id, parents }: Pick<PlacedFile, 'id' | 'parents'>): string | undefined {
    return parents.find((parent) => this.has(parent, id));
  }

  /** The set as it is once these folders lie where a page says; one that it does not place is gone. The feed's own stays. */
  moved(folders: readonly Pick<FeedChange, 'id' | 'removed'>[], places: ReadonlyMap<string, PlacedFile>): FolderSet {
    if (folders.length === 0) return this;
    const after = new FolderSet(this.#rootId, this.#folders.values());
    for (const { id, removed } of folders) {
      if (id === this.#rootId) continue;
      const placed = removed ? undefined : places.get(id);
      if (placed === undefined || placed.isTrashed) after.delete(id);
      else {
        const isNamed = (parent: string) => this.#folders.has(parent) || folders.some((one) => one.id === parent);
        after.put({ id, parent: placed.parents.find(isNamed) ?? '', listing: undefined, enters: undefined });
      }
    }
    return after;
  }

  get isFull(): boolean {
    return this.#folders.size >= FEED_FOLDERS_MAX;
  }

  /** Those to be listed. */
  toList(): KnownFolder[] {
    return [...this.#folders.values()].filter(({ id, listing }) => listing !== undefined && this.has(id));
  }

  /** Those that are to be reported once all are listed. */
  entering(): KnownFolder[] {
    return [...this.#folders.values()].filter(({ id, enters }) => enters !== undefined && this.has(id));
  }

  /** Those that lie below the feed's folder no more. */
  lost(): KnownFolder[] {
    return [...this.#folders.values()].filter(({ id }) => !this.has(id));
  }
}
