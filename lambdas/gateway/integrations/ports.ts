/** Ports of integrations: their rows and their secrets. */
import type { IntegrationRef } from '../core/identifiers.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
import type { SuspectedFault } from './client-fault.rules.ts';
import type { ClientCredentials, ClientFaultMark, Integration } from './integration.rules.ts';

export interface IntegrationStore {
  get(ref: IntegrationRef): Promise<Integration | undefined>;
  /** The name of its secret, even where the rest of the row is unreadable; undefined where it has none. */
  secretIdOf(ref: IntegrationRef): Promise<string | undefined>;
  /** Newest first; with `most`, only that many in order of their ids are read. */
  list(accountId: string, most?: number): Promise<Integration[]>;
  /** False when the id is taken. */
  create(integration: Integration, event: LifecycleEvent): Promise<boolean>;
  /** Replaces the operator's settings, if the version matches; false on a conflict. */
  update(integration: Integration, expectedVersion: number, event: LifecycleEvent): Promise<boolean>;
  delete(ref: IntegrationRef, event: LifecycleEvent): Promise<boolean>;
  /** Moves an integration to another id, all or nothing. `taken`: the new id is in use; `conflict`: the old one has changed. */
  rename(from: Integration, to: Integration, event: LifecycleEvent): Promise<'renamed' | 'taken' | 'conflict'>;
  /** Sets or moves the mark; the event is written only when there was none. */
  markClientFault(ref: IntegrationRef, mark: ClientFaultMark, event: LifecycleEvent): Promise<void>;
  /** Replaces the suspicion about the OAuth client; false when another process was faster. */
  noteSuspicion(ref: IntegrationRef, before: SuspectedFault | undefined, next: SuspectedFault): Promise<boolean>;
  /** Records the consent that showed the app to be in Testing at the provider (`seen`), or no longer (`over`). */
  noteTesting(ref: IntegrationRef, what: 'seen' | 'over', consentedAtEpochSec: number): Promise<void>;
  /** Records the first success of the integration's current OAuth client. */
  noteClientWorks(integration: IntegrationRef & Pick<Integration, 'clientId'>, nowEpochSec: number): Promise<void>;
  /** Removes the mark with its event, once; the client counts as working from then on. */
  clearClientFault(ref: IntegrationRef, event: LifecycleEvent): Promise<void>;
}

/** Where an integration's own OAuth client secret is kept. */
export interface ClientSecretStore {
  /** A new, unused name for a secret of this integration. */
  newName(ref: IntegrationRef): string;
  /** Whether a secret is where the deployment keeps new ones. */
  isInPlace(secretId: string): boolean;
  /** Makes the secret of a new name. */
  create(secretId: string, credentials: ClientCredentials): Promise<void>;
  /**
   * Whether a secret belongs to this stack and account: a record restored from another stack's backup names that one's, and a record that
   * was tampered with may name that of another account.
   */
  isOwn(accountId: string, secretId: string): boolean;
  /** Undefined for a missing one, and for one of another stack or account. */
  read(accountId: string, secretId: string): Promise<ClientCredentials | undefined>;
  /** Replaces a secret's value, and creates the secret where it is missing. @throws Error for one of another stack or account */
  write(accountId: string, secretId: string, credentials: ClientCredentials): Promise<void>;
  /** Makes it unreadable; its name stays reserved for a while. Does nothing for a missing one or one of another stack or account. */
  delete(accountId: string, secretId: string): Promise<void>;
}

/** Where the operator's OAuth client for test connections of a provider is kept. */
export interface TestCredentialsStore {
  read(provider: ProviderId): Promise<ClientCredentials | undefined>;
  write(provider: ProviderId, client: { readonly clientId: string; readonly clientSecret: string }): Promise<void>;
  /** Empties the container; does nothing for an empty one. */
  clear(provider: ProviderId): Promise<void>;
}

/** Where a function that reads no secret finds the id of an OAuth client. */
export interface ClientIdSource {
  /** The id of the integration's OAuth client; undefined without one. */
  clientIdOf(integration: Integration): Promise<string | undefined>;
}

/** Where those who read the secret of test credentials note its client id. */
export interface TestClientNotes {
  /** Notes the client id of a provider's test credentials; undefined: there are none. */
  note(provider: ProviderId, clientId: string | undefined): Promise<void>;
}

export interface ClientCredentialsSource {
  /**
   * The integration's OAuth client, or undefined without one. `fresh` bypasses the cache. `delegated` requests the key of a service
   * account, which is returned only for this option (SA-26).
   */
  get(
    integration: Integration,
    options?: { readonly fresh?: boolean; readonly delegated?: boolean },
  ): Promise<ClientCredentials | undefined>;
}
