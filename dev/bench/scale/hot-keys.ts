/** Which partition keys the changes of connections write to, by the gateway's own stores over a table that counts units. */

import type {
  ConnectSession,
  PendingAuthorization,
} from '../../../lambdas/gateway/authorization/connect-session.rules.ts';
import {
  connectSessionStore,
  pendingAuthorizationStore,
} from '../../../lambdas/gateway/authorization/session.store.ts';
import { rateCounter } from '../../../lambdas/gateway/calls/rate-counter.store.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { callFaults, connectionStore } from '../../../lambdas/gateway/connections/connection.store.ts';

import { keptPrints, sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import {
  AUTHORIZATIONS_PER_MINUTE,
  CONNECT_SESSIONS_PER_MINUTE,
  RECORDED_DEATHS_PER_SEC,
  REFUSALS_TO_FAIL,
  SEARCH_BUCKETS,
  SEARCH_SHARDS,
} from '../../../lambdas/gateway/core/limits.ts';
import {
  type LifecycleEvent,
  type LifecycleEventType,
  newEvent,
} from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { searchBucketItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { consentLog } from '../../../lambdas/gateway/tokens/consent-log.store.ts';
import { mirroredTags } from '../../../lambdas/management/connections/update-description.ts';
import { ASSUMPTIONS } from '../../../packages/cli/costs/prices.ts';
import { MemoryTable } from '../../support/memory-table.ts';
import { TableUnits } from '../../support/table-units.ts';
import { death, person } from '../lists/people.ts';
import { dueConnection } from '../sweep/fixtures.ts';

/** Write units that a partition takes a second (DynamoDB guide, "Partitions and data distribution"). */
export const PARTITION_UNITS = 1_000;

/** The keys of one kind that changes of one kind write to. */
export interface HotKey {
  readonly what: string;
  /** How often it happens at most, in a second; undefined where the gateway sets no limit. */
  readonly atMostASecond: number | undefined;
  /** The key; of one of several shards that share the writes, without its number. */
  readonly key: string;
  /** Write units that a change leaves on it, on the fullest shard. */
  readonly units: number;
  /** Write units of a change on all keys. */
  readonly unitsInAll: number;
}

const NOW_SEC = Date.UTC(2026, 2, 2, 9) / 1000;
const ACCOUNT = 'default';
const REFRESH_TOKEN = `1//${'r'.repeat(100)}`;
const PEOPLE = 1_000_000;
/** Proxied calls a second of a billion in a month, in the busiest hour of a working day: an eighth of its calls. */
const BUSIEST_CALLS = 1e9 / 30.4 / 8 / 3_600;
/** Keys with less are those of the connections themselves. */
const SHARED_FROM = 0.1;

interface Change {
  readonly what: string;
  readonly atMostASecond: number | undefined;
  readonly before?: (world: World, number: number) => Promise<void>;
  readonly happens: (world: World, number: number) => Promise<void>;
}

const isConnected = (world: World, number: number) => world.connect(number);

const CHANGES: readonly Change[] = [
  {
    what: 'connect session',
    atMostASecond: CONNECT_SESSIONS_PER_MINUTE / 60,
    happens: (world, number) => world.openSession(number),
  },
  {
    what: 'consent, from its start',
    atMostASecond: AUTHORIZATIONS_PER_MINUTE / 60,
    before: (world, number) => world.openSession(number),
    happens: (world, number) => world.consent(number),
  },
  { what: 'import', atMostASecond: undefined, happens: isConnected },
  {
    what: 'death found by a sweep',
    atMostASecond: RECORDED_DEATHS_PER_SEC,
    before: isConnected,
    happens: (world, number) => world.die(number),
  },
  {
    what: 'mark of refused calls',
    atMostASecond: BUSIEST_CALLS / REFUSALS_TO_FAIL,
    before: isConnected,
    happens: (world, number) => world.refuse(number),
  },
  { what: 'deletion', atMostASecond: undefined, before: isConnected, happens: (world, number) => world.delete(number) },
];

/**
 * Keys that many changes write to, the fullest first.
 *
 * @param connections that the account has, of which the size of the search index follows
 * @param changes of each kind to make
 */
export async function hotKeys(connections: number, changes: number): Promise<HotKey[]> {
  const found: HotKey[] = [];
  for (const { what, atMostASecond, before, happens } of CHANGES) {
    const world = new World(connections);
    for (let number = 0; number < changes && before !== undefined; number++) await before(world, number);
    const units = new TableUnits();
    world.memory.units = units;
    for (let number = 0; number < changes; number++) await happens(world, number);
    const byKind = new Map<string, number>();
    for (const [key, sum] of units.byPartition()) {
      const kind = key.replace(/^(SEARCH#[^#]*#|due )\d+$/, '$1');
      byKind.set(kind, Math.max(byKind.get(kind) ?? 0, sum / changes));
    }
    const shared = [...byKind].filter(([, each]) => each > Math.max(SHARED_FROM, 20 / changes));
    for (const [key, each] of shared.sort(([, a], [, b]) => b - a))
      found.push({ what, atMostASecond, key, units: each, unitsInAll: units.written / changes });
  }
  return found;
}

/** An account in memory, with a search index as large as that of so many connections, whose text is all that grows what a change writes. */
class World {
  readonly memory = new MemoryTable();
  readonly #rows = new Map<number, Connection>();
  #nowMs = NOW_SEC * 1000;

  constructor(connections: number) {
    const { table } = this.memory;
    const length = Math.round((connections * ASSUMPTIONS.searchEntryKb * 1000) / SEARCH_BUCKETS);
    for (let bucket = 0; bucket < SEARCH_BUCKETS && length > 0; bucket++) {
      const entries = `other#${bucket}\t1\t${'x'.repeat(length)}`;
      const key = searchBucketItemKey(ACCOUNT, bucket % SEARCH_SHARDS, bucket);
      this.memory.put({ ...key, type: 'search_bucket', entries, version: 1 });
    }
    this.stores = {
      connections: connectionStore(table),
      sessions: connectSessionStore(table),
      pending: pendingAuthorizationStore(table),
      rates: rateCounter(table),
      consents: consentLog(table),
      faults: callFaults(table),
    };
  }

  readonly stores;

  async openSession(number: number): Promise<void> {
    const { sessions, rates } = this.stores;
    await rates.count(ACCOUNT, 'connect_sessions', Number.MAX_SAFE_INTEGER, NOW_SEC);
    const session = sessionOf(number);
    const place = {
      accountId: ACCOUNT,
      endUserId: session.endUser?.id ?? '',
      sessionHash: session.sessionHash,
      batchId: undefined,
    };
    await sessions.create(session, this.#event('ConnectSessionCreated', { accountId: ACCOUNT }), place);
  }

  async consent(number: number): Promise<void> {
    const { sessions, rates, pending, consents, connections } = this.stores;
    const session = sessionOf(number);
    const row = await personsRow(number);
    await rates.count(ACCOUNT, 'authorizations', Number.MAX_SAFE_INTEGER, NOW_SEC);
    const authorization = authorizationOf(row, session.sessionHash);
    const { accountId, integrationId } = row;
    await sessions.start(session, authorization, this.#event('AuthorizationStarted', { accountId, integrationId }));
    await pending.spend(authorization.stateHash, 'bench');
    await consents.note(row.clientId, row.providerAccount?.subject ?? '', NOW_SEC);
    const outcome = {
      integrationId,
      connectionId: row.connectionId,
      errorType: undefined,
      message: undefined,
      missingScopes: [],
    };
    const ended = { sessionHash: session.sessionHash, outcome, mayAskAgain: false };
    const saved = await connections.saveAuthorized(row, undefined, [this.#event('ConnectionCreated', row)], ended);
    if (saved !== 'saved') throw new Error(`The consent was ${saved}`);
  }

  async connect(number: number): Promise<void> {
    const row = await personsRow(number);
    await this.stores.consents.note(row.clientId, row.providerAccount?.subject ?? '', NOW_SEC);
    await this.#save(number, row);
  }

  async die(number: number): Promise<void> {
    const row = this.#connected(number);
    const taken = await this.stores.connections.takeLease(row, {
      ...{ owner: 'bench', attemptId: `attempt-${number}`, attemptHash: 'a'.repeat(64) },
      ...{ nowEpochSec: NOW_SEC, expiresAtEpochSec: NOW_SEC + 30 },
    });
    if (!taken.taken) throw new Error('The lease was taken');
    const event = this.#event('ConnectionReauthorizationRequired', row);
    await this.stores.connections.markDead(row, taken.lease, death('user_revoked', event.occurredAt), event);
  }

  async refuse(number: number): Promise<void> {
    const fault = { status: 403, reason: 'accessNotConfigured', sinceEpochSec: NOW_SEC };
    await this.stores.faults.mark(this.#connected(number), fault);
  }

  async delete(number: number): Promise<void> {
    const row = this.#connected(number);
    await this.stores.connections.delete(row, this.#event('ConnectionDeleted', row));
  }

  async #save(number: number, row: Connection): Promise<void> {
    if (!(await this.stores.connections.save(row, undefined, this.#event('ConnectionCreated', row))))
      throw new Error('The connection was there already');
    this.#rows.set(number, row);
  }

  #connected(number: number): Connection {
    const row = this.#rows.get(number);
    if (row === undefined) throw new Error(`There is no connection ${number}`);
    return row;
  }

  /** An event of a moment of its own. */
  #event(type: LifecycleEventType, subject: LifecycleEvent['subject']): LifecycleEvent {
    this.#nowMs += 1;
    const clock = { nowMs: () => this.#nowMs };
    return newEvent(clock, systemRandom, type, {
      subject,
      sequence: 2,
      endUserId: 'customer-1',
      requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
      actor: 'session:216a9fad5515',
    });
  }
}

/** A connection of a person, new, with tokens as long as the provider's. */
async function personsRow(number: number): Promise<Connection> {
  const { endUser, providerAccount } = person(number, PEOPLE, NOW_SEC);
  const createdAt = new Date(NOW_SEC * 1000 + number).toISOString();
  return {
    ...(await dueConnection(number, NOW_SEC + 3_000)),
    ...{ connectionId: `3f0c2a8e-7b1d-4c5e-9f00-${String(number).padStart(12, '0')}`, endUser, providerAccount },
    ...{ tags: mirroredTags({}, endUser), tokenPrints: keptPrints(`${number}${REFRESH_TOKEN}`, true) },
    ...{ createdAt, updatedAt: createdAt, lastUsedAtEpochSec: undefined },
  };
}

function sessionOf(number: number): ConnectSession {
  return {
    ...{ sessionHash: sha256Hex(`session ${number}`), accountId: ACCOUNT, tags: {} },
    endUser: person(number, PEOPLE, NOW_SEC).endUser,
    ...{ allowedIntegrations: ['google-drive'], defaults: {}, reconnect: undefined, allowAccountChange: false },
    ...{ returnUrl: undefined, status: 'pending', outcome: undefined, browserHash: undefined },
    ...{ createdAtEpochSec: NOW_SEC, expiresAtEpochSec: NOW_SEC + 1_800 },
  };
}

function authorizationOf(row: Connection, sessionHash: string): PendingAuthorization {
  const { accountId, integrationId, connectionId, clientId, requestedScopes } = row;
  return {
    ...{ accountId, integrationId, connectionId, clientId, sessionHash, requestedScopes },
    ...{ stateHash: sha256Hex(`state ${connectionId}`), isReconnect: false, issuer: 'https://accounts.google.com' },
    ...{ redirectUri: 'https://gateway.example.com/oauth/callback', nonce: 'n'.repeat(32), openerOrigin: undefined },
    ...{ askedScopes: requestedScopes, integrationScopes: requestedScopes, browserHash: sha256Hex('browser') },
    ...{ encryptedCodeVerifier: 'v'.repeat(150), createdAtEpochSec: NOW_SEC, expiresAtEpochSec: NOW_SEC + 600 },
  };
}
