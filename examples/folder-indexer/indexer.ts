/**
 * Keeps a full-text index of a Drive folder in a file, and serves searches. docs/tutorial-folder-indexer.md explains it.
 *
 *     npx node examples/folder-indexer/indexer.ts [port]
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
// In a project of your own: '@integration-gateway/client'.
import { type FeedChange, type FeedStanding, GatewayClient, ProviderError } from '../../packages/client/src/index.ts';

const FOLDER_TYPE = 'application/vnd.google-apps.folder';
const FIELDS = 'id,name,mimeType,trashed,parents';
const TEXT_CHARACTERS = 100_000;

/** A file or folder as Drive describes it. */
interface DriveFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly trashed: boolean;
  readonly parents?: readonly string[];
}

/** A file or folder in the index; `text` is empty where there is none. */
type Entry = DriveFile & { readonly text: string };

/** Which folder is indexed, and where the index is kept. */
export interface IndexerSettings {
  readonly connectionId: string;
  readonly folderId: string;
  /** Path of the index, a file of JSON. */
  readonly file: string;
}

/** The index of one folder, with everything below it. */
export class FolderIndexer {
  readonly #gateway: GatewayClient;
  readonly #connection: { readonly providerConfigKey: 'google-drive'; readonly connectionId: string };
  readonly #folderId: string;
  readonly #file: string;
  #entries = new Map<string, Entry>();
  /** The last batch that the index contains. */
  #sequence = 0;

  constructor(gateway: GatewayClient, { connectionId, folderId, file }: IndexerSettings) {
    this.#gateway = gateway;
    this.#connection = { providerConfigKey: 'google-drive', connectionId };
    this.#folderId = folderId;
    this.#file = file;
  }

  /** Lists the folder unless the file has an index of it, then follows its changes until the signal. */
  async run(signal: AbortSignal, onState: (feed: FeedStanding) => void): Promise<void> {
    let feed = await this.#gateway.feeds.create({ ...this.#connection, resource: `folder:${this.#folderId}` });
    while (feed.state === 'starting') feed = await this.#gateway.feeds.pull(feed.id);
    if (!this.#load()) {
      await this.#addBelow(this.#folderId);
      this.#save(feed.lastSequence);
    }
    for await (const batch of this.#gateway.feeds.changes(feed.id, { after: this.#sequence, signal, onState })) {
      if (batch.kind === 'gap') {
        this.#entries.clear();
        await this.#addBelow(this.#folderId);
      }
      for (const change of batch.changes) await this.#apply(change);
      this.#save(batch.sequence);
    }
  }

  /** Files whose name or text contains all words. */
  search(words: string): { readonly id: string; readonly name: string }[] {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    return [...this.#entries.values()]
      .filter(({ name, text }) => wanted.every((word) => `${name}\n${text}`.toLowerCase().includes(word)))
      .map(({ id, name }) => ({ id, name }));
  }

  async #addBelow(folderId: string): Promise<void> {
    const files = this.#gateway.items<DriveFile>({
      ...this.#connection,
      endpoint: '/drive/v3/files',
      params: {
        ...{ corpora: 'allDrives', includeItemsFromAllDrives: true, supportsAllDrives: true },
        ...{ q: `'${folderId}' in parents and trashed = false`, fields: `nextPageToken,files(${FIELDS})` },
      },
    });
    for await (const file of files) await this.#add(file, true);
  }

  async #add(file: DriveFile, withContents: boolean): Promise<void> {
    const isNew = !this.#entries.has(file.id);
    if (file.id !== this.#folderId) this.#entries.set(file.id, { ...file, text: await this.#textOf(file) });
    if (file.mimeType === FOLDER_TYPE && (withContents || isNew)) await this.#addBelow(file.id);
  }

  async #apply({ id, removed, subtree }: FeedChange): Promise<void> {
    const file = removed ? undefined : await this.#read(id);
    const isBelow =
      id === this.#folderId ||
      file?.parents?.some((parent) => parent === this.#folderId || this.#entries.has(parent)) === true;
    if (file?.trashed === false && isBelow) await this.#add(file, subtree);
    else this.#drop(id);
  }

  #drop(id: string): void {
    this.#entries.delete(id);
    for (const { id: below, parents } of this.#entries.values()) if (parents?.includes(id)) this.#drop(below);
  }

  async #read(id: string): Promise<DriveFile | undefined> {
    const params = { supportsAllDrives: true, fields: FIELDS };
    return this.#unlessGone(() =>
      this.#gateway.get<DriveFile>({ ...this.#connection, endpoint: `/drive/v3/files/${id}`, params }),
    );
  }

  /** The text of a Google document or a text file. */
  async #textOf({ id, mimeType }: DriveFile): Promise<string> {
    const isDocument = mimeType === 'application/vnd.google-apps.document';
    if (!isDocument && !mimeType.startsWith('text/')) return '';
    const endpoint = `/drive/v3/files/${id}${isDocument ? '/export' : ''}`;
    const params = isDocument ? { mimeType: 'text/plain' } : { alt: 'media', supportsAllDrives: true };
    const text = await this.#unlessGone(() =>
      this.#gateway.get({ ...this.#connection, endpoint, params, responseType: 'text' }),
    );
    return text?.slice(0, TEXT_CHARACTERS) ?? '';
  }

  /** Undefined for a file that was deleted meanwhile: the feed reports that too. */
  async #unlessGone<T>(call: () => Promise<{ readonly data: T }>): Promise<T | undefined> {
    try {
      return (await call()).data;
    } catch (error) {
      if (error instanceof ProviderError && error.status === 404) return undefined;
      throw error;
    }
  }

  #load(): boolean {
    if (!existsSync(this.#file)) return false;
    const { folderId, sequence, entries } = JSON.parse(readFileSync(this.#file, 'utf8'));
    if (folderId !== this.#folderId) return false;
    this.#entries = new Map(entries.map((entry: Entry) => [entry.id, entry]));
    this.#sequence = sequence;
    return true;
  }

  /** Index and position change together, so that a crash repeats a batch and skips none. */
  #save(sequence: number): void {
    this.#sequence = sequence;
    const index = { folderId: this.#folderId, sequence, entries: [...this.#entries.values()] };
    writeFileSync(`${this.#file}.new`, JSON.stringify(index));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/** Serves `GET /search?q=…` as JSON; not yet listening. */
export function searchServer(indexer: FolderIndexer): Server {
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const found = pathname === '/search' ? { files: indexer.search(searchParams.get('q') ?? '') } : undefined;
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { error: 'Ask for /search?q=…' }));
  });
}

if (import.meta.main) {
  const { CONNECTION_ID: connectionId = '', FOLDER_ID: folderId = 'root' } = process.env;
  const indexer = new FolderIndexer(new GatewayClient(), { connectionId, folderId, file: 'folder-index.json' });
  const port = Number(process.argv[2] ?? 4002);
  searchServer(indexer).listen(port, 'localhost', () => console.log(`http://localhost:${port}/search?q=report`));
  await indexer.run(new AbortController().signal, ({ state, explanation, remedy }) => {
    console.log(['Feed:', state, explanation, remedy].filter(Boolean).join(' '));
  });
}
