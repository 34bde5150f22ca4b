import { type ApiMethod, MEDIA } from '../providers/provider.rules.ts';
import type { ProviderRequest } from './api-method.rules.ts';

/** A method that a request may mean. */
export interface FoundMethod {
  /** Id, with `#media` where the request asks for a file's bytes and the method can also answer without them. */
  readonly id: string;
  readonly units: number;
}

/** A place in the tree of paths. */
interface Place {
  /** By their text in lower case: to the provider, spellings that differ only in case may be the same. */
  readonly literals: Map<string, { readonly text: string; readonly place: Place }>;
  /** Behind an id that ends in a verb, such as `:resolve`. */
  readonly verbs: { readonly text: string; readonly place: Place }[];
  /** Behind an id. */
  id: Place | undefined;
  /** By HTTP method. */
  readonly methods: Map<string, ApiMethod>;
}

const newPlace = (): Place => ({ literals: new Map(), verbs: [], id: undefined, methods: new Map() });

/** An id of a pattern. */
const ID = '{}';

/**
 * Headers from which some servers take a method, in addition to the one that the gateway judges itself. Google documents none of
 * them, so a request with one is of no known method.
 */
const OTHER_OVERRIDES = ['x-http-method', 'x-method-override', 'x-method'];

/** Most names differ in length, and comparing lengths is cheaper than lower-casing. */
function isOtherOverride([name]: readonly [name: string, value: string]): boolean {
  return OTHER_OVERRIDES.some((other) => other.length === name.length && other === name.toLowerCase());
}

/** Finds the methods of a provider's API that a request may mean, however it is spelled. */
export class MethodFinder {
  readonly #root = newPlace();
  readonly #dearest: number;

  constructor(methods: readonly ApiMethod[]) {
    for (const method of methods) this.#add(method);
    this.#dearest = methods.reduce((most, [, , , units, media = 0]) => Math.max(most, units, media), 0);
  }

  /**
   * Every method that some reader may take the request for: with its path as it is, decoded as a whole and decoded by segment,
   * each in letters of either case (LK-12). None where it fits no method or hides which one it means.
   */
  find(request: ProviderRequest): readonly FoundMethod[] {
    if (request.headers?.some(isOtherOverride) === true) return [];
    const { target } = request;
    const queryAt = target.indexOf('?');
    const path = queryAt < 0 ? target : target.slice(0, queryAt);
    const query =
      (queryAt < 0 ? '' : target.slice(queryAt + 1)) + (request.form === undefined ? '' : `&${request.form}`);
    // Every request to an upload session belongs to the method that the session was made for.
    const isSession = UPLOAD.test(path) && pairsOf(query, 'upload_id').length > 0;
    const verb = isSession ? 'PUT' : request.method === 'HEAD' ? 'GET' : request.method;
    const found = new Set<ApiMethod>();
    for (const segments of readings(path)) this.#walk(this.#root, segments, 0, verb, found);
    return found.size === 0 ? [] : withMedia(found, query);
  }

  /** Units of a request: of the dearest method that it may mean, or of the provider's dearest where it means none. */
  unitsOf(found: readonly FoundMethod[]): number {
    if (found.length === 0) return this.#dearest;
    return found.reduce((most, { units }) => Math.max(most, units), 0);
  }

  #add(method: ApiMethod): void {
    let place = this.#root;
    for (const segment of method[2].split('/')) place = placeBehind(place, segment);
    place.methods.set(method[1], method);
  }

  /** @returns whether a case-sensitive reader finds a method, too */
  #walk(place: Place, segments: readonly string[], at: number, verb: string, found: Set<ApiMethod>): boolean {
    const segment = segments[at];
    if (segment === undefined) {
      const method = place.methods.get(verb);
      if (method !== undefined) found.add(method);
      return method !== undefined;
    }
    // Only the segment before the path's first slash is empty.
    if (segment === '' && at > 0) return false;
    // A literal beats an id where the letters' case is exact; in other letters either may be meant.
    const literal = place.literals.get(segment.toLowerCase());
    if (literal !== undefined && this.#walk(literal.place, segments, at + 1, verb, found) && literal.text === segment) {
      return true;
    }
    for (const { text, place: behind } of place.verbs) {
      const end = segment.slice(-text.length);
      if (segment.length <= text.length || end.toLowerCase() !== text.toLowerCase()) continue;
      if (this.#walk(behind, segments, at + 1, verb, found) && end === text) return true;
    }
    return place.id !== undefined && this.#walk(place.id, segments, at + 1, verb, found);
  }
}

function placeBehind(place: Place, segment: string): Place {
  if (segment === ID) {
    place.id ??= newPlace();
    return place.id;
  }
  if (segment.startsWith(ID)) {
    const text = segment.slice(ID.length);
    const known = place.verbs.find((verb) => verb.text === text);
    if (known !== undefined) return known.place;
    const added = { text, place: newPlace() };
    place.verbs.push(added);
    return added.place;
  }
  const known = place.literals.get(segment.toLowerCase());
  if (known !== undefined) return known.place;
  const added = { text: segment, place: newPlace() };
  place.literals.set(segment.toLowerCase(), added);
  return added.place;
}

const UPLOAD = /^\/(?:resumable\/)?upload\//i;

/** The segments of a path as readers may see them; none where a reader could see anything, such as with parameters in a segment. */
function readings(path: string): readonly (readonly string[])[] {
  if (path.includes(';')) return [];
  const raw = path.split('/');
  if (!path.includes('%')) return [raw];
  if (/%3b|%5c/i.test(path)) return [];
  if (path.includes('%25')) return readingsOfPercents(raw);
  const whole = decodedUtf8(path);
  // Without an escaped slash both ways of decoding give the same.
  if (whole !== undefined && !/%2f/i.test(path)) return [raw, whole.split('/')];
  const bySegment = raw.map(decodedUtf8);
  return whole === undefined || bySegment.includes(undefined)
    ? []
    : [raw, whole.split('/'), bySegment.map((segment) => segment ?? '')];
}

/**
 * Ids of calendars contain percent signs, such as `nfl_-m-0713r_%4ew+%59ork`, and some readers decode twice. None where a second
 * decoding would split a segment or could be repeated.
 */
function readingsOfPercents(raw: readonly string[]): readonly (readonly string[])[] {
  const once = raw.map(decodedUtf8);
  const twice = once.map((segment) => (segment?.includes('%') === true ? decodedUtf8(segment) : segment));
  const isClear = (segment: string | undefined) => segment !== undefined && !/[/;\\]/.test(segment);
  if (!once.every(isClear) || !twice.every((segment) => isClear(segment) && segment?.includes('%') === false))
    return [];
  return [raw, once.map((segment) => segment ?? ''), twice.map((segment) => segment ?? '')];
}

function decodedUtf8(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Whether the name `alt` may stand in a query, in any encoding. */
const MAY_HAVE_ALT = /(?:a|%[46]1)(?:l|%[46]c)(?:t|%[57]4)/i;

/**
 * Whether the file's bytes are requested is certain only where `alt` occurs once, in its documented spelling; otherwise either
 * may be meant.
 */
function withMedia(found: ReadonlySet<ApiMethod>, query: string): readonly FoundMethod[] {
  const alts = MAY_HAVE_ALT.test(query) ? pairsOf(query, 'alt') : [];
  const asksMedia = alts.some(({ value }) => value.trim().toLowerCase() === 'media');
  const isSure = alts.length === 1 && alts[0]?.key === 'alt' && alts[0].value === 'media';
  const methods: FoundMethod[] = [];
  for (const [id, , , units, mediaUnits] of found) {
    if (mediaUnits === undefined || !asksMedia) methods.push({ id, units });
    else {
      methods.push({ id: id + MEDIA, units: mediaUnits });
      if (!isSure) methods.push({ id, units });
    }
  }
  return methods;
}

/** Pairs of a query under a key in every encoding, in letters of either case, with and without the `$` of Google's system parameters. */
function pairsOf(query: string, name: string): { readonly key: string; readonly value: string }[] {
  const pairs: { key: string; value: string }[] = [];
  for (const pair of query.split(/[&;]/)) {
    const at = pair.indexOf('=');
    const key = decodedAscii(at < 0 ? pair : pair.slice(0, at));
    const plain = key.trim().toLowerCase();
    if (plain === name || plain === `$${name}`)
      pairs.push({ key, value: decodedAscii(at < 0 ? '' : pair.slice(at + 1)) });
  }
  return pairs;
}

/** The names searched for are ASCII; a form writes a space as `+`. */
function decodedAscii(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replace(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
