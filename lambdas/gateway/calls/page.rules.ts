/**
 * Pages: the sums of the calls of a minute, an hour or a day of an account. A page is a pure function of the lines that calls
 * left in the proxy's log. It is written whole and never added to, so repeated reads and writes leave the same sums (BK-22).
 */
import { PAGE_ITEM_BYTES, SMALL_PAGE_BYTES } from '../core/limits.ts';
import { BACKGROUND_WORK, CALL_CLASSES, type LineClass } from './call-line.rules.ts';

/**
 * The subject of a page's sums. A connection: integration and connection; a project: provider and number, and for the gateway's
 * own calls the work; observed: the key, and the limit that would have refused the calls.
 */
export const PAGE_KINDS = ['integration', 'connection', 'key', 'project', 'observed'] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/** The sums of calls, in the order in which a page keeps them. Milliseconds and bytes are sums; a call is of one class. */
const FIRST_COUNTERS = [...CALL_CLASSES, 'bytesIn', 'bytesOut', 'totalMs', 'refreshed', 'units'] as const;
/**
 * Sums that later versions added, kept behind the last use: a page without them has none. `gatewayFailed` are the 5xx among
 * `gatewayRefused`, `answered` the provider's 2xx.
 */
const LATER_COUNTERS = ['gatewayFailed', 'answered'] as const;
export const PAGE_COUNTERS = [...FIRST_COUNTERS, ...LATER_COUNTERS] as const;
export type PageCounter = (typeof PAGE_COUNTERS)[number];

/** Sums of one integration, connection, key or project. */
export interface PageEntry {
  readonly kind: PageKind;
  readonly ids: readonly string[];
  readonly sums: Readonly<Record<PageCounter, number>>;
  /** When the last of the calls ended, epoch seconds. */
  readonly lastEpochSec: number;
}

/** The calls of an account in a minute, an hour or a day. */
export interface Page {
  /** Calls, which are the lines it was made of. */
  readonly lines: number;
  readonly entries: readonly PageEntry[];
}

/** Sums of the calls of one connection with one key that ended alike, as the log's answer has them. */
export interface CallSums {
  readonly account: string;
  readonly integration: string;
  readonly connection: string;
  readonly key: string;
  readonly provider: string;
  readonly project: string | undefined;
  readonly class: LineClass;
  readonly calls: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly totalMs: number;
  readonly refreshed: number;
  readonly units: number;
  readonly lastEndedAtMs: number;
  /** Whether the status was a 2xx. */
  readonly has2xx?: boolean;
  /** The limit that would have refused the calls, and the method, if their key did not only observe. */
  readonly observed?: string | undefined;
}

/** Takes sums and pages of one account and gives the page of all of them. */
export class PageFold {
  readonly #entries = new Map<string, { entry: Omit<PageEntry, 'sums' | 'lastEpochSec'>; sums: Sums; last: number }>();
  #lines = 0;

  /** Adds the calls of a row of the log's answer. */
  addSums(row: CallSums): void {
    const { bytesIn, bytesOut, totalMs, refreshed, units } = row;
    const isFailure = row.class === 'gatewayFailed';
    const counted = isFailure ? 'gatewayRefused' : row.class;
    const gatewayFailed = isFailure ? row.calls : 0;
    const isAnswered = row.has2xx === true && (row.class === 'ok' || row.class === 'brokenOff');
    const answered = isAnswered ? row.calls : 0;
    const sums = {
      ...NOTHING,
      [counted]: row.calls,
      gatewayFailed,
      answered,
      bytesIn,
      bytesOut,
      totalMs,
      refreshed,
      units,
    };
    const last = Math.floor(row.lastEndedAtMs / 1000);
    this.#lines += row.calls;
    if (row.project !== undefined) this.#add('project', [row.provider, row.project], sums, last);
    // Background calls count against the project's quota but belong to no key.
    if (BACKGROUND_WORK.some((work) => work === row.key)) {
      if (row.project !== undefined) this.#add('project', [row.provider, row.project, row.key], sums, last);
      return;
    }
    this.#add('integration', [row.integration], sums, last);
    this.#add('connection', [row.integration, row.connection], sums, last);
    this.#add('key', [row.key], sums, last);
    if (row.observed !== undefined) this.#add('observed', [row.key, row.observed], sums, last);
  }

  /** Adds the calls of a page of a shorter time. */
  addPage(page: Page): void {
    this.#lines += page.lines;
    this.addEntries(page.entries);
  }

  /** Adds sums of a page whose calls are counted already. */
  addEntries(entries: readonly PageEntry[]): void {
    for (const { kind, ids, sums, lastEpochSec } of entries) this.#add(kind, ids, sums, lastEpochSec);
  }

  /** Calls of all that was added. */
  get lines(): number {
    return this.#lines;
  }

  /** The page of all that was added. */
  page(): Page {
    const entries = [...this.#entries.values()].map(({ entry, sums, last }) => ({
      ...entry,
      sums,
      lastEpochSec: last,
    }));
    return { lines: this.#lines, entries };
  }

  #add(kind: PageKind, ids: readonly string[], added: Readonly<Sums>, last: number): void {
    const id = JSON.stringify([kind, ids]);
    const known = this.#entries.get(id);
    if (known === undefined) {
      this.#entries.set(id, { entry: { kind, ids }, sums: { ...added }, last });
      return;
    }
    for (const name of PAGE_COUNTERS) known.sums[name] += added[name];
    known.last = Math.max(known.last, last);
  }
}

type Sums = Record<PageCounter, number>;

const NOTHING: Readonly<Sums> = {
  ok: 0,
  providerRefused: 0,
  providerFailed: 0,
  rateLimited: 0,
  gatewayRefused: 0,
  brokenOff: 0,
  bytesIn: 0,
  bytesOut: 0,
  totalMs: 0,
  refreshed: 0,
  units: 0,
  gatewayFailed: 0,
  answered: 0,
};

/** The page of pages of shorter times. */
export function foldPages(pages: readonly Page[]): Page {
  const fold = new PageFold();
  for (const page of pages) fold.addPage(page);
  return fold.page();
}

/** The calls of an entry. */
export function callsOf({ sums }: PageEntry): number {
  const { ok, providerRefused, providerFailed, rateLimited, gatewayRefused, brokenOff } = sums;
  return ok + providerRefused + providerFailed + rateLimited + gatewayRefused + brokenOff;
}

/** Minutes make hours, hours make days. */
export const PAGE_LEVELS = ['minute', 'hour', 'day'] as const;
export type PageLevel = (typeof PAGE_LEVELS)[number];

/** Length of a page's time in milliseconds. */
export const LEVEL_MS: Readonly<Record<PageLevel, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The start of the minute, hour or day that a moment is in, UTC. */
export function startOf(level: PageLevel, ms: number): number {
  return Math.floor(ms / LEVEL_MS[level]) * LEVEL_MS[level];
}

/** Which page of an account. */
export interface PageTime {
  readonly level: PageLevel;
  readonly startMs: number;
}

/** Partition and sort key: the minutes of an hour share a partition, the hours of a day, the days of a month. */
export function placeOf({ level, startMs }: PageTime): { readonly partition: string; readonly place: string } {
  const iso = new Date(startMs).toISOString();
  switch (level) {
    case 'minute':
      return { partition: iso.slice(0, 13), place: iso.slice(14, 16) };
    case 'hour':
      return { partition: iso.slice(0, 10), place: iso.slice(11, 13) };
    case 'day':
      return { partition: iso.slice(0, 7), place: iso.slice(8, 10) };
  }
}

/** The start of the page at a place of a partition. */
export function startAt(level: PageLevel, partition: string, place: string): number {
  if (level === 'minute') return Date.parse(`${partition}:${place}:00Z`);
  return level === 'hour' ? Date.parse(`${partition}T${place}:00:00Z`) : Date.parse(`${partition}-${place}T00:00:00Z`);
}

/** How a page is divided into items: the first holds sums by integration, key and project, the others those of connections. */
export interface PageParts {
  /** Items that the sums by integration, key and project take, the head not counted; 0: they are in it. */
  readonly sumShards: number;
  /** Items that the sums of connections take; 0: they are in the head. */
  readonly connectionShards: number;
}

/** One item of a page. */
export interface PagePart {
  readonly of: 'head' | 'sums' | 'connections';
  readonly shard: number;
  readonly entries: readonly PageEntry[];
}

/**
 * Divides a page into items of about 40 KB at most, each connection in the item given by its ids' hash. The head is the last, so
 * a reader that finds it finds all others.
 */
export function partsOf(page: Page, level: PageLevel): { readonly counts: PageParts; readonly parts: PagePart[] } {
  const connections = page.entries.filter(({ kind }) => kind === 'connection');
  const others = page.entries.filter(({ kind }) => kind !== 'connection');
  const bytes = encodedBytes(page.entries);
  // Connections of a day have a shorter retention than its other sums, so they have items of their own.
  if (bytes <= SMALL_PAGE_BYTES && level !== 'day') {
    return {
      counts: { sumShards: 0, connectionShards: 0 },
      parts: [{ of: 'head', shard: 0, entries: page.entries }],
    };
  }
  const inHead = encodedBytes(others) <= PAGE_ITEM_BYTES;
  const sums = inHead ? [] : divided(others);
  const shards = connections.length === 0 ? [] : divided(connections);
  return {
    counts: { sumShards: sums.length, connectionShards: shards.length },
    parts: [
      ...shards.map((entries, shard) => ({ of: 'connections' as const, shard, entries })),
      ...sums.map((entries, shard) => ({ of: 'sums' as const, shard, entries })),
      { of: 'head', shard: 0, entries: inHead ? others : [] },
    ],
  };
}

/** The item of a page, out of so many, that holds an entry: with twice as many items, each one divides into two. */
export function shardOf(ids: readonly string[], shards: number): number {
  let hash = 0x811c9dc5;
  const text = ids.join('\n');
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % shards;
}

function divided(entries: readonly PageEntry[]): PageEntry[][] {
  const bytes = encodedBytes(entries);
  for (let count = 1; ; count *= 2) {
    // Doubled until the largest item fits; entries that share one hash cannot be separated, so the doubling ends.
    const isLast = count > entries.length;
    if (bytes / count > PAGE_ITEM_BYTES && !isLast) continue;
    const shards: PageEntry[][] = Array.from({ length: count }, () => []);
    for (const entry of entries) shards[shardOf(entry.ids, count)]?.push(entry);
    if (isLast || shards.every((one) => encodedBytes(one) <= PAGE_ITEM_BYTES)) return shards;
  }
}

/** Bytes of entries as an item keeps them, to within a few. */
export function encodedBytes(entries: readonly PageEntry[]): number {
  return entries.reduce((sum, { ids, ...entry }) => {
    const id = Buffer.byteLength(JSON.stringify(ids.at(-1)));
    return sum + id + encodedSums(entry).length + 4;
  }, 60);
}

const LETTERS: Readonly<Record<PageKind, string>> = {
  integration: 'i',
  connection: 'c',
  key: 'k',
  project: 'p',
  observed: 'o',
};

/** Sums and last use in base 36, zeros left out, between dots. */
function encodedSums({ sums, lastEpochSec }: Pick<PageEntry, 'sums' | 'lastEpochSec'>): string {
  const later = LATER_COUNTERS.map((name) => sums[name]);
  while (later.at(-1) === 0) later.pop();
  const numbers = [...FIRST_COUNTERS.map((name) => sums[name]), lastEpochSec, ...later];
  return numbers.map((value) => (value === 0 ? '' : value.toString(36))).join('.');
}

/** Entries as text, about 65 bytes each: grouped by kind and the common part of their ids, then id and sums in turn. */
export function encodeEntries(entries: readonly PageEntry[]): string {
  const groups = Map.groupBy(entries, ({ kind, ids }) => JSON.stringify([LETTERS[kind], ...ids.slice(0, -1)]));
  return JSON.stringify(
    [...groups].map(([group, own]) => [
      JSON.parse(group),
      own.flatMap((entry) => [entry.ids.at(-1) ?? '', encodedSums(entry)]),
    ]),
  );
}

/** Reads them back; undefined for a text of another form. */
export function decodeEntries(text: string): PageEntry[] | undefined {
  let groups: unknown;
  try {
    groups = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(groups)) return undefined;
  const entries = groups.flatMap(decodedGroup);
  return entries.every((one) => one !== undefined) ? entries : undefined;
}

function decodedGroup(group: unknown): (PageEntry | undefined)[] {
  const [head, list]: unknown[] = Array.isArray(group) ? group : [];
  const [letter, ...shared] = texts(head) ?? [];
  const kind = PAGE_KINDS.find((one) => LETTERS[one] === letter);
  const own = texts(list);
  if (kind === undefined || own === undefined || own.length % 2 !== 0) return [undefined];
  return Array.from({ length: own.length / 2 }, (_, at) => {
    const numbers = (own[2 * at + 1] ?? '')
      .split('.')
      .map((digits) => (digits === '' ? 0 : Number.parseInt(digits, 36)));
    const first = FIRST_COUNTERS.length;
    if (numbers.length <= first || !numbers.every(Number.isSafeInteger)) return undefined;
    const sums: Sums = { ...NOTHING };
    for (const [place, name] of FIRST_COUNTERS.entries()) sums[name] = numbers[place] ?? 0;
    for (const [place, name] of LATER_COUNTERS.entries()) sums[name] = numbers[first + 1 + place] ?? 0;
    return { kind, ids: [...shared, own[2 * at] ?? ''], sums, lastEpochSec: numbers[first] ?? 0 };
  });
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;
}
