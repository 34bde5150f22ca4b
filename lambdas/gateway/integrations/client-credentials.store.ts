import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CLIENT_CREDENTIALS_CACHE_MS, CLIENT_CREDENTIALS_REREAD_MS } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import { readSecret } from '../platform/secret-reader.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
import type { ReadableSecretRows } from './client-secret-rows.store.ts';
import { type ClientCredentials, type Integration, isOfOtherAccount, isRowName } from './integration.rules.ts';
import type { ClientCredentialsSource, IntegrationStore } from './ports.ts';

interface CacheEntry {
  readonly credentials: Promise<ClientCredentials | undefined>;
  readonly readAtMs: number;
  readonly untilMs: number;
}

/** Where client secrets are. */
export interface ClientSecretPlaces {
  readonly client: SecretsManagerClient;
  readonly rows: ReadableSecretRows;
}

/** A secret's text, wherever it is; undefined where there is none. */
export function readClientSecret({ client, rows }: ClientSecretPlaces, secretId: string): Promise<string | undefined> {
  return isRowName(secretId) ? rows.read(secretId) : readSecret(client, secretId);
}

/**
 * OAuth clients from Secrets Manager or the table: an integration's own secret `{client_id, current, previous?}`, or the operator's
 * test credentials `{client_id, client_secret}`. Cached for minutes; one fetch in flight per secret (F49).
 */
export function clientCredentialsSource(
  places: ClientSecretPlaces & { readonly integrations: Pick<IntegrationStore, 'secretIdOf'> },
  testCredentialsSecretOf: (provider: ProviderId) => string,
  clock: Clock,
): ClientCredentialsSource {
  const cache = new Map<string, CacheEntry>();
  const read = (secretId: string): Promise<ClientCredentials | undefined> => {
    const credentials = readClientSecret(places, secretId).then((text) => parseClientCredentials(text));
    const readAtMs = clock.nowMs();
    cache.set(secretId, { credentials, readAtMs, untilMs: readAtMs + CLIENT_CREDENTIALS_CACHE_MS });
    // Neither a failure nor a missing client is cached.
    credentials.then(
      (value) => value === undefined && cache.delete(secretId),
      () => cache.delete(secretId),
    );
    return credentials;
  };
  /** What a record names that may be a minute old: its secret may have been moved since. */
  const readNow = async (integration: Integration, secretId: string) => {
    const credentials = await read(secretId);
    if (credentials !== undefined || integration.credentialsSource === 'test') return credentials;
    const movedTo = await places.integrations.secretIdOf(integration);
    if (movedTo === undefined || movedTo === secretId) return undefined;
    const now = secretIdOf({ ...integration, secretId: movedTo }, testCredentialsSecretOf);
    return now === undefined ? undefined : read(now);
  };
  return {
    async get(integration, options) {
      const secretId = secretIdOf(integration, testCredentialsSecretOf);
      const isKey = integration.delegation !== undefined;
      if (secretId === undefined || isKey !== (options?.delegated === true)) return undefined;
      const cached = cache.get(secretId);
      if (cached === undefined || cached.untilMs <= clock.nowMs() || options?.fresh === true) {
        return readNow(integration, secretId);
      }
      const credentials = await cached.credentials;
      const expected = integration.credentialsSource === 'own' ? integration.clientId : undefined;
      if (expected === undefined || credentials?.clientId === expected) return credentials;
      // The integration got another client since: a flow with the cached one would end in a dead grant (CS-13).
      return clock.nowMs() - cached.readAtMs < CLIENT_CREDENTIALS_REREAD_MS ? credentials : read(secretId);
    },
  };
}

function secretIdOf(
  integration: Integration,
  testCredentialsSecretOf: (provider: ProviderId) => string,
): string | undefined {
  const { accountId, credentialsSource, provider, secretId } = integration;
  if (credentialsSource === 'test') return testCredentialsSecretOf(provider);
  // A record that was tampered with may name it.
  return secretId !== undefined && isOfOtherAccount(secretId, accountId) ? undefined : secretId;
}

/** Parses both forms; undefined for any other text, which then fails only that integration (F50). */
export function parseClientCredentials(text: string | undefined): ClientCredentials | undefined {
  const json = parseObject(text ?? '');
  const clientId = json?.client_id;
  const clientSecret = json?.current ?? json?.client_secret;
  if (typeof clientId !== 'string' || clientId === '') return undefined;
  if (typeof clientSecret !== 'string' || clientSecret === '') return undefined;
  const previous = json?.previous;
  return {
    clientId,
    clientSecret,
    previousClientSecret: typeof previous === 'string' && previous !== '' ? previous : undefined,
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
