import { type FindConnectionDependencies, findConnection } from '../../gateway/connections/find-connection.ts';
import { GatewayError, isGatewayError } from '../../gateway/core/errors.ts';
import { type ConnectionRef, connectionRefKey, timeOfUlid, ulid } from '../../gateway/core/identifiers.ts';
import type { Random } from '../../gateway/core/ports.ts';
import { newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import type { AuditTrail } from '../../gateway/events/ports.ts';
import type {
  Found,
  Inverses,
  Irreversible,
  JsonObject,
  ObjectKind,
  ObjectRef,
} from '../../gateway/providers/inverse.rules.ts';
import { objectsOf } from '../../gateway/providers/inverse.rules.ts';
import type { ProviderId, Providers } from '../../gateway/providers/provider.rules.ts';
import { plannedToolCall, toolMethod } from '../../gateway/server-tools/tool-inverses.rules.ts';
import { deadConnection } from '../../gateway/tokens/access-tokens.ts';
import {
  CallAsUser,
  CallToolsAsUser,
  type CallToolsDependencies,
  type FoundConnection,
  ProviderUnavailable,
  type Refusal,
  type UndoCaller,
} from './call-as-user.ts';
import {
  type Change,
  changeContext,
  differencesOf,
  isAsLeft,
  isRestored,
  isThere,
  type Left,
  leftBy,
  leftContext,
  mayBeRestored,
  objectPrint,
  obstacleOf,
  type ShownChange,
  shownChanges,
} from './change.rules.ts';
import { JOURNAL_ROWS_AT_ONCE, UNDO_BUDGET_MS, UNDO_LOCK_SEC, UNDO_ROWS_MAX } from './limits.rules.ts';
import type { JournalRange, JournalRow, JournalStore } from './ports.ts';
import { readWrite } from './read-write.rules.ts';

export interface UndoDependencies extends CallToolsDependencies, FindConnectionDependencies {
  readonly journal: JournalStore;
  readonly inverses: Readonly<Partial<Record<ProviderId, Inverses>>>;
  /** Of connections whose writes go through the provider's MCP server. */
  readonly toolInverses: Readonly<Partial<Record<ProviderId, Inverses>>>;
  readonly providers: Providers;
  readonly random: Random;
  readonly audit: AuditTrail;
}

/** The writes to undo. */
export interface UndoWish extends Pick<JournalRange, 'of' | 'fromMs' | 'untilMs'> {
  /** Id of a single row to undo; undefined: all of the range. */
  readonly only?: string | undefined;
  /** Look and compare, and change nothing. */
  readonly dryRun: boolean;
  /** Where an earlier request stopped. */
  readonly from: UndoPosition | undefined;
}

/** Where an undo stopped. */
export interface UndoPosition {
  /** The last row that was looked at. */
  readonly before: string;
  /** Objects that are not touched. */
  readonly leftAlone: readonly string[];
}

/** A write of the journal, without its contents. */
export interface ReportedWrite {
  readonly row: JournalRow;
  readonly object: ObjectRef | undefined;
  /** What it changed, where a dry run looks at one write; null where that is not known. */
  readonly changes?: readonly ShownChange[] | null | undefined;
}

/** A write whose object has been changed since by others. */
export interface Conflict extends ReportedWrite {
  readonly now: {
    readonly exists: boolean;
    /** Version or etag. */
    readonly version: string | undefined;
    /** Members that differ from the state left; empty where only the version differs. */
    readonly differs: readonly string[];
  };
}

export interface UndoReport {
  readonly undone: readonly ReportedWrite[];
  readonly conflicts: readonly Conflict[];
  readonly notUndoable: readonly (ReportedWrite & { readonly reason: Irreversible })[];
  /** Undefined at the end of the range. */
  readonly next: UndoPosition | undefined;
}

/** A connection that an undo works on. */
interface Site extends FoundConnection {
  readonly inverses: Inverses;
  readonly caller: UndoCaller;
  /** States of objects that this run has restored, or would have. */
  readonly lefts: Map<string, Left | 'assumed'>;
  /** Objects that a dry run would have deleted. */
  readonly removed: Set<string>;
  /** States that a dry run would have found, by object. */
  readonly found: Map<string, JsonObject | null>;
  readonly counts: { undone: number; conflicts: number; notUndoable: number };
}

type Outcome =
  | { readonly kind: 'skipped' }
  | { readonly kind: 'undone'; readonly object: ObjectRef }
  | { readonly kind: 'conflict'; readonly object: ObjectRef; readonly now: Conflict['now'] }
  | { readonly kind: 'not_undoable'; readonly object: ObjectRef | undefined; readonly reason: Irreversible };

const SKIPPED: Outcome = { kind: 'skipped' };
const NO_INVERSES: Inverses = { methods: {}, kinds: {}, restReasons: /^$/ };
/** Bytes of an object's print, in a position: enough to distinguish the objects of one undo. */
const PRINT_LENGTH = 12;

/**
 * Undoes writes of the journal, newest first, as far as their objects are still as the writes left them (AP-21). Each object's rows are
 * a chain: once somebody else's change is met, the object is left alone.
 *
 * Every step may be the last one: the work left is derived from what is there, so that an undo that is repeated finishes the one
 * before and does nothing twice.
 *
 *   read the object ── as before the write? ─ yes ──────────────────────────┐
 *          │ no                                                             │
 *   as the write left it? ─ no ─ conflict                                   │
 *          │ yes                                                            │
 *   send the way back (with If-Match where there is an etag), read again ── note all at once: undone, left, by which write
 *
 * @throws GatewayError `unknown_connection`, `reauthorization_required` for a connection that is named; `conflict` while another undo
 *   runs on it; `service_unavailable` where the provider does not answer and nothing was done
 */
export async function undoChanges(
  deps: UndoDependencies,
  wish: UndoWish,
  request: { readonly requestId: string; readonly actor: string },
): Promise<UndoReport> {
  const run = new Undo(deps, wish, request);
  try {
    return await run.all();
  } finally {
    await run.end();
  }
}

class Undo {
  readonly #deps: UndoDependencies;
  readonly #wish: UndoWish;
  readonly #request: { readonly requestId: string; readonly actor: string };
  readonly #owner: string;
  readonly #deadlineMs: number;
  readonly #sites = new Map<string, Site | 'no_access'>();
  readonly #locked: ConnectionRef[] = [];
  readonly #leftAlone: Set<string>;
  readonly #undone: ReportedWrite[] = [];
  readonly #conflicts: Conflict[] = [];
  readonly #notUndoable: (ReportedWrite & { readonly reason: Irreversible })[] = [];
  #before: string | undefined;

  constructor(deps: UndoDependencies, wish: UndoWish, request: { readonly requestId: string; readonly actor: string }) {
    this.#deps = deps;
    this.#wish = wish;
    this.#request = request;
    this.#owner = ulid(deps.clock.nowMs(), deps.random.bytes(10));
    this.#deadlineMs = deps.clock.nowMs() + UNDO_BUDGET_MS;
    this.#before = wish.from?.before;
    this.#leftAlone = new Set(wish.from?.leftAlone ?? []);
  }

  async all(): Promise<UndoReport> {
    const { of, fromMs, untilMs } = this.#wish;
    if (!('keyId' in of)) await this.#siteOf(of);
    for (let looked = 0; looked < UNDO_ROWS_MAX; ) {
      const range = { of, fromMs, untilMs, before: this.#before };
      const rows = await this.#deps.journal.page(range, JOURNAL_ROWS_AT_ONCE);
      for (const row of rows) {
        if (this.#deps.clock.nowMs() >= this.#deadlineMs || looked >= UNDO_ROWS_MAX) return this.#report(true);
        if (!(await this.#row(row))) return this.#report(true);
        this.#before = row.rowId;
        looked++;
      }
      if (rows.length < JOURNAL_ROWS_AT_ONCE) return this.#report(false);
    }
    return this.#report(true);
  }

  /** Records the end, and lets other undos start. */
  async end(): Promise<void> {
    const { journal, audit, clock, random } = this.#deps;
    for (const site of this.#sites.values()) {
      if (site === 'no_access' || this.#wish.dryRun) continue;
      const { undone, conflicts, notUndoable } = site.counts;
      if (undone + conflicts + notUndoable === 0) continue;
      const { of } = this.#wish;
      await audit.append(
        newEvent(clock, random, 'ChangesUndone', {
          subject: refOf(site.connection),
          sequence: 0,
          endUserId: site.connection.endUser?.id,
          says: {
            undone: String(undone),
            conflicts: String(conflicts),
            not_undoable: String(notUndoable),
            ...('keyId' in of ? { key_id: of.keyId } : {}),
          },
          ...this.#request,
        }),
      );
    }
    await Promise.all(this.#locked.map((ref) => journal.unlock(ref, this.#owner)));
  }

  #report(isCut: boolean): UndoReport {
    const leftAlone = [...this.#leftAlone];
    return {
      undone: this.#undone,
      conflicts: this.#conflicts,
      notUndoable: this.#notUndoable,
      next: isCut && this.#before !== undefined ? { before: this.#before, leftAlone } : undefined,
    };
  }

  /** @returns false where the undo has to stop before the row */
  async #row(row: JournalRow): Promise<boolean> {
    if (row.undoes !== undefined || row.undoneAt !== undefined || row.state === 'refused') return true;
    if (this.#wish.only !== undefined && row.rowId !== this.#wish.only) return true;
    try {
      const site = await this.#siteOf(row);
      if (site === 'no_access') {
        this.#notUndoable.push({ row, object: undefined, reason: 'no_access' });
        return true;
      }
      // Rows of a deleted connection of the same name.
      if ((timeOfUlid(row.rowId) ?? 0) < Date.parse(site.connection.createdAt)) return true;
      const outcome = await this.#undo(row, site);
      const isShown = this.#wish.dryRun && this.#wish.only !== undefined;
      const changes = isShown ? (shownChanges(await this.#changeOf(row)) ?? null) : undefined;
      this.#count({ row, changes }, site, outcome);
      return true;
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      if (this.#undone.length + this.#conflicts.length + this.#notUndoable.length === 0) {
        throw new GatewayError(
          'service_unavailable',
          'The provider does not answer, or asks for a rest. Nothing was undone; try again.',
          { retryAfterSec: 10, applied: 'unknown' },
        );
      }
      return false;
    }
  }

  #count(write: Pick<ReportedWrite, 'row' | 'changes'>, { counts }: Site, outcome: Outcome): void {
    switch (outcome.kind) {
      case 'undone':
        counts.undone++;
        this.#undone.push({ ...write, object: outcome.object });
        break;
      case 'conflict':
        counts.conflicts++;
        this.#leftAlone.add(printIn(write.row, outcome.object));
        this.#conflicts.push({ ...write, object: outcome.object, now: outcome.now });
        break;
      case 'not_undoable':
        counts.notUndoable++;
        this.#notUndoable.push({ ...write, object: outcome.object, reason: outcome.reason });
        break;
      default:
    }
  }

  async #siteOf(ref: ConnectionRef): Promise<Site | 'no_access'> {
    const id = connectionRefKey(ref);
    const known = this.#sites.get(id);
    if (known !== undefined) return known;
    const site = await this.#open(ref);
    this.#sites.set(id, site);
    return site;
  }

  async #open(ref: ConnectionRef): Promise<Site | 'no_access'> {
    const { journal, inverses, toolInverses } = this.#deps;
    const isNamed = !('keyId' in this.#wish.of);
    let found: FoundConnection;
    try {
      found = await findConnection(this.#deps, ref);
      if (found.connection.death !== undefined) throw deadConnection(found.connection.death);
    } catch (error) {
      if (isNamed || !isGatewayError(error) || !NO_ACCESS.has(error.code)) throw error;
      return 'no_access';
    }
    if (!this.#wish.dryRun) {
      if (!(await journal.lock(refOf(ref), this.#owner))) {
        throw new GatewayError('conflict', 'Changes of this connection are being undone right now. Try again.', {
          retryAfterSec: UNDO_LOCK_SEC,
        });
      }
      this.#locked.push(refOf(ref));
    }
    const { provider, agentic } = found.integration;
    // A marked client's tokens may not reach the REST API, so tools write everything there (GA-2).
    const ways = (agentic === true ? toolInverses : inverses)[provider] ?? NO_INVERSES;
    const Caller = agentic === true ? CallToolsAsUser : CallAsUser;
    return {
      ...found,
      inverses: ways,
      caller: new Caller(this.#deps, found, this.#request.requestId, ways.restReasons),
      lefts: new Map(),
      removed: new Set(),
      found: new Map(),
      counts: { undone: 0, conflicts: 0, notUndoable: 0 },
    };
  }

  async #undo(row: JournalRow, site: Site): Promise<Outcome> {
    const change = await this.#changeOf(row);
    const object = change?.object;
    const no = (reason: Irreversible): Outcome => ({ kind: 'not_undoable', object, reason });
    if (row.notUndoable !== undefined) return no(row.notUndoable);
    if (change === undefined || object === undefined) return no('outcome_unknown');
    const kind = site.inverses.kinds[object.kind];
    const names = [object, ...(change.former === undefined ? [] : [change.former])];
    if (names.some((one) => this.#leftAlone.has(printIn(row, one)))) {
      for (const one of names) this.#leftAlone.add(printIn(row, one));
      return SKIPPED;
    }
    const obstacle = obstacleOf(kind, change);
    if (obstacle !== undefined || kind === undefined) return no(obstacle ?? 'no_inverse');
    const outcome = await this.#bringBack(row, site, change, object, kind);
    if (outcome.kind === 'conflict') for (const one of names) this.#leftAlone.add(printIn(row, one));
    return outcome;
  }

  async #changeOf({ sealed, rowId, ...ref }: JournalRow): Promise<Change | undefined> {
    if (sealed === undefined) return undefined;
    return JSON.parse(await this.#deps.cipher.decrypt(changeContext(ref, rowId), sealed));
  }

  async #bringBack(row: JournalRow, site: Site, change: Change, object: ObjectRef, kind: ObjectKind): Promise<Outcome> {
    const { touched, former } = change;
    const before = change.before ?? null;
    const own = leftBy(change);
    const left = await this.#leftOf(row, site, object);
    const no = (reason: Irreversible): Outcome => ({ kind: 'not_undoable', object, reason });
    // The undone later write found another state than this one left, so there was a change in between.
    if (left !== undefined && own !== undefined && !isAsLeft(kind, own, left.found, touched)) {
      return conflict(kind, object, own, left.found, touched);
    }
    if (this.#wish.dryRun && left !== undefined && left.rowId === ASSUMED) {
      return this.#assume(site, change, object);
    }
    const current = await site.caller.read(kind, object.ids);
    if (isRefusal(current)) return no('refused');
    if (current === undefined) return no('not_readable');
    if (await this.#isBack(site, change, kind, current)) {
      return this.#settle(row, site, { change, object, kind, found: current, isSent: false });
    }
    if (former === undefined && isRestored(kind, before, current, touched)) {
      // An undo was interrupted between the object and its parts.
      if (this.#wish.dryRun) return this.#assume(site, change, object);
      await this.#bringPartsBack(site, change, kind, object);
      return this.#settle(row, site, { change, object, kind, found: current, isSent: false });
    }
    const expected = left?.state ?? (left === undefined ? own : null);
    if (expected === undefined) return no('outcome_unknown');
    if (!mayBeRestored(kind, { left: expected, before, current }, touched)) {
      return conflict(kind, object, expected, current, touched);
    }
    if (!isThere(before) && isThere(current) && (await this.#holdsMore(site, kind, object, current))) {
      return conflict(kind, object, expected, current, touched);
    }
    const requests = kind.restore({ ids: object.ids, before, current, touched, former });
    if (typeof requests === 'string') return no(requests);
    const blocked = await site.caller.obstacle(requests);
    if (blocked !== undefined) return no(blocked);
    if (this.#wish.dryRun) {
      return this.#assume(site, change, object);
    }
    for (const request of requests) {
      const status = await site.caller.send(request);
      if (typeof status === 'string') return no(status);
      if (status === 412) return conflict(kind, object, expected, current, touched);
      if (status === 404 || status === 410) {
        if (request.method !== 'DELETE') return no('gone');
      } else if (status >= 300) return no('refused');
    }
    if (kind.isChecked === true && isThere(before)) {
      const now = await site.caller.read(kind, object.ids);
      // Looked at again by the next request, which finds it restored, or not.
      if (now === undefined || isRefusal(now)) throw new ProviderUnavailable();
      if (!isRestored(kind, before, now, touched)) return no('refused');
    }
    await this.#bringPartsBack(site, change, kind, object);
    const method = requests[0] === undefined ? undefined : this.#methodOf(site, requests[0]);
    return this.#settle(row, site, { change, object, kind, found: current, isSent: true, method });
  }

  /** A dry run continues as if an object had been restored. */
  #assume({ removed, lefts, found }: Site, change: Change, object: ObjectRef): Outcome {
    const home = change.former ?? object;
    const back = [
      { of: home, was: change.before ?? null },
      ...(change.parts ?? []).map((part) => ({ of: partOf(home, part), was: part })),
    ];
    for (const { of, was } of back) {
      lefts.set(objectPrint(of), 'assumed');
      found.set(objectPrint(of), was);
    }
    if (!isThere(change.before)) removed.add(objectPrint(object));
    return { kind: 'undone', object };
  }

  /** The states that the last undone write of an object found and left, if it was later than a row. */
  async #leftOf(row: JournalRow, site: Site, object: ObjectRef): Promise<Left | undefined> {
    const print = objectPrint(object);
    const known = site.lefts.get(print);
    if (known === 'assumed') return { rowId: ASSUMED, found: site.found.get(print) ?? null, state: null };
    if (known !== undefined) return known;
    const stored = await this.#deps.journal.left(row, print);
    if (stored === undefined || stored.rowId < row.rowId) return undefined;
    const { found, state }: Pick<Left, 'found' | 'state'> = JSON.parse(
      await this.#deps.cipher.decrypt(leftContext(row, print), stored.sealed),
    );
    return { rowId: stored.rowId, found, state };
  }

  /** Whether an object and all its parts have their former state. */
  async #isBack(site: Site, change: Change, kind: ObjectKind, current: JsonObject | null): Promise<boolean> {
    const { object, former, touched, parts = [] } = change;
    const before = change.before ?? null;
    if (former !== undefined) {
      if (isThere(current)) return false;
      const home = await site.caller.read(kind, former.ids);
      return !isRefusal(home) && home !== undefined && isRestored(kind, before, home, touched);
    }
    if (!isRestored(kind, before, current, touched)) return false;
    if (parts.length === 0 || object === undefined) return true;
    return (await this.#otherParts(site, change, kind, object)).length === 0;
  }

  /** Parts that differ from their former state, with the current one. */
  async #otherParts(site: Site, { before, parts = [] }: Change, kind: ObjectKind, object: ObjectRef) {
    if (parts.length === 0 || !isThere(before)) return [];
    const now = new Map((await this.#partsOf(site, kind, object, before)).map((part) => [part.id, part]));
    return parts.flatMap((part) => {
      const current = now.get(part.id);
      const isSame = isThere(part)
        ? isRestored(kind, part, current ?? null, [])
        : current !== undefined && !isThere(current);
      return isSame ? [] : [{ part, current }];
    });
  }

  async #bringPartsBack(site: Site, change: Change, kind: ObjectKind, object: ObjectRef): Promise<void> {
    if (kind.parts === undefined) return;
    for (const { part, current } of await this.#otherParts(site, change, kind, object)) {
      await site.caller.send(kind.parts.restore(object.ids, part, current));
    }
  }

  /** The current state of the parts that were restored with their object, with which their older rows are compared. */
  async #partsLeft(site: Site, { before, parts = [] }: Change, kind: ObjectKind, object: ObjectRef) {
    if (parts.length === 0 || !isThere(before)) return [];
    const now = await this.#partsOf(site, kind, object, before);
    return parts.map((part) => {
      const state = now.find(({ id }) => id === part.id) ?? null;
      return { object: partOf(object, part), found: part, state };
    });
  }

  async #partsOf(site: Site, kind: ObjectKind, { ids }: ObjectRef, state: JsonObject) {
    const target = kind.parts?.list(ids, state);
    const list = target === undefined ? undefined : await site.caller.list(target);
    if (list === undefined) throw new ProviderUnavailable();
    return kind.parts?.of(list) ?? [];
  }

  /** Whether more would be deleted than the journal contains. */
  async #holdsMore(site: Site, kind: ObjectKind, object: ObjectRef, current: JsonObject): Promise<boolean> {
    const inside = kind.mustBeEmpty?.(object.ids, current);
    if (inside === undefined) return false;
    const list = await site.caller.list(inside.target);
    if (list === undefined) return true;
    return objectsOf(list[inside.of]).some(({ id }) => {
      const ids = inside.kind === object.kind ? [String(id)] : [...object.ids, String(id)];
      return !site.removed.has(objectPrint({ kind: inside.kind, ids }));
    });
  }

  #methodOf(site: Site, { method, target }: { readonly method: string; readonly target: string }): string | undefined {
    const tool = plannedToolCall({ target });
    if (tool !== undefined) return toolMethod(tool.name);
    const { methods = [] } = this.#deps.providers[site.integration.provider];
    const write = readWrite(methods, site.inverses, { method, target, headers: [] });
    return write.kind === 'nothing' ? undefined : (write.method ?? undefined);
  }

  /** Records that a row is undone, the state left, and the write that did it. */
  async #settle(
    row: JournalRow,
    site: Site,
    {
      change,
      object,
      kind,
      found,
      isSent,
      method,
    }: {
      readonly change: Change;
      readonly object: ObjectRef;
      readonly kind: ObjectKind;
      readonly found: JsonObject | null;
      readonly isSent: boolean;
      readonly method?: string | undefined;
    },
  ): Promise<Outcome> {
    const before = change.before ?? null;
    const home = change.former ?? object;
    if (this.#wish.dryRun) {
      return this.#assume(site, change, object);
    }
    const { cipher, clock, random, journal } = this.#deps;
    const read = isSent || change.former !== undefined ? await site.caller.read(kind, home.ids) : found;
    const state = read === undefined || isRefusal(read) ? null : read;
    const rowId = isSent ? ulid(clock.nowMs(), random.bytes(10)) : row.rowId;
    const lefts = [{ object: home, found: before, state }, ...(await this.#partsLeft(site, change, kind, home))];
    const sealedLefts = await Promise.all(
      lefts.map(async ({ object: of, ...left }) => {
        const print = objectPrint(of);
        return { print, sealed: await cipher.encrypt(leftContext(row, print), JSON.stringify(left)) };
      }),
    );
    const inverse = isSent ? await this.#inverseRow(row, rowId, method, { change, found, state }) : undefined;
    await journal.undone({
      row,
      undoneAt: new Date(clock.nowMs()).toISOString(),
      lefts: sealedLefts,
      inverse,
    });
    for (const { object: of, ...left } of lefts) site.lefts.set(objectPrint(of), { ...left, rowId });
    return { kind: 'undone', object };
  }

  async #inverseRow(
    row: JournalRow,
    rowId: string,
    method: string | undefined,
    {
      change,
      found,
      state,
    }: { readonly change: Change; readonly found: JsonObject | null; readonly state: JsonObject | null },
  ): Promise<JournalRow> {
    const { object, former, touched } = change;
    const inverse: Change = {
      object: former ?? object,
      former: former && object,
      touched,
      before: found,
      after: state,
    };
    return {
      ...refOf(row),
      rowId,
      keyId: UNDO_KEY_ID,
      requestId: this.#request.requestId,
      method: method ?? row.method,
      state: 'done',
      undoes: row.rowId,
      sealed: await this.#deps.cipher.encrypt(changeContext(row, rowId), JSON.stringify(inverse)),
    };
  }
}

/** Replaces the key's id in writes of an undo. */
const UNDO_KEY_ID = 'undo';

/** Sorts behind every id: a dry run assumes that the object was restored. */
const ASSUMED = '~';

const NO_ACCESS: ReadonlySet<string> = new Set([
  'unknown_connection',
  'unknown_integration',
  'confirmation_required',
  'reauthorization_required',
]);

function refOf({ accountId, integrationId, connectionId }: ConnectionRef): ConnectionRef {
  return { accountId, integrationId, connectionId };
}

function printIn(ref: ConnectionRef, object: ObjectRef): string {
  return objectPrint({ kind: `${connectionRefKey(refOf(ref))}#${object.kind}`, ids: object.ids }).slice(
    0,
    PRINT_LENGTH,
  );
}

/** A part of an object, under the ids that lead to it. */
function partOf({ kind, ids }: ObjectRef, { id }: JsonObject): ObjectRef {
  return { kind, ids: [...ids.slice(0, -1), String(id)] };
}

function isRefusal(found: Found | Refusal): found is Refusal {
  return found !== null && found !== undefined && found.kind === 'refused' && typeof found.status === 'number';
}

function conflict(
  kind: ObjectKind,
  object: ObjectRef,
  expected: JsonObject | null,
  current: JsonObject | null,
  touched: readonly string[],
): Outcome {
  const version = kind.version === undefined ? undefined : current?.[kind.version];
  return {
    kind: 'conflict',
    object,
    now: {
      exists: isThere(current),
      version: typeof version === 'string' ? version : undefined,
      differs: differencesOf(kind, expected, current, touched),
    },
  };
}
