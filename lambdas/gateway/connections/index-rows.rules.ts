import { type ConnectionRef, connectionRefKey, dueShardOf, type ListName, listSortKey } from '../core/identifiers.ts';
import {
  LISTED_NAME_MAX_LENGTH,
  SEARCH_BUCKET_MAX_LENGTH,
  SEARCH_BUCKETS,
  SEARCH_SHARDS,
  SEARCH_TEXT_MAX_LENGTH,
  SEARCH_WORDS_MAX,
} from '../core/limits.ts';
import { type Connection, type ConnectionFilter, type ConnectionSummary, END_USER_TAG } from './connection.rules.ts';

/** The rows for finding a connection: its entry in the search index and its places in lists. */

/** The searchable members of a connection. */
export type Searchable = Pick<Connection, 'connectionId' | 'endUser' | 'providerAccount' | 'tags'>;

/** A search result: the connection and the compared text. */
export interface FoundConnection extends ConnectionRef {
  /** The larger, the newer. */
  readonly numericId: number;
  /** Folded, one line for each member; the first line is the end user's. */
  readonly text: string;
}

/** Current version of folding; a walk rewrites entries of versions that folded otherwise. */
export const SEARCH_FOLD = 2;

/**
 * Letters that Unicode does not decompose, as typed by people without them on their keyboard (CLDR transliteration Latin-ASCII), and
 * quotes, apostrophes and dashes as inserted by word processors.
 */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ŧ: 't', ŋ: 'ng', ĸ: 'k' },
  ...{ ƀ: 'b', ƶ: 'z', ɨ: 'i', ɫ: 'l', ə: 'e', ǝ: 'e', ɖ: 'd', ɗ: 'd', ɓ: 'b', ƙ: 'k', ɲ: 'n', ʉ: 'u', ɵ: 'o' },
  ...{ '‘': "'", '’': "'", '‚': "'", '‛': "'", '′': "'", ʹ: "'", ʻ: "'", ʼ: "'", ʽ: "'", ʾ: "'", ʿ: "'", '`': "'" },
  ...{ '“': '"', '”': '"', '„': '"', '‟': '"', '«': '"', '»': '"', '‹': "'", '›': "'" },
  ...{ '‐': '-', '‒': '-', '–': '-', '—': '-', '―': '-', '−': '-' },
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

/** Folds text from versions before `SEARCH_FOLD` 2. @param text folded by any version */
function foldedLetters(text: string): string {
  return text.replace(LETTER, (letter) => LETTERS[letter] ?? letter);
}

/**
 * A text as searches compare it: without case, accents and kinds of white space, and with similar letters made equal. A part of a text
 * remains a part of it after folding, whatever surrounds it.
 */
export function folded(text: string): string {
  return foldedLetters(foldedByUnicode(text));
}

/**
 * Without case, accents and kinds of white space, and with compatible letters made equal (Unicode Standard Annex #15, NFKD): the
 * folding of versions before `SEARCH_FOLD` 2, and of places in the list by name.
 */
function foldedByUnicode(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      .normalize('NFKD')
      // The only letter whose lower case depends on its neighbours.
      .replaceAll('ς', 'σ')
      .replace(/\p{M}/gu, '')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
  );
}

/**
 * The text that a search compares, one line each: first the end user, then organization, provider account, id and tags as `key=value`.
 * Tags that repeat another line are left out, and so is text beyond the limit.
 */
export function searchText(connection: Searchable): string {
  const known = new Set(linesOf(connection).map(folded));
  for (const [key, value] of [...Object.entries(connection.endUser?.tags ?? {}), ...Object.entries(connection.tags)]) {
    if (!known.has(folded(value))) known.add(`${folded(key)}=${folded(value)}`);
  }
  return [...known].join('\n').slice(0, SEARCH_TEXT_MAX_LENGTH).toWellFormed();
}

/** The members that have lines of their own, unchanged; blank ones are left out. */
function linesOf({ connectionId, endUser, providerAccount }: Searchable): string[] {
  const organization = endUser?.organization;
  return [
    endUser?.displayName,
    endUser?.email,
    endUser?.id,
    organization?.displayName,
    organization?.id,
    providerAccount?.email,
    connectionId,
  ].flatMap((line) => (line === null || line === undefined || folded(line) === '' ? [] : [line]));
}

/** The words of a search, folded; a connection matches when its text contains each of them, in any order. */
export function searchWords(query: string): string[] {
  return [...new Set(splitWords(query).map(foldedLetters))].slice(0, SEARCH_WORDS_MAX);
}

/** Each word of a search in the forms that entries may contain: this version's, and earlier ones where they differ. */
export function searchForms(query: string): string[][] {
  const typed = splitWords(query);
  return searchWords(query).map((word) => [
    ...new Set([word, ...typed.filter((earlier) => foldedLetters(earlier) === word)]),
  ]);
}

function splitWords(query: string): string[] {
  return foldedByUnicode(query)
    .split(' ')
    .filter((word) => word !== '');
}

/** Whether a text holds every word. */
export function holdsWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/**
 * How well a text matches the words, higher is better. A line equal to the search counts most, then one that begins with it, then a
 * word that begins with one of the words, then any part. The first line, the person's name, counts double.
 */
export function matchScore(text: string, words: readonly string[]): number {
  const phrase = words.join(' ');
  let score = 0;
  for (const [i, line] of text.split('\n').entries()) {
    const weight = i === 0 ? 2 : 1;
    if (line === phrase) score += 1000 * weight;
    else if (line.startsWith(phrase)) score += 200 * weight;
    for (const word of words) {
      const at = line.indexOf(word);
      if (at === 0) score += 20 * weight;
      else if (at > 0) score += (/[\p{L}\p{N}]/u.test(line.charAt(at - 1)) ? 1 : 10) * weight;
    }
  }
  return score;
}

/** The part of the search index that a connection's entry is in. */
export function searchBucketOf(ref: ConnectionRef): { readonly shard: number; readonly bucket: number } {
  const bucket = dueShardOf(ref, SEARCH_BUCKETS);
  return { shard: bucket % SEARCH_SHARDS, bucket };
}

/** A connection's line in a bucket's text: identity, number and the lines of its search text, separated by tabs. */
export function searchEntry(connection: ConnectionRef & Searchable & { readonly numericId: number }): string {
  const lines = searchText(connection).replaceAll('\n', '\t');
  return `${connectionRefKey(connection)}\t${connection.numericId}\t${lines}`;
}

/**
 * A bucket's text with the entry of one connection added, replaced or removed.
 *
 * @param entry see `searchEntry`; undefined removes it
 * @returns undefined where nothing changes, or the bucket has no room for it
 */
export function withEntry(bucket: string, ref: ConnectionRef, entry: string | undefined): string | undefined {
  const prefix = `${connectionRefKey(ref)}\t`;
  const others = bucket.split('\n').filter((line) => line !== '' && !line.startsWith(prefix));
  const wanted = entry === undefined ? others : [...others, entry];
  const text = wanted.toSorted().join('\n');
  if (text === bucket.split('\n').toSorted().join('\n')) return undefined;
  if (text.length <= SEARCH_BUCKET_MAX_LENGTH) return text;
  // Without room for the new entry, no entry is better than one with the old name.
  const without = others.join('\n');
  return without === bucket ? undefined : without;
}

/** A connection's place in an order by name: the name, then its number, which grows with time. */
export type IndexPlace = readonly [name: string, number: string];

/** Which part of an order is wanted. */
export interface IndexOrder {
  /** undefined = all */
  readonly integrationIds: readonly string[] | undefined;
  readonly isDescending: boolean;
  /** Begins behind this place. */
  readonly after: IndexPlace | undefined;
  readonly count: number;
}

/** A connection at its place in an order. */
export interface PlacedConnection extends ConnectionRef {
  readonly place: IndexPlace;
}

/** Which of two places comes first: negative, 0, positive. */
function comparePlaces([a, aTie]: IndexPlace, [b, bTie]: IndexPlace): number {
  if (a !== b) return a < b ? -1 : 1;
  return aTie === bTie ? 0 : aTie < bTie ? -1 : 1;
}

/** The connection of a bucket's line, and its place in an order. */
export interface PlacedLine {
  readonly key: string;
  readonly place: IndexPlace;
}

/** The first `count` lines in an order. Processes one at a time and drops lines that cannot be among them. */
export function firstLines({ after, count, isDescending }: Pick<IndexOrder, 'after' | 'count' | 'isDescending'>) {
  const sign = isDescending ? -1 : 1;
  const compare = (a: PlacedLine, b: PlacedLine) => sign * comparePlaces(a.place, b.place);
  let kept: PlacedLine[] = [];
  let last: PlacedLine | undefined;
  const first = () => kept.sort(compare).slice(0, count);
  return {
    take(line: PlacedLine): void {
      if (after !== undefined && sign * comparePlaces(line.place, after) <= 0) return;
      if (last !== undefined && compare(line, last) >= 0) return;
      kept.push(line);
      if (kept.length < 2 * count + LINES_KEPT) return;
      kept = first();
      last = kept.at(-1);
    },
    end: (): readonly PlacedLine[] => first(),
  };
}

/** Lines kept beyond the wanted ones before they are sorted: sorting few at a time costs more. */
const LINES_KEPT = 1_000;

/** The lines of a bucket with their places, without those of other integrations. */
export function* placedLines(bucket: string, integrationIds: readonly string[] | undefined): Generator<PlacedLine> {
  const wanted = integrationIds?.map((id) => `#${encodeURIComponent(id)}#`);
  for (const line of bucket.split('\n')) {
    const keyEnd = line.indexOf('\t');
    const numberEnd = line.indexOf('\t', keyEnd + 1);
    if (numberEnd < 0) continue;
    const key = line.slice(0, keyEnd);
    if (wanted?.some((part) => key.includes(part)) === false) continue;
    const nameEnd = line.indexOf('\t', numberEnd + 1);
    const name = line.slice(numberEnd + 1, nameEnd < 0 ? line.length : nameEnd);
    yield { key, place: [name, placeNumber(line.slice(keyEnd + 1, numberEnd))] };
  }
}

/** A connection's number as texts are ordered. */
export function placeNumber(numericId: string): string {
  return numericId.padStart(NUMBER_LENGTH, '0');
}

/** Digits of the largest number of a connection. */
const NUMBER_LENGTH = 16;

/** The connection of a line. */
export function refOfLine(key: string): ConnectionRef | undefined {
  const [accountId, integrationId, connectionId] = key.split('#');
  if (accountId === undefined || integrationId === undefined || connectionId === undefined) return undefined;
  return {
    accountId: decodeURIComponent(accountId),
    integrationId: decodeURIComponent(integrationId),
    connectionId: decodeURIComponent(connectionId),
  };
}

/** Whether a bucket's text has an entry of a connection, folded as entries are now. */
export function hasEntry(bucket: string, ref: ConnectionRef): boolean {
  const start = `\n${bucket}`.indexOf(`\n${connectionRefKey(ref)}\t`);
  if (start < 0) return false;
  const end = bucket.indexOf('\n', start);
  const entry = bucket.slice(start, end < 0 ? bucket.length : end);
  return entry === foldedLetters(entry);
}

/** The connections of a bucket whose text contains every word. */
export function entriesWith(bucket: string, words: readonly string[]): FoundConnection[] {
  return bucket.split('\n').flatMap((line) => {
    const [key = '', number = '', ...lines] = line.split('\t');
    const text = foldedLetters(lines.join('\n'));
    if (!holdsWords(text, words)) return [];
    const ref = refOfLine(key);
    return ref === undefined ? [] : [{ ...ref, numericId: Number(number), text }];
  });
}

/** A connection's row in a list. */
export interface ListedRow {
  readonly list: ListName;
  /** Sort key: the connection's place in the list. */
  readonly place: string;
}

/** The members of a connection that determine its rows. */
export type ListedSubject = Pick<
  ConnectionSummary,
  | 'integrationId'
  | 'connectionId'
  | 'status'
  | 'cause'
  | 'callFault'
  | 'endUser'
  | 'providerAccount'
  | 'tags'
  | 'numericId'
  | 'position'
> &
  Pick<Connection, 'tokenPrints'>;

/** The members of a connection that determine its rows. */
export function listedSubject(connection: Connection): ListedSubject {
  return { ...connection, cause: connection.death?.cause, position: listSortKey(connection) };
}

/** The rows of a connection that is not deleted: by its owner, and for one that does not work by reason. */
export function listedRowsOf(connection: ListedSubject): ListedRow[] {
  const { status, integrationId, endUser, providerAccount, tags, position, tokenPrints } = connection;
  if (status === 'deleted') return [];
  const organization = endUser?.organization?.id;
  const inOrder = (kind: ListName['kind'], value: string): ListedRow => ({ list: { kind, value }, place: position });
  return [
    inOrder('INTEGRATION', integrationId),
    ...(endUser === undefined ? [] : [inOrder('END_USER', endUser.id)]),
    ...(organization === undefined ? [] : [inOrder('ORGANIZATION', organization)]),
    ...Object.entries(tags).map((tag) => inOrder('TAG', tagValue(tag))),
    ...(status === 'active' ? [] : deadRowsOf(connection.cause, position, providerAccount?.subject)),
    ...(connection.callFault === undefined ? [] : [failingRowOf(position)]),
    ...(tokenPrints === undefined
      ? []
      : tokenPrints.split(' ').map((print) => ({ list: ofToken(print), place: position }))),
    { list: BY_NAME, place: namePlace(connection) },
  ];
}

/**
 * The additional rows of a dead connection.
 *
 * @param cause undefined where none is known
 * @param subject of the account behind it; undefined where the account is unknown
 */
export function deadRowsOf(cause: string | undefined, position: string, subject?: string): ListedRow[] {
  const lists: readonly ListName[] = [
    DEAD,
    ...(cause === undefined ? [] : [{ kind: 'CAUSE', value: cause } as const]),
    ...(subject === undefined ? [] : [deadOfAccount(subject)]),
  ];
  return lists.map((list) => ({ list, place: position }));
}

/** The row that a connection has while the provider refuses its calls. */
export function failingRowOf(position: string): ListedRow {
  return { list: { kind: 'FAILING', value: '' }, place: position };
}

/** No key of a tag has an equals sign. */
function tagValue([key, value]: readonly [key: string, value: string]): string {
  return `${key}=${value}`;
}

/** Dead connections of one provider account, which are not in the index of live grants: the provider's statements may concern them. */
export function deadOfAccount(subject: string): ListName {
  return { kind: 'DEAD_ACCOUNT', value: subject };
}

/** Connections whose refresh token has this index key. @param print one of `tokenPrints` */
export function ofToken(print: string): ListName {
  return { kind: 'TOKEN', value: print };
}

export const DEAD: ListName = { kind: 'DEAD', value: '' };
export const BY_NAME: ListName = { kind: 'NAME', value: '' };

/** Lists that together contain all connections of an end user; the second one may also contain those of others. */
export function listsOfEndUser(endUserId: string): readonly ListName[] {
  return [
    { kind: 'END_USER', value: endUserId },
    { kind: 'TAG', value: tagValue([END_USER_TAG, endUserId]) },
  ];
}

/** Lists that together contain all matches of a filter, and whether they contain only matches. */
export interface ListsOfFilter {
  readonly lists: readonly ListName[];
  readonly isExact: boolean;
}

/** The lists to read for a filter: its shortest one. Undefined where the filter names nothing that has a list. */
export function listsOf({ integrationIds, ...others }: ConnectionFilter): ListsOfFilter | undefined {
  const { status, cause, isFailing, endUserId, organizationId, connectionId, tags } = others;
  const isDead = status === undefined || status === 'reauthorization_required';
  const [tag, ...otherTags] = Object.entries(tags ?? {});
  const more = [isFailing, connectionId, ...otherTags].some((one) => one !== undefined);
  const of = (kind: ListName['kind'], value: string, ...unheld: readonly unknown[]): ListsOfFilter => ({
    lists: [{ kind, value }],
    isExact: !more && unheld.every((one) => one === undefined),
  });
  if (endUserId !== undefined) return { lists: listsOfEndUser(endUserId), isExact: false };
  if (cause !== undefined && isDead) return of('CAUSE', cause, organizationId, tag);
  // A cause in a filter is combined with the status of connections that have none.
  if (organizationId !== undefined) return of('ORGANIZATION', organizationId, status, tag);
  if (isFailing === true) return of('FAILING', '');
  if (tag !== undefined) return of('TAG', tagValue(tag), status);
  if (status === 'reauthorization_required') return of('DEAD', '');
  if (integrationIds === undefined) return undefined;
  const lists = integrationIds.map((value) => ({ kind: 'INTEGRATION', value }) as const);
  return { lists, isExact: !more && status === undefined };
}

/** Characters below a blank separate a name from the number, so that a name comes before its continuations. */
const NAME_END = '\t';

/** Place in the list by name. Its folding never changes, because a row written under another place would never be removed. */
function namePlace(connection: ListedSubject): string {
  const name = foldedByUnicode(linesOf(connection)[0] ?? '');
  return placeOfName([name, placeNumber(String(connection.numericId))]);
}

/** A place in an order by name, as stored in the list. A character cut in two by the limit cannot be stored: its half is replaced. */
export function placeOfName([name, number]: IndexPlace): string {
  return `${name.slice(0, LISTED_NAME_MAX_LENGTH).toWellFormed()}${NAME_END}${number}`;
}

/** The same read back. */
export function nameOfPlace(place: string): IndexPlace {
  const end = place.lastIndexOf(NAME_END);
  return [place.slice(0, end), place.slice(end + 1)];
}
