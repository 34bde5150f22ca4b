/** What integrations need from outside: their rows and the secrets that belong to them. */
import type { IntegrationRef } from '../core/identifiers.ts';
import type { LifecycleEvent } from '../events/lifecycle-event.rules.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
import type { SuspectedFault } from './client-fault.rules.ts';
import type { ClientCredentials, ClientFaultMark, Integration } from './integration.rules.ts';

export interface IntegrationStore {
  get(ref: IntegrationRef): Promise<Integration | undefined>;
  /** The name of its secret, also where the rest of the row cannot be read; undefined where it has none. */
  secretIdOf(ref: IntegrationRef): Promise<string | undefined>;
  /** Newest first; with `most`, that many in order of their ids are read and no more. */
  list(accountId: string, most?: number): Promise<Integration[]>;
  /** False when the id is taken. */
  create(integration: Integration, event: LifecycleEvent): Promise<boolean>;
  /** Replaces what an operator may change, on condition of the version; false on a conflict. */
  update(integration: Integration, expectedVersion: number, event: LifecycleEvent): Promise<boolean>;
  delete(ref: IntegrationRef, event: LifecycleEvent): Promise<boolean>;
  /** Moves an integration to another id, all or nothing. `taken`: the new id is in use; `conflict`: the old one has changed. */
  rename(from: Integration, to: Integration, event: LifecycleEvent): Promise<'renamed' | 'taken' | 'conflict'>;
  /** Sets or moves the mark; the event is written only when there was none. */
  markClientFault(ref: IntegrationRef, mark: ClientFaultMark, event: LifecycleEvent): Promise<void>;
  /** Notes what is suspected of the OAuth client instead of what was; false when another process was faster. */
  noteSuspicion(ref: IntegrationRef, before: SuspectedFault | undefined, next: SuspectedFault): Promise<boolean>;
  /** Notes the consent that showed the provider to treat the app as in Testing (`seen`), or no longer to (`over`). */
  noteTesting(ref: IntegrationRef, what: 'seen' | 'over', consentedAtEpochSec: number): Promise<void>;
  /** Notes the first success of the OAuth client that the integration has. */
  noteClientWorks(integration: IntegrationRef & Pick<Integration, 'clientId'>, nowEpochSec: number): Promise<void>;
  /** Removes the mark with its event, once; the client works from then on. */
  clearClientFault(ref: IntegrationRef, event: LifecycleEvent): Promise<void>;
}

/** Where an integration's own OAuth client secret is kept. */
export interface ClientSecretStore {
  /** A name for a secret of this integration that no secret has had before. */
  newName(ref: IntegrationRef): string;
  /** Makes the secret of a new name. */
  create(secretId: string, credentials: ClientCredentials): Promise<void>;
  /** Whether a secret is this stack's: a record that was restored from another's backup names that one's. */
  isOwn(secretId: string): boolean;
  /** Undefined for a missing one, and for one of another stack. */
  read(secretId: string): Promise<ClientCredentials | undefined>;
  /** Replaces what a secret holds, and makes it where there is none. */
  write(secretId: string, credentials: ClientCredentials): Promise<void>;
  /** Cannot be read from now on; its name stays taken for a while. A missing one is fine, and one of another stack stays. */
  delete(secretId: string): Promise<void>;
}

/** Where the operator's OAuth client for test connections of a provider is kept. */
export interface TestCredentialsStore {
  read(provider: ProviderId): Promise<ClientCredentials | undefined>;
  write(provider: ProviderId, client: { readonly clientId: string; readonly clientSecret: string }): Promise<void>;
  /** Leaves the container empty; an empty one is fine. */
  clear(provider: ProviderId): Promise<void>;
}

export interface ClientCredentialsSource {
  /**
   * The integration's OAuth client, or undefined when none is set up. `fresh` skips the cache. `delegated` asks for the key of a service
   * account, which is nobody's OAuth client and is given to nobody who does not say so (SA-26).
   */
  get(
    integration: Integration,
    options?: { readonly fresh?: boolean; readonly delegated?: boolean },
  ): Promise<ClientCredentials | undefined>;
}
