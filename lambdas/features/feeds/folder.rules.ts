import { type FeedCall, type FeedChange, list, member, text, withQuery } from './feed-resource.rules.ts';
import { FEED_FOLDER_PAGE_SIZE, FEED_FOLDERS_MAX } from './limits.rules.ts';

/**
 * The contents of a feed's folder. Google's log reports a moved folder in one entry without the things below it. A feed of a folder
 * therefore keeps all folders below its own with their parents: a thing is below it when its parents lead there within that set
 * (CH-23).
 */

/** A stored folder of the set. */
export interface KnownFolder {
  readonly id: string;
  /** Empty for the feed's own folder. */
  readonly parent: string;
  /** Set while its contents are to be listed: the sealed place of the next page, empty for the first. */
  readonly listing: string | undefined;
  /** The words to report once everything below it is listed. */
  readonly enters: string | undefined;
}

/** The name of a folder among those of things, which are base64url. */
export function folderName(id: string): string {
  return `=${id}`;
}

/** A file or folder with its place. */
export interface PlacedFile {
  readonly id: string;
  readonly isFolder: boolean;
  readonly parents: readonly string[];
  readonly driveId: string | undefined;
  readonly isTrashed: boolean;
}

export const FOLDER_TYPE = 'application/vnd.google-apps.folder';

/** Members of a file that give its place. */
const PLACE_FIELDS = 'parents,trashed,driveId';

/** Members of a changed file that a feed of a folder asks for. */
export function folderFields(meaningMembers: string | undefined): string {
  return meaningMembers ?? PLACE_FIELDS;
}

/** Reads a file; undefined where it has no id. @param id for answers that give it elsewhere */
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

/** Places of the changed files in an answer, by id. */
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

/** The call for a page of the contents of folders, except trashed things. */
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
 * Folders first, and among them leaving ones first: the contents of a folder that left are judged by the set after it, and nothing
 * enters with a folder that is gone.
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

/** The folders of a feed. A stored folder whose parents do not lead to the feed's own does not count. */
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

  /** Whether a folder is the feed's own or below it. @param without ignore this one */
  has(id: string, without?: string): boolean {
    let at = id;
    // Parents that were read at different times may form a circle for a while.
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

  /** The set after a page: with these folders at their new places, and without those that have none. The feed's own stays. */
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

  /** Folders to report once all are listed. */
  entering(): KnownFolder[] {
    return [...this.#folders.values()].filter(({ id, enters }) => enters !== undefined && this.has(id));
  }

  /** Folders that are no longer below the feed's. */
  lost(): KnownFolder[] {
    return [...this.#folders.values()].filter(({ id }) => !this.has(id));
  }
}
