import type { Connection } from '../connections/connection.rules.ts';
import { confirmationRequired, findUnconfirmed, unknownConnection } from '../connections/find-connection.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import type { StoredDayUse } from '../core/budget.ts';
import { GatewayError } from '../core/errors.ts';
import { connectionRefKey, integrationRefKey } from '../core/identifiers.ts';
import {
  CACHE_MAX_ENTRIES,
  CONNECTION_CACHE_MS,
  DAY_USE_CACHE_MS,
  DAY_USE_READ_OFTEN_SHARE,
  KEY_CACHE_MS,
} from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import {
  connectionIdOfSubject,
  isAllowedSubject,
  SUBJECT_NOT_ALLOWED,
  SUBJECT_PREFIX,
  subjectOf,
} from '../integrations/delegation.rules.ts';
import type { Integration } from '../integrations/integration.rules.ts';
import {
  acceptedKey,
  assertSameRole,
  type Credential,
  credentialOf,
  type SecretKeyRecord,
  type SigningRole,
  unknownCaller,
} from './credentials.rules.ts';
import type { CallerGate, CallerStore, ReachGate } from './ports.ts';

/** A connection with its access token in clear, once needed. Lives in one process's memory. */
export interface LiveConnection {
  readonly connection: Connection;
  readonly accessToken: string | undefined;
}

/** The caller with its key, integration and connection. */
export interface Caller {
  readonly key: SecretKeyRecord;
  readonly integration: Integration;
  readonly live: LiveConnection;
  /** The limit that would refuse the call if its key did not only observe. */
  readonly observedLimit?: string | undefined;
  /** How full the provider's day of the account is, where known. */
  readonly dayUse?: StoredDayUse | undefined;
}

/** The key, integration and connection named by a call, as sent. */
export interface CallerClaim {
  readonly secretKey: string;
  /** The role that calls instead of a key. */
  readonly role?: SigningRole | undefined;
  /** The key's record of a caller that was authenticated otherwise; then no sent key is looked up. */
  readonly key?: SecretKeyRecord;
  readonly integrationId: string;
  readonly connectionId: string;
  readonly sourceIp: string;
}

/** Without a judge of limits, limited keys are refused. */
const CLOSED: ReachGate = { reach: () => Promise.reject(new Error('Nothing judges the limits of keys here')) };

/** Resolves callers of the proxy; the three records come from the cache or from one batch read. */
export class CallerDirectory {
  readonly #store: CallerStore;
  readonly #clock: Clock;
  readonly #gate: CallerGate;
  readonly #limits: ReachGate;
  readonly #keys = new BoundedCache<SecretKeyRecord>(CACHE_MAX_ENTRIES);
  readonly #integrations = new BoundedCache<Integration>(CACHE_MAX_ENTRIES);
  /** By account; read with its integrations. */
  readonly #dayUses = new BoundedCache<StoredDayUse>(CACHE_MAX_ENTRIES);
  readonly #connections = new BoundedCache<LiveConnection>(CACHE_MAX_ENTRIES);

  constructor(store: CallerStore, clock: Clock, gate: CallerGate, limits: ReachGate = CLOSED) {
    this.#store = store;
    this.#clock = clock;
    this.#gate = gate;
    this.#limits = limits;
  }

  /**
   * @throws GatewayError `invalid_secret_key` (one answer for every wrong key), `unknown_role`, `forbidden`, `unknown_integration`,
   * `unknown_connection`: the same for a missing or deleted one, another account's, and one outside the key's limits (AK-3,
   * PX-19, PX-20, LK-13); `limited_by_key`, `key_expired`, `confirmation_required`, `rate_limited`
   */
  async resolve(claim: CallerClaim): Promise<Caller> {
    return claim.connectionId.startsWith(SUBJECT_PREFIX) ? this.#resolveSubject(claim) : this.#resolve(claim);
  }

  /**
   * A call that names a user instead of a connection. The caller is authenticated before any answer about the user, and the address is
   * replaced by its id from here on. Integrations with OAuth clients may have connections of such names.
   */
  async #resolveSubject(claim: CallerClaim): Promise<Caller> {
    const { keyHash, accountId } = credentialOf(claim.secretKey, claim.role);
    const ref = { accountId, integrationId: claim.integrationId };
    const nowMs = this.#clock.nowMs();
    const known = {
      key: this.#keys.get(keyHash, nowMs),
      integration: this.#integrations.get(integrationRefKey(ref), nowMs),
    };
    if (known.key === undefined || known.integration === undefined) {
      const loaded = await this.#store.load({
        keyHash,
        integration: ref,
        connection: undefined,
        dayUseOf: this.#dayWanted(accountId, nowMs),
      });
      known.key = acceptedKey(loaded.key, { keyHash, accountId });
      known.integration = this.rememberIntegration(loaded.integration);
      this.#rememberDay(accountId, loaded.dayUse);
    }
    const { key, integration } = known;
    if (key === undefined || integration?.delegation === undefined) return this.#resolve(claim);
    if (key.right !== 'full') {
      throw new GatewayError(
        'forbidden',
        'Only a secret key of the right full may name a user; send the Connection-Id.',
      );
    }
    const address = subjectOf(claim.connectionId.slice(SUBJECT_PREFIX.length));
    if (address === undefined || !isAllowedSubject(address, integration.delegation.subjects)) {
      throw new GatewayError(...SUBJECT_NOT_ALLOWED);
    }
    return this.#resolve({ ...claim, connectionId: connectionIdOfSubject(integration.delegation, address) });
  }

  async #resolve(claim: CallerClaim): Promise<Caller> {
    const { role } = claim;
    const credential = claim.key ?? credentialOf(claim.secretKey, role);
    const { keyHash, accountId } = credential;
    const integrationRef = { accountId, integrationId: claim.integrationId };
    const connectionRef = { ...integrationRef, connectionId: claim.connectionId };
    const connectionKey = connectionRefKey(connectionRef);
    const nowMs = this.#clock.nowMs();

    let key = claim.key ?? this.#keys.get(keyHash, nowMs);
    // A cached key is counted before anything is read; a new one as soon as it is known to be valid.
    if (key !== undefined) this.#gate.countKey(keyHash, nowMs);
    else if (this.#gate.isSuspect(claim.sourceIp, nowMs)) {
      const alone = await this.#store.load({ keyHash, integration: undefined, connection: undefined });
      key = this.#acceptKey(alone.key, credential, nowMs);
      if (key === undefined) throw unknownCaller(role);
    }
    let integration = this.#integrations.get(integrationRefKey(integrationRef), nowMs);
    let live = this.#connections.get(connectionKey, nowMs);
    if (key === undefined || integration === undefined || live === undefined) {
      const loaded = await this.#store.load({
        keyHash: key === undefined ? keyHash : undefined,
        integration: integration === undefined ? integrationRef : undefined,
        connection: live === undefined ? connectionRef : undefined,
        dayUseOf: integration === undefined ? this.#dayWanted(accountId, nowMs) : undefined,
      });
      key ??= this.#acceptKey(loaded.key, credential, nowMs);
      integration ??= this.rememberIntegration(loaded.integration);
      this.#rememberDay(accountId, loaded.dayUse);
      live ??=
        loaded.connection === undefined
          ? undefined
          : this.remember({ connection: loaded.connection, accessToken: undefined });
    }
    if (key === undefined) throw unknownCaller(role);
    assertSameRole(key, role);
    if (key.integrationIds !== undefined && !key.integrationIds.includes(claim.integrationId)) {
      throw new GatewayError('forbidden', 'This secret key is limited to other integrations.');
    }
    if (integration === undefined || live === undefined || live.connection.status === 'deleted') {
      // The first read is eventually consistent: a record that was just created may be missing.
      const current = await this.#store.load({
        keyHash: undefined,
        integration: integration === undefined ? integrationRef : undefined,
        connection: connectionRef,
        isConsistent: true,
      });
      integration ??= this.rememberIntegration(current.integration);
      const found = current.connection;
      live = found === undefined ? undefined : this.remember({ connection: found, accessToken: undefined });
    }
    // Before any answer about the connection, and before the call counts against it.
    const observedLimit =
      key.limits === undefined
        ? undefined
        : await this.#limits.reach(key, { ...claim, tags: live?.connection.tags }, nowMs);
    if (integration === undefined) {
      throw new GatewayError(
        'unknown_integration',
        'There is no integration with this Provider-Config-Key. GET /integrations lists them.',
      );
    }
    if (live === undefined || live.connection.status === 'deleted') {
      const unconfirmed = await findUnconfirmed(this.#clock, connectionRef, (ref) => this.#store.unconfirmed(ref));
      throw unconfirmed === undefined ? unknownConnection('Connection-Id') : confirmationRequired(unconfirmed);
    }
    this.#gate.countConnection(connectionKey, connectionRef, integration.provider, nowMs);
    return { key, integration, live, observedLimit, dayUse: this.#dayUses.get(accountId, nowMs) };
  }

  /**
   * Caches a newer state of a connection, with its token when known. Only an active connection is cached: a dead or deleted one is read
   * at each call, because it works again as soon as it is authorized or created again.
   */
  remember(live: LiveConnection): LiveConnection {
    const { connection } = live;
    if (connection.status === 'active') {
      const untilMs = this.#clock.nowMs() + CONNECTION_CACHE_MS;
      this.#connections.set(connectionRefKey(connection), live, untilMs);
    } else {
      this.forget(connection);
    }
    return live;
  }

  /** Removes a connection from the cache: the next call reads it again. */
  forget(connection: Connection): void {
    this.#connections.delete(connectionRefKey(connection));
  }

  /** Records a use in memory, so that calls of the next ten minutes do not write it again. */
  touch(connection: Connection, nowEpochSec: number): void {
    const nowMs = this.#clock.nowMs();
    const key = connectionRefKey(connection);
    const live = this.#connections.get(key, nowMs);
    if (live === undefined) return;
    this.#connections.update(key, {
      connection: { ...live.connection, lastUsedAtEpochSec: nowEpochSec },
      accessToken: live.accessToken,
    });
  }

  rememberIntegration(integration: Integration | undefined): Integration | undefined {
    if (integration !== undefined) {
      this.#integrations.set(integrationRefKey(integration), integration, this.#clock.nowMs() + KEY_CACHE_MS);
    }
    return integration;
  }

  #rememberDay(accountId: string, dayUse: StoredDayUse | undefined): void {
    if (dayUse === undefined) return;
    const rememberedMs = dayUse.fullest < DAY_USE_READ_OFTEN_SHARE ? DAY_USE_CACHE_MS : KEY_CACHE_MS;
    this.#dayUses.set(accountId, dayUse, this.#clock.nowMs() + rememberedMs);
  }

  /** The account whose day's use is to be read with the other records; undefined while it is cached. */
  #dayWanted(accountId: string, nowMs: number): string | undefined {
    return this.#dayUses.get(accountId, nowMs) === undefined ? accountId : undefined;
  }

  /** Remembers and counts a key that counts. */
  #acceptKey(record: SecretKeyRecord | undefined, credential: Credential, nowMs: number): SecretKeyRecord | undefined {
    const key = acceptedKey(record, credential);
    if (key === undefined) return undefined;
    this.#keys.set(key.keyHash, key, nowMs + KEY_CACHE_MS);
    this.#gate.countKey(key.keyHash, nowMs);
    return key;
  }
}
