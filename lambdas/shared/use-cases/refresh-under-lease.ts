import type { Connection, RefreshLease, TokenSet } from '../domain/connection.ts';
import { sha256Hex } from '../domain/digest.ts';
import type { GrantDeath } from '../domain/grant-death.ts';
import { deathByCredentialChange, diagnoseDeadGrant } from '../domain/grant-diagnosis.ts';
import type { Integration } from '../domain/integration.ts';
import { CLIENT_FAULT_COOL_DOWN_SEC, REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT } from '../domain/limits.ts';
import type { ProviderEndpoints } from '../domain/provider.ts';
import { nextRefreshAt, refreshBackoffSec } from '../domain/token-freshness.ts';
import type { TokenJudgement } from '../domain/token-response.ts';
import type {
  ClientCredentialsSource,
  Clock,
  ConnectionStore,
  IntegrationStore,
  Logger,
  Metrics,
  Random,
  TokenCipher,
  TokenEndpoint,
} from '../ports.ts';
import { callTokenEndpoint } from './call-token-endpoint.ts';
import { accessTokenContext, refreshTokenContext } from './cipher-contexts.ts';
import { newEvent } from './record-event.ts';
import type { RefreshOutcome } from './refresh-connection.ts';

export interface LeaseHolderDependencies {
  readonly connections: ConnectionStore;
  readonly integrations: IntegrationStore;
  readonly credentials: ClientCredentialsSource;
  readonly tokenEndpoint: TokenEndpoint;
  readonly endpoints: ProviderEndpoints;
  readonly cipher: TokenCipher;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** What the holder of a lease knows. */
export interface HeldAttempt {
  readonly connection: Connection;
  readonly integration: Integration;
  readonly lease: RefreshLease;
  readonly refreshToken: string;
  /** SHA-256 of the refresh token of an earlier attempt that never closed. */
  readonly lostHash: string | undefined;
  readonly requestId: string;
}

/** Refreshes under a lease: one token call (and its permitted repeats), then one write fenced by the lease's epoch. */
export class LeaseHolder {
  readonly #deps: LeaseHolderDependencies;

  constructor(deps: LeaseHolderDependencies) {
    this.#deps = deps;
  }

  async refresh(attempt: HeldAttempt): Promise<RefreshOutcome> {
    const outcome = await this.#refresh(attempt);
    this.#deps.metrics.count('Refresh', {
      outcome: outcome.kind,
      cause: outcome.kind === 'dead' ? outcome.death.cause : outcome.kind === 'client_fault' ? outcome.error : 'none',
    });
    return outcome;
  }

  async #refresh(attempt: HeldAttempt): Promise<RefreshOutcome> {
    const { connection, integration } = attempt;
    const call = await callTokenEndpoint(this.#deps, integration, connection.clientId, attempt.refreshToken);
    switch (call.kind) {
      case 'client_changed':
        return this.#die(attempt, deathByCredentialChange(this.#nowEpochSec()));
      case 'no_credentials':
        return this.#clientFault(attempt, 'credentials_missing');
      case 'unanswered':
        return this.#transient(attempt, call.reason, undefined, false);
      case 'judged':
        return this.#apply(attempt, call.judgement, call.ambiguousBefore);
    }
  }

  #apply(attempt: HeldAttempt, judgement: TokenJudgement, ambiguousBefore: boolean): Promise<RefreshOutcome> {
    switch (judgement.kind) {
      case 'tokens':
        return this.#store(attempt, judgement.tokens);
      case 'dead_grant':
        return this.#deadGrant(attempt, judgement, ambiguousBefore);
      case 'client_fault':
        return this.#clientFault(attempt, judgement.error);
      case 'transient':
        return this.#transient(attempt, judgement.reason, judgement.retryAfterSec, true);
    }
  }

  async #store(attempt: HeldAttempt, tokens: TokenSet): Promise<RefreshOutcome> {
    const { connection, integration, lease } = attempt;
    const { cipher, connections } = this.#deps;
    const nowEpochSec = this.#nowEpochSec();
    const rotated = tokens.refreshToken !== undefined && tokens.refreshToken !== attempt.refreshToken;
    const [encryptedAccessToken, encryptedRefreshToken] = await Promise.all([
      cipher.encrypt(accessTokenContext(connection), tokens.accessToken),
      rotated && tokens.refreshToken !== undefined
        ? cipher.encrypt(refreshTokenContext(connection), tokens.refreshToken)
        : undefined,
    ]);
    const stored = {
      encryptedAccessToken,
      encryptedRefreshToken,
      accessTokenExpiresAtEpochSec: tokens.accessTokenExpiresAtEpochSec,
      grantedScopes: tokens.grantedScopes ?? connection.grantedScopes,
      refreshAtEpochSec: nextRefreshAt(
        connection,
        tokens.accessTokenExpiresAtEpochSec,
        connection.lastUsedAtEpochSec,
        nowEpochSec,
      ),
      nowEpochSec,
    };
    const written = await connections.storeTokens(connection, lease, stored);
    if (integration.clientFault !== undefined) await this.#integrationRecovered(attempt);
    if (!written) return this.#superseded(attempt, tokens);
    return {
      kind: 'fresh',
      accessToken: tokens.accessToken,
      connection: {
        ...connection,
        encryptedAccessToken,
        encryptedRefreshToken: encryptedRefreshToken ?? connection.encryptedRefreshToken,
        accessTokenExpiresAtEpochSec: stored.accessTokenExpiresAtEpochSec,
        grantedScopes: stored.grantedScopes,
        epoch: lease.epoch,
        tokenEpoch: lease.epoch,
        refreshLease: undefined,
        attemptHash: undefined,
        lostHash: undefined,
        retryAtEpochSec: undefined,
        failureCount: 0,
        refreshAtEpochSec: stored.refreshAtEpochSec,
        lastRefreshedAtEpochSec: nowEpochSec,
      },
    };
  }

  /** The write was refused: somebody with a later epoch owns the row. What we got may still serve the call in hand. */
  async #superseded(attempt: HeldAttempt, tokens: TokenSet): Promise<RefreshOutcome> {
    this.#deps.metrics.count('RefreshSuperseded');
    const current = await this.#deps.connections.read(attempt.connection);
    if (current === undefined || current.status === 'deleted') return { kind: 'gone' };
    if (current.death !== undefined) return { kind: 'dead', connection: current, death: current.death };
    if (current.tokenEpoch > attempt.connection.tokenEpoch) {
      return { kind: 'fresh', connection: current, accessToken: undefined };
    }
    return { kind: 'fresh', connection: attempt.connection, accessToken: tokens.accessToken };
  }

  async #deadGrant(
    attempt: HeldAttempt,
    answer: { readonly error: string; readonly subtype: string | undefined },
    ambiguousBefore: boolean,
  ): Promise<RefreshOutcome> {
    const { connections, cipher } = this.#deps;
    const current = await connections.read(attempt.connection);
    if (current === undefined || current.status === 'deleted') return { kind: 'gone' };
    if (current.death !== undefined) return { kind: 'dead', connection: current, death: current.death };
    // The stored token is not the one that was refused: a newer grant has arrived meanwhile, and it counts (F16, F18).
    if (current.encryptedRefreshToken !== undefined && current.tokenEpoch !== attempt.connection.tokenEpoch) {
      const stored = await cipher.decrypt(refreshTokenContext(current), current.encryptedRefreshToken);
      if (stored !== attempt.refreshToken) return { kind: 'fresh', connection: current, accessToken: undefined };
    }
    const { publishingStatus, audience } = attempt.integration;
    const death = diagnoseDeadGrant(
      answer,
      {
        grantedScopes: current.grantedScopes,
        consentedAtEpochSec: current.consentedAtEpochSec,
        lastRefreshedAtEpochSec: current.lastRefreshedAtEpochSec,
        refreshTokenExpiresAtEpochSec: current.refreshTokenExpiresAtEpochSec,
        externalTesting: publishingStatus === 'testing' && audience === 'external',
        newerGrantsOfAccount: await this.#newerGrants(current),
        rotationLost: ambiguousBefore || attempt.lostHash === sha256Hex(attempt.refreshToken),
      },
      this.#nowEpochSec(),
    );
    return this.#die(attempt, death);
  }

  async #newerGrants(connection: Connection): Promise<number | undefined> {
    const subject = connection.providerAccount?.subject;
    if (subject === undefined) return undefined;
    try {
      const sharers = await this.#deps.connections.sharingGrant(
        connection.clientId,
        subject,
        REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT * 2,
      );
      return sharers.filter(
        (sharer) =>
          sharer.clientId === connection.clientId && sharer.consentedAtEpochSec > connection.consentedAtEpochSec,
      ).length;
    } catch (error) {
      // The diagnosis is less sure without this; the death must be recorded all the same.
      this.#deps.logger.warn('grant history could not be read', { code: error instanceof Error ? error.name : 'unknown' });
      return undefined;
    }
  }

  /** Marks the connection and writes its one event, unless a later epoch owns the row. */
  async #die(attempt: HeldAttempt, death: GrantDeath): Promise<RefreshOutcome> {
    const { connections, clock, random } = this.#deps;
    for (let round = 0; round < 3; round++) {
      const current = await connections.read(attempt.connection);
      if (current === undefined || current.status === 'deleted') return { kind: 'gone' };
      if (current.death !== undefined) return { kind: 'dead', connection: current, death: current.death };
      if (current.epoch !== attempt.lease.epoch) return { kind: 'busy', connection: current };
      const event = newEvent(clock, random, 'ConnectionReauthorizationRequired', {
        subject: refOf(current),
        sequence: current.sequence + 1,
        endUserId: current.endUser?.id,
        cause: death.cause,
        remedy: death.remedy,
        requestId: attempt.requestId,
      });
      if (await connections.markDead(current, attempt.lease, death, event)) {
        return { kind: 'dead', death, connection: { ...current, status: 'reauthorization_required', death } };
      }
    }
    return { kind: 'transient', reason: 'conflicting_writes', retryAfterSec: 1 };
  }

  async #clientFault(attempt: HeldAttempt, error: string): Promise<RefreshOutcome> {
    const { connections, integrations, clock, random } = this.#deps;
    const nowEpochSec = this.#nowEpochSec();
    const retryAtEpochSec = nowEpochSec + CLIENT_FAULT_COOL_DOWN_SEC;
    const { integration } = attempt;
    const ref = { accountId: integration.accountId, integrationId: integration.integrationId };
    const current = (await integrations.get(ref)) ?? integration;
    await integrations.markClientFault(
      ref,
      { error, sinceEpochSec: current.clientFault?.sinceEpochSec ?? nowEpochSec, retryAtEpochSec },
      newEvent(clock, random, 'IntegrationCredentialsRejected', {
        subject: ref,
        sequence: current.sequence + 1,
        cause: error,
        remedy: 'Correct the OAuth client id and secret of this integration; its connections are not at fault.',
        requestId: attempt.requestId,
      }),
    );
    await connections.releaseLease(attempt.connection, attempt.lease, {
      retryAtEpochSec,
      failureCount: attempt.connection.failureCount,
      answered: true,
    });
    return { kind: 'client_fault', error, retryAfterSec: CLIENT_FAULT_COOL_DOWN_SEC };
  }

  async #integrationRecovered(attempt: HeldAttempt): Promise<void> {
    const { integrations, clock, random } = this.#deps;
    const ref = { accountId: attempt.integration.accountId, integrationId: attempt.integration.integrationId };
    const current = await integrations.get(ref);
    if (current?.clientFault === undefined) return;
    await integrations.clearClientFault(
      ref,
      newEvent(clock, random, 'IntegrationRecovered', {
        subject: ref,
        sequence: current.sequence + 1,
        requestId: attempt.requestId,
      }),
    );
  }

  async #transient(
    attempt: HeldAttempt,
    reason: string,
    retryAfterSec: number | undefined,
    answered: boolean,
  ): Promise<RefreshOutcome> {
    const failureCount = attempt.connection.failureCount + 1;
    const waitSec = refreshBackoffSec(failureCount - 1, retryAfterSec, this.#deps.random.number());
    await this.#deps.connections.releaseLease(attempt.connection, attempt.lease, {
      retryAtEpochSec: this.#nowEpochSec() + waitSec,
      failureCount,
      answered,
    });
    this.#deps.logger.warn('refresh failed for now', {
      accountId: attempt.connection.accountId,
      integrationId: attempt.connection.integrationId,
      cause: reason,
      requestId: attempt.requestId,
    });
    return { kind: 'transient', reason, retryAfterSec: waitSec };
  }

  #nowEpochSec(): number {
    return Math.floor(this.#deps.clock.nowMs() / 1000);
  }
}

function refOf(connection: Connection) {
  return {
    accountId: connection.accountId,
    integrationId: connection.integrationId,
    connectionId: connection.connectionId,
  };
}
