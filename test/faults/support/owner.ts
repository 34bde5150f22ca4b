import * as z from 'zod';
import type { TestGateway } from '../../support/gateway.ts';
import { control } from '../../support/simulator.ts';
import { HARNESS_HEADER } from './ledger.ts';

const minted = z.object({ access_token: z.string() });
const made = z.object({ id: z.string() });
const file = z.object({ id: z.string(), name: z.string(), trashed: z.boolean(), mimeType: z.string().optional() });
const fileList = z.object({ files: z.array(file), nextPageToken: z.string().optional() });
const changeList = z.object({
  changes: z.array(z.object({ fileId: z.string().optional() })),
  nextPageToken: z.string().optional(),
});
const event = z.object({ id: z.string(), status: z.string(), summary: z.string().optional() });
const eventList = z.object({ items: z.array(event), nextPageToken: z.string().optional() });

const FILE_FIELDS = 'id,name,trashed';
const FOLDER = 'application/vnd.google-apps.folder';
const EVENTS = '/calendar/v3/calendars/primary/events';

/** What can be watched here: files of a Drive, those of shared drives too, those below a folder, events of the first calendar. */
export type WatchedResource = 'drive' | 'drives' | `folder:${string}` | 'calendar:primary';

const ALL_DRIVES = 'corpora=allDrives&includeItemsFromAllDrives=true&supportsAllDrives=true';

/** The owner of a Google account, who changes things alongside the gateway and knows how they are. Nothing of this is on the provider's record. */
export class Owner {
  readonly #gateway: TestGateway;
  readonly #account: string;
  #token: string | undefined;

  constructor(gateway: TestGateway, account: string) {
    this.#gateway = gateway;
    this.#account = account;
  }

  /** Makes a file or an event. @param parent folder or shared drive of a file @returns its id */
  async make(resource: WatchedResource, name: string, parent?: string): Promise<string> {
    if (resource !== 'calendar:primary') {
      const parents = parent === undefined ? {} : { parents: [parent] };
      const body = { name, mimeType: 'text/plain', ...parents };
      return made.parse(await this.#ask('POST', '/drive/v3/files?supportsAllDrives=true', body)).id;
    }
    const start = { dateTime: '2030-01-01T10:00:00Z' };
    const end = { dateTime: '2030-01-01T11:00:00Z' };
    return event.parse(await this.#ask('POST', EVENTS, { summary: name, start, end })).id;
  }

  /** Makes a shared drive. @returns its id */
  async makeDrive(name: string): Promise<string> {
    return made.parse(await this.#ask('POST', `/drive/v3/drives?requestId=${encodeURIComponent(name)}`, { name })).id;
  }

  /** Makes a folder. @returns its id */
  async makeFolder(name: string, parent: string): Promise<string> {
    const body = { name, mimeType: FOLDER, parents: [parent] };
    return made.parse(await this.#ask('POST', '/drive/v3/files', body)).id;
  }

  /** Moves a file or folder of My Drive. */
  async move(id: string, from: string, to: string): Promise<void> {
    await this.#ask('PATCH', `/drive/v3/files/${id}?addParents=${to}&removeParents=${from}`, {});
  }

  async rename(resource: WatchedResource, id: string, name: string): Promise<void> {
    if (resource !== 'calendar:primary')
      await this.#ask('PATCH', `/drive/v3/files/${id}?supportsAllDrives=true`, { name });
    else await this.#ask('PATCH', `${EVENTS}/${id}`, { summary: name });
  }

  async remove(resource: WatchedResource, id: string): Promise<void> {
    const isEvent = resource === 'calendar:primary';
    await this.#ask('DELETE', isEvent ? `${EVENTS}/${id}` : `/drive/v3/files/${id}?supportsAllDrives=true`);
  }

  /** Name of a thing; undefined when it is gone. */
  async look(resource: WatchedResource, id: string): Promise<string | undefined> {
    const isFile = resource !== 'calendar:primary';
    // A feed of the user's own files says nothing of those in shared drives.
    const flag = resource === 'drives' ? '&supportsAllDrives=true' : '';
    const path = isFile ? `/drive/v3/files/${id}?fields=${FILE_FIELDS}${flag}` : `${EVENTS}/${id}`;
    const answer = await this.#send('GET', path);
    if (answer.status === 404 || answer.status === 410) return undefined;
    const body: unknown = await answer.json();
    if (isFile) {
      const found = file.parse(body);
      return found.trashed ? undefined : found.name;
    }
    const found = event.parse(body);
    return found.status === 'cancelled' ? undefined : (found.summary ?? '');
  }

  /** Everything there is: names by id. */
  async list(resource: WatchedResource): Promise<Map<string, string>> {
    if (resource.startsWith('folder:')) return this.#below(resource.slice('folder:'.length));
    const found = new Map<string, string>();
    const fields = encodeURIComponent(`nextPageToken,files(${FILE_FIELDS})`);
    const isFile = resource !== 'calendar:primary';
    const files = `/drive/v3/files?pageSize=1000&fields=${fields}${resource === 'drives' ? `&${ALL_DRIVES}` : ''}`;
    const first = isFile ? files : `${EVENTS}?maxResults=2500`;
    for (let page: string | undefined = ''; page !== undefined; ) {
      const body = await this.#ask('GET', `${first}${page === '' ? '' : `&pageToken=${page}`}`);
      if (isFile) {
        const { files, nextPageToken } = fileList.parse(body);
        for (const { id, name, trashed } of files) if (!trashed) found.set(id, name);
        page = nextPageToken;
      } else {
        const { items, nextPageToken } = eventList.parse(body);
        for (const { id, summary } of items) found.set(id, summary ?? '');
        page = nextPageToken;
      }
    }
    return found;
  }

  async #below(folder: string): Promise<Map<string, string>> {
    const q = encodeURIComponent(`'${folder}' in parents and trashed = false`);
    const body = await this.#ask('GET', `/drive/v3/files?pageSize=1000&fields=files(${FILE_FIELDS},mimeType)&q=${q}`);
    const found = new Map<string, string>();
    for (const { id, name, mimeType } of fileList.parse(body).files) {
      found.set(id, name);
      if (mimeType === FOLDER) for (const [below, its] of await this.#below(id)) found.set(below, its);
    }
    return found;
  }

  /** Ids of the files that Drive itself names as changed since a page token. */
  async changedSince(pageToken: string): Promise<Set<string>> {
    const ids = new Set<string>();
    for (let page: string | undefined = pageToken; page !== undefined; ) {
      const path = `/drive/v3/changes?pageSize=1000&supportsAllDrives=true&includeItemsFromAllDrives=true&pageToken=${page}`;
      const { changes, nextPageToken } = changeList.parse(await this.#ask('GET', path));
      for (const { fileId } of changes) if (fileId !== undefined) ids.add(fileId);
      page = nextPageToken;
    }
    return ids;
  }

  async #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.#send(method, path, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  async #send(method: string, path: string, body?: unknown): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      this.#token ??= minted.parse(
        await control(this.#gateway, 'POST', '/tokens', { account: this.#account }),
      ).access_token;
      const answer = await fetch(`${this.#gateway.gateway.simulatorUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/json',
          [HARNESS_HEADER]: 'owner',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // A row may have ended the account's grants.
      if (answer.status !== 401 || attempt > 0) return answer;
      this.#token = undefined;
    }
  }
}
