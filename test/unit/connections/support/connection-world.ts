import type { Item } from '../../../../dev/support/expression.ts';
import { MemoryTable } from '../../../../dev/support/memory-table.ts';
import { authorizedConnection } from '../../../../lambdas/gateway/authorization/store-connection.ts';
import { censusStore } from '../../../../lambdas/gateway/connections/census.store.ts';
import { movedBy } from '../../../../lambdas/gateway/connections/change-counts.rules.ts';
import type {
  Connection,
  EndUser,
  RefreshLease,
  StoredTokens,
} from '../../../../lambdas/gateway/connections/connection.rules.ts';
import { callFaults, connectionStore } from '../../../../lambdas/gateway/connections/connection.store.ts';
import {
  connectionFromItem,
  factsToItem,
  remainsOf,
} from '../../../../lambdas/gateway/connections/connection-item.store.ts';
import { connectionSearch, searchUpkeep } from '../../../../lambdas/gateway/connections/connection-search.store.ts';
import {
  changeCountReader,
  listedRowKey,
  writeConnection,
} from '../../../../lambdas/gateway/connections/connection-write.store.ts';
import { connectionUpkeep } from '../../../../lambdas/gateway/connections/due.store.ts';
import { isUnreadableRow } from '../../../../lambdas/gateway/connections/find-connection.ts';
import {
  type ListedSubject,
  listedRowsOf,
  listedSubject,
  searchEntry,
} from '../../../../lambdas/gateway/connections/index-rows.rules.ts';
import { DUE_SHARDS, LISTED_HEALTH_ATTRIBUTES } from '../../../../lambdas/gateway/core/contract.ts';
import type { DeathCause, GrantDeath } from '../../../../lambdas/gateway/core/grant-death.ts';
import {
  type ConnectionRef,
  connectionRefKey,
  dueShardOf,
  keptPrints,
  type ListName,
} from '../../../../lambdas/gateway/core/identifiers.ts';
import { CENSUS_REST_SEC } from '../../../../lambdas/gateway/core/limits.ts';
import { type LifecycleEventType, newEvent } from '../../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import type { Table } from '../../../../lambdas/gateway/platform/dynamodb/client.ts';
import { connectionItemKey, listedPk, sessionItemKey } from '../../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { consentLog } from '../../../../lambdas/gateway/tokens/consent-log.store.ts';
import { DEFAULT_REFRESH_POLICY } from '../../../../lambdas/gateway/tokens/freshness.rules.ts';
import { readFacts } from '../../../../lambdas/management/overview/read-facts.ts';
import { countConnections } from '../../../../lambdas/refresh/housekeeping.ts';
import { restoredConnection } from '../../../../packages/cli/restore/restored-connection.ts';
import { DEATH } from '../../management/support/rows.ts';
import { scriptedProvider } from '../../management/support/scripted-provider.ts';
import { connection, NOW_EPOCH_SEC } from '../../support/connection.ts';

const ACCOUNT = 'default';
const DAY_SEC = 86_400;
const { facts: FACTS, callFault: LISTED_FAULT } = LISTED_HEALTH_ATTRIBUTES;

/** What may happen to one of a few connections, to the table, and to the time. */
export const HAPPENINGS = [
  ...(['authorize', 'import', 'lease', 'store', 'die', 'release', 'use', 'mark', 'clear', 'describe'] as const),
  ...(['record', 'warn', 'limit', 'reschedule', 'postpone', 'delete', 'damage', 'delete_remains'] as const),
  ...(['explain', 'back_up', 'restore', 'lose', 'unlist', 'age', 'walk', 'tick', 'pass', 'jump'] as const),
] as const;

/** One step of a history. */
export interface Step {
  readonly what: (typeof HAPPENINGS)[number];
  /** Which connection. */
  readonly which: number;
  /** Acts on the row as it was seen last, whatever has become of it since. */
  readonly isStale: boolean;
  /** Seconds by which the clock of the process is wrong. */
  readonly skewSec: number;
  /** Chooses among end users, tags, causes and times. */
  readonly choice: number;
  /** The process ends at this call to the table, before or after that has its effect. */
  readonly crash: { readonly call: number; readonly isDone: boolean } | undefined;
}

/** The end of a process. */
class Crash extends Error {}

const CAUSES: readonly DeathCause[] = ['user_revoked', 'password_changed', 'admin_restricted'];

/** A lease, and the tokens that its holder has got: it may write them twice, never others. */
type Held = { readonly known: Connection; readonly lease: RefreshLease; tokens?: StoredTokens };

/** The connections of an account, what stands alongside them in the table, and processes that change them. */
export class ConnectionWorld {
  readonly memory = new MemoryTable();
  #nowSec = NOW_EPOCH_SEC + DAY_SEC / 2;
  /** A tick has seen the present clock, and whatever came without being counted. */
  #isOverviewRight = false;
  /** Some clock was wrong by more than a day. */
  #hasJumped = false;
  #number = 0;
  readonly #seen = new Map<string, Connection>();
  readonly #leases = new Map<string, Held>();
  readonly #backups = new Map<string, Connection>();
  /** Connections whose process ended before it could update the lists. */
  readonly #listsBehind = new Set<string>();
  /** What came or went without being counted, by integration and life. */
  readonly #uncounted: Record<string, number> = {};

  /** With one connection that nothing happens to, and a count of it. */
  static async started(): Promise<ConnectionWorld> {
    const world = new ConnectionWorld();
    const step = { isStale: false, skewSec: 0, choice: 1, crash: undefined };
    await world.take({ ...step, what: 'authorize', which: 1_000 });
    await world.take({ ...step, what: 'tick', which: 1_000 });
    return world;
  }

  /** Plays a step; being refused, and ending at any call, are parts of a history. */
  async take(step: Step): Promise<void> {
    let calls = 0;
    const table = this.memory.through(async (call) => {
      const isLast = ++calls === step.crash?.call;
      if (isLast && step.crash?.isDone === false) throw new Crash();
      const answer = await call();
      if (isLast) throw new Crash();
      return answer;
    });
    try {
      await this.#happen(step, table);
    } catch (error) {
      if (!(error instanceof Crash) && !isUnreadableRow(error)) throw error;
    }
    if (step.what === 'store' && step.crash !== undefined) this.#listsBehind.add(connectionRefKey(refOf(step)));
  }

  async #happen(step: Step, table: Table): Promise<void> {
    const { what, choice, skewSec, isStale } = step;
    const ref = refOf(step);
    const key = connectionRefKey(ref);
    const clock = { nowMs: () => (this.#nowSec + skewSec) * 1000 };
    const nowSec = this.#nowSec + skewSec;
    const store = connectionStore(table);
    const item = this.memory.get(connectionItemKey(ref));
    const isReadable = item !== undefined && item.grantedScopes !== undefined;
    const present = isReadable ? connectionFromItem(item) : undefined;
    const row = isStale ? this.#seen.get(key) : present;
    if (present !== undefined) this.#seen.set(key, present);
    const random = {
      bytes: (size: number) => Buffer.from(String(++this.#number).padStart(size, '0')),
      number: () => 0.5,
    };
    const event = (eventType: LifecycleEventType, sequence: number) =>
      newEvent(clock, random, eventType, { subject: ref, sequence, requestId: 'history' });
    const next = (eventType: LifecycleEventType, one: Connection) => event(eventType, one.sequence + 1);

    switch (what) {
      case 'authorize': {
        if (item !== undefined && !isReadable) return;
        const sessionHash = `session-${++this.#number}`;
        this.memory.put({ ...sessionItemKey(sessionHash), type: 'connect_session', status: 'authorizing' });
        const written = authorizedConnection({
          ref,
          grant: { ...grantOf(choice), consentedAtEpochSec: nowSec, accessTokenExpiresAtEpochSec: nowSec + 3600 },
          integration: { publishingStatus: choice % 2 === 0 ? 'production' : 'testing', audience: 'external' },
          endUser: endUserOf(choice),
          tags: tagsOf(choice),
          previous: row,
          numericId: ++this.#number,
          nowMs: clock.nowMs(),
          refreshPolicy: DEFAULT_REFRESH_POLICY,
        });
        const after = { ...written, sequence: written.sequence + 1 };
        const outcome = { ...ref, errorType: undefined, message: undefined, missingScopes: [] };
        const isNew = row === undefined || row.status === 'deleted';
        const events = [event(isNew ? 'ConnectionCreated' : 'ConnectionReauthorized', after.sequence)];
        await store.saveAuthorized(after, row, events, { sessionHash, outcome, mayAskAgain: false });
        return;
      }
      case 'import': {
        if ((item !== undefined && !isReadable) || (row !== undefined && row.status !== 'deleted')) return;
        const after = connection({
          ...ref,
          ...grantOf(choice),
          numericId: ++this.#number,
          epoch: (row?.epoch ?? 0) + 1,
          tokenEpoch: (row?.epoch ?? 0) + 1,
          sequence: (row?.sequence ?? 0) + 1,
          refreshAtEpochSec: nowSec + 1000,
          tags: tagsOf(choice),
          endUser: endUserOf(choice),
          createdAt: new Date(clock.nowMs()).toISOString(),
          updatedAt: new Date(clock.nowMs()).toISOString(),
        });
        await store.save(after, row, event('ConnectionCreated', after.sequence));
        return;
      }
      case 'lease': {
        if (row === undefined) return;
        const taken = await store.takeLease(row, {
          owner: 'history',
          attemptId: `attempt-${++this.#number}`,
          attemptHash: 'hash',
          nowEpochSec: nowSec,
          expiresAtEpochSec: nowSec + 30,
          evenIfDead: true,
        });
        if (taken.taken) this.#leases.set(key, { known: row, lease: taken.lease });
        return;
      }
      case 'store': {
        const held = this.#leases.get(key);
        if (held === undefined) return;
        // As the refresher does: a row whose number has moved on is read again.
        const known = choice % 2 === 0 || present === undefined ? held.known : present;
        const isRotated = choice % 3 === 0;
        const accessToken = `access-${++this.#number}`;
        const refreshToken = isRotated ? `refresh-${this.#number}` : held.known.encryptedRefreshToken;
        held.tokens ??= {
          encryptedAccessToken: accessToken,
          encryptedRefreshToken: isRotated ? refreshToken : undefined,
          tokenPrints: keptPrints(refreshToken, true),
          accessTokenExpiresAtEpochSec: nowSec + 3600,
          grantedScopes: known.grantedScopes,
          refreshAtEpochSec: nowSec + 3000,
          nowEpochSec: nowSec,
          ...(choice % 5 === 0 ? { lastUsedAtEpochSec: nowSec } : {}),
          ...(choice % 4 === 0 ? { refreshTokenExpiresAtEpochSec: nowSec + 20 * DAY_SEC } : {}),
        };
        const events = known.death === undefined ? [] : [next('ConnectionRecovered', known)];
        if (await store.storeTokens(known, held.lease, held.tokens, events)) this.#listsBehind.delete(key);
        return;
      }
      case 'die': {
        const held = this.#leases.get(key);
        if (held === undefined || present === undefined) return;
        const known = isStale ? held.known : present;
        const cause: DeathCause = CAUSES[choice % 3] ?? 'unknown';
        const erased = choice % 4 === 0 ? ({ tokensRevoked: true } as const) : {};
        const death = { ...DEATH, cause, since: new Date(clock.nowMs()).toISOString(), ...erased };
        // Nobody who has found a grant dead stores tokens under the same lease.
        this.#leases.delete(key);
        if (!(await store.markDead(known, held.lease, death, next('ConnectionReauthorizationRequired', known))))
          this.#leases.set(key, held);
        return;
      }
      case 'explain': {
        if (row?.death === undefined) return;
        const erased = choice % 2 === 0 ? ({ tokensRevoked: true } as const) : {};
        // Only its tokens are erased, or its cause is reported.
        const isTold = choice % 3 !== 0;
        const proven: GrantDeath = {
          ...row.death,
          ...(isTold ? { cause: 'token_revoked', certain: true } : {}),
          ...erased,
        };
        await store.explainDeath(row, proven, isTold ? next('ConnectionCauseProven', row) : undefined);
        return;
      }
      case 'release': {
        const held = this.#leases.get(key);
        const failed = { retryAtEpochSec: nowSec + 60, failureCount: 1, answered: true };
        if (held !== undefined) await store.releaseLease(held.known, held.lease, failed);
        return;
      }
      case 'use':
        if (row !== undefined) await store.noteUse(row, nowSec, nowSec + 500);
        return;
      case 'mark': {
        const fault = { status: 403, reason: 'domainPolicy', sinceEpochSec: nowSec };
        if (row !== undefined) await callFaults(table).mark(row, fault);
        return;
      }
      case 'clear':
        if (row !== undefined) await callFaults(table).clear(row, new Date(clock.nowMs()).toISOString());
        return;
      case 'describe': {
        if (row === undefined || row.status === 'deleted') return;
        const changes = [
          { endUser: endUserOf(choice) ?? row.endUser },
          { tags: tagsOf(choice) },
          { metadata: { choice } },
          { endUser: endUserOf(choice) ?? row.endUser, tags: tagsOf(choice + 1) },
        ];
        const updatedAt = new Date(clock.nowMs()).toISOString();
        const described = { ...row, ...changes[choice % changes.length], updatedAt };
        await store.updateDescription(described, row, next('ConnectionUpdated', row));
        return;
      }
      case 'record': {
        if (row === undefined) return;
        const until = choice % 2 === 0 ? nowSec + 600 : undefined;
        await store.setRecording({ ...row, callsRecordedUntilEpochSec: until }, next('ConnectionUpdated', row));
        return;
      }
      case 'warn': {
        const warning = { kind: 'expiry', number: 1 + (choice % 2) } as const;
        if (row !== undefined) await store.warn(row, warning, next('ConnectionExpiring', row));
        return;
      }
      case 'limit':
        if (row !== undefined) await store.warn(row, { kind: 'token_limit' }, next('RefreshTokenLimitNear', row));
        return;
      case 'reschedule':
        if (row !== undefined) await store.reschedule(row, choice % 3 === 0 ? undefined : nowSec + choice);
        return;
      case 'postpone':
        await connectionUpkeep(table).postpone(ref, nowSec + 60);
        return;
      case 'delete':
        if (row !== undefined) await store.delete(row, next('ConnectionDeleted', row));
        return;
      case 'damage':
        if (present !== undefined && present.status !== 'deleted') {
          this.memory.put({ ...item, grantedScopes: undefined });
        }
        return;
      case 'delete_remains': {
        const remains = isReadable ? undefined : await store.readRemains(ref);
        if (remains === undefined) return;
        await store.deleteRemains(ref, remains, event('ConnectionDeleted', remains.sequence + 1));
        return;
      }
      case 'back_up':
        if (present !== undefined && present.status !== 'deleted') this.#backups.set(key, present);
        return;
      case 'restore': {
        const backup = this.#backups.get(key);
        if (backup === undefined) return;
        const now = { epochSec: nowSec, iso: new Date(clock.nowMs()).toISOString() };
        const after = restoredConnection(backup, item, item === undefined ? backup.sequence : 0, now, 60);
        const isDone = await writeConnection(table, {
          happened: { kind: 'restored', over: item },
          before: present,
          after,
          events: [event('ConnectionRestored', after.sequence)],
          remains: item === undefined ? undefined : remainsOf(item),
        }).then(
          ({ done }) => done,
          (error: unknown) => {
            // Whether it was done is looked up below.
            if (error instanceof Crash) return this.memory.get(connectionItemKey(ref))?.sequence === after.sequence;
            throw error;
          },
        );
        // The counters of before the loss are still there, and a restore asks for a recount.
        if (isDone && item === undefined) this.#passOver(ref, after, 1);
        return;
      }
      case 'lose': {
        if (item === undefined || item.status === 'deleted') return;
        const subject = remainsOf(item);
        this.memory.delete({ ...connectionItemKey(ref) });
        this.#unlist(ref);
        if (subject !== undefined) this.#passOver(ref, subject, -1);
        return;
      }
      case 'unlist':
        if (present === undefined) return;
        this.#unlist(ref);
        // A refresh brings another token between what the walk reads and what it writes.
        if (choice % 2 === 0 && present.status === 'active')
          this.memory.beforeWrite = () => this.#replaceToken(present);
        await this.#walk(this.memory.table);
        return;
      case 'age':
        if (item === undefined || item.status === 'deleted') return;
        // Nobody who has read it before may write it any more.
        this.memory.put({ ...item, tokenPrints: undefined, epoch: Number(item.epoch) + 1 });
        this.#unlist(ref, 'TOKEN');
        return;
      case 'walk':
        await this.#walk(table);
        return;
      case 'tick':
        await this.#tick();
        return;
      case 'pass':
        this.#nowSec += [1, 61, 1_000, 40_000][choice % 4] ?? 1;
        if (this.#hasJumped) this.#isOverviewRight = false;
        return;
      case 'jump':
        this.#nowSec += Math.floor(([-40, -3, -0.4, 0.4, 3, 40][choice % 6] ?? 0) * DAY_SEC);
        this.#hasJumped = true;
        this.#isOverviewRight = false;
        return;
    }
  }

  /** What an earlier version left: a row with nothing alongside it, or without its places in lists of a kind. */
  #unlist(ref: ConnectionRef, kind?: ListName['kind']): void {
    for (const item of this.memory.ofType('listed')) {
      const isIts = item.integrationId === ref.integrationId && item.connectionId === ref.connectionId;
      const isOfKind = kind === undefined || String(item.pk).split('#')[2] === kind;
      if (isIts && isOfKind) this.memory.delete(item);
    }
    if (kind !== undefined) return;
    for (const item of this.memory.ofType('search_bucket')) {
      const lines = linesOf(item).filter((line) => !line.startsWith(`${connectionRefKey(ref)}\t`));
      this.memory.put({ ...item, entries: lines.join('\n'), version: Number(item.version) + 1 });
    }
  }

  /** What a refresh writes that the provider answers with another refresh token. */
  #replaceToken(row: Connection): void {
    const encryptedRefreshToken = `refresh-${++this.#number}`;
    const epoch = row.epoch + 1;
    const tokenPrints = keptPrints(encryptedRefreshToken, true);
    const after = { ...row, encryptedRefreshToken, tokenPrints, epoch, tokenEpoch: epoch };
    const item = this.memory.get(connectionItemKey(row));
    this.memory.put({ ...item, encryptedRefreshToken, tokenPrints, epoch, tokenEpoch: epoch });
    for (const place of listedRowsOf(listedSubject(after))) {
      const { integrationId, connectionId } = row;
      if (place.list.kind === 'TOKEN')
        this.memory.put({ ...listedRowKey(ACCOUNT, place), type: 'listed', integrationId, connectionId });
    }
  }

  async #walk(table: Table): Promise<void> {
    const upkeep = searchUpkeep(table);
    let isEnd = false;
    for (let parts = 0; !isEnd && parts < 10; parts++) {
      ({ isEnd } = await upkeep.goOn(ACCOUNT, await upkeep.read(ACCOUNT), this.#nowSec));
    }
  }

  /** Notes what came or went past the counters; anyone who does that asks for a recount. */
  #passOver(ref: ConnectionRef, subject: Pick<Connection, 'status' | 'death'> | ListedSubject, by: 1 | -1): void {
    const cause = 'death' in subject ? subject.death?.cause : 'cause' in subject ? subject.cause : undefined;
    const name = `${ref.integrationId} ${subject.status === 'active' ? 'active' : (cause ?? 'unknown')}`;
    this.#uncounted[name] = (this.#uncounted[name] ?? 0) + by;
    this.#isOverviewRight = false;
    for (const census of this.memory.ofType('census')) {
      const { counted } = census;
      if (typeof counted === 'object' && counted !== null)
        this.memory.put({ ...census, counted: { ...counted, countedAtEpochSec: 0 } });
    }
  }

  async #tick(): Promise<void> {
    const { table } = this.memory;
    const failed: unknown[] = [];
    // After a jump it is the next count that is right, and that may have to wait for its rest to end.
    if (!this.#isOverviewRight && this.#hasJumped) this.#nowSec += CENSUS_REST_SEC;
    await countConnections(
      {
        census: censusStore(table),
        changeCounts: changeCountReader(table),
        integrations: { list: async () => [] },
        clock: { nowMs: () => this.#nowSec * 1000 },
        logger: { info() {}, warn() {}, error: (_message, _about, error) => void failed.push(error) },
        metrics: { count() {} },
      },
      ACCOUNT,
      'tick',
    );
    if (failed.length > 0) throw failed[0];
    this.#isOverviewRight = true;
  }

  /**
   * Compares all that is derived of connections with what follows from their rows alone.
   *
   * @param isRead the overview, too, where it must be right
   */
  async check(expectSame: (actual: unknown, expected: unknown, what: string) => void, isRead: boolean): Promise<void> {
    const items = this.memory.ofType('connection');
    const listed: string[] = [];
    const entries: string[] = [];
    const lives: Record<string, number> = {};
    for (const item of items) {
      const isReadable = item.grantedScopes !== undefined;
      const row = isReadable ? connectionFromItem(item) : undefined;
      const subject = row === undefined ? remainsOf(item) : row.status === 'deleted' ? undefined : listedSubject(row);
      const key = `${item.integrationId}/${item.connectionId}`;
      if (row !== undefined)
        this.#checkRow(item, row, (actual, expected, what) => expectSame(actual, expected, `${what} of ${key}`));
      if (subject === undefined) continue;
      listed.push(...listedRowsOf(subject).map(({ list, place }) => `${listedPk(ACCOUNT, list)} ${place} ${key}`));
      entries.push(searchEntry({ ...subject, accountId: ACCOUNT }));
      const life = `${subject.integrationId} ${subject.status === 'active' ? 'active' : (subject.cause ?? 'unknown')}`;
      lives[life] = (lives[life] ?? 0) + 1;
    }
    const present = this.memory.ofType('listed').filter(({ left }) => left === undefined);
    const rows = present.map((one) => `${one.pk} ${one.sk} ${one.integrationId}/${one.connectionId}`);
    expectSame(rows.toSorted(), listed.toSorted(), 'places in lists');
    expectSame(this.memory.ofType('search_bucket').flatMap(linesOf).toSorted(), entries.toSorted(), 'search entries');
    expectSame(this.#counted(), withoutZeros(lives), 'counters');
    if (isRead && this.#isOverviewRight) expectSame(await this.#overview(), byLife(lives), 'the overview');
  }

  #checkRow(item: Item, row: Connection, expectSame: (actual: unknown, expected: unknown, what: string) => void): void {
    const isAlive = row.status === 'active';
    if (!isAlive) expectSame([item.dueShard, item.refreshAt, item.grantKey], [undefined, undefined, undefined], 'due');
    else if (item.dueShard !== undefined) expectSame(item.dueShard, dueShardOf(row, DUE_SHARDS), 'due');
    if (isAlive) expectSame(item.grantKey !== undefined, row.providerAccount !== undefined, 'grant');
    if (row.status === 'deleted') return;
    expectSame(item[LISTED_FAULT], item.callFault, 'listed fault');
    // Rows of an earlier version have none.
    if (row.tokenPrints !== undefined)
      expectSame(row.tokenPrints, keptPrints(row.encryptedRefreshToken, true), 'what its token is found by');
    if (isAlive && !this.#listsBehind.has(connectionRefKey(row)))
      expectSame(item[FACTS], factsToItem(row), 'listed health');
  }

  /** What all counters of all days say that there is. */
  #counted(): Record<string, number> {
    const lives = { ...this.#uncounted };
    for (const item of this.memory.ofType('changes')) {
      const integrationId = decodeURIComponent(String(item.sk).split('#')[1] ?? '');
      const counts: Record<string, number> = {};
      for (const [name, count] of Object.entries(item)) {
        if (/^(?:created|died|mended|deleted)/.test(name) && typeof count === 'number') counts[name] = count;
      }
      const { active, causes } = movedBy(counts);
      for (const [life, count] of Object.entries({ active, ...causes })) {
        const name = `${integrationId} ${life}`;
        lives[name] = (lives[name] ?? 0) + count;
      }
    }
    return withoutZeros(lives);
  }

  async #overview(): Promise<Record<string, number>> {
    const { table } = this.memory;
    const facts = await readFacts(
      {
        integrations: { list: async () => [] } as never,
        connections: connectionStore(table),
        search: connectionSearch(table),
        consents: consentLog(table),
        census: censusStore(table),
        changeCounts: changeCountReader(table),
        clock: { nowMs: () => this.#nowSec * 1000, nowEpochSec: () => this.#nowSec } as never,
        endpointsOf: () => scriptedProvider().endpoints,
      },
      ACCOUNT,
      undefined,
    );
    return withoutZeros({ active: facts.active, ...facts.causes });
  }
}

function refOf({ which }: Step): ConnectionRef {
  return {
    accountId: ACCOUNT,
    integrationId: which % 2 === 0 ? 'drive' : 'calendar one',
    connectionId: `c-${Math.floor(which / 2)}`,
  };
}

function grantOf(choice: number) {
  return {
    provider: 'google-drive' as const,
    encryptedAccessToken: `access of ${choice}`,
    encryptedRefreshToken: `refresh of ${choice}`,
    tokenPrints: keptPrints(`refresh of ${choice}`, true),
    accessTokenExpiresAtEpochSec: NOW_EPOCH_SEC + 3600,
    requestedScopes: ['https://www.googleapis.com/auth/drive'],
    grantedScopes: ['https://www.googleapis.com/auth/drive'],
    clientId: '123-abc.apps.googleusercontent.com',
    providerAccount: choice % 4 === 0 ? undefined : { subject: `${choice % 4}`, email: `${choice % 4}@example.com` },
    consentedAtEpochSec: NOW_EPOCH_SEC,
    refreshTokenExpiresAtEpochSec: undefined,
    testingAtConsent: choice % 3 === 0,
  };
}

function endUserOf(choice: number): EndUser | undefined {
  if (choice % 4 === 0) return undefined;
  const organization = choice % 3 === 0 ? { id: `org-${choice % 2}`, displayName: null } : null;
  return { id: `user-${choice % 5}`, email: null, displayName: `Name ${choice % 7}`, tags: null, organization };
}

function tagsOf(choice: number): Record<string, string> {
  return Object.fromEntries(['plan', 'team'].slice(0, choice % 3).map((key) => [key, String(choice % 4)]));
}

function linesOf({ entries }: Item): string[] {
  return String(entries)
    .split('\n')
    .filter((line) => line !== '');
}

function withoutZeros(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

/** Of all integrations together. */
function byLife(lives: Readonly<Record<string, number>>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of Object.entries(lives)) {
    const life = name.slice(name.lastIndexOf(' ') + 1);
    sums[life] = (sums[life] ?? 0) + count;
  }
  return sums;
}
