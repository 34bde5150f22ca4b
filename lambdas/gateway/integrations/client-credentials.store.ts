import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CLIENT_CREDENTIALS_CACHE_MS, CLIENT_CREDENTIALS_REREAD_MS } from '../core/limits.ts';
import type { Clock } from '../core/ports.ts';
import { readSecret } from '../platform/secret-reader.ts';
import type { ProviderId } from '../providers/provider.rules.ts';
import type { ClientCredentials, Integration } from './integration.rules.ts';
import type { ClientCredentialsSource } from './ports.ts';

interface CacheEntry {
  readonly credentials: Promise<ClientCredentials | undefined>;
  readonly readAtMs: number;
  readonly untilMs: number;
}

/**
 * OAuth clients from Secrets Manager: an integration's own secret `{client_id, current, previous?}`, or the operator's
 * test credentials `{client_id, client_secret}`. Cached for minutes; one fetch in flight per secret (F49).
 */
export function clientCredentialsSource(
  client: SecretsManagerClient,
  testCredentialsSecretOf: (provider: ProviderId) => string,
  clock: Clock,
): ClientCredentialsSource {
  const cache = new Map<string, CacheEntry>();
  const read = (secretId: string): Promise<ClientCredentials | undefined> => {
    const credentials = readSecret(client, secretId).then((text) => parseClientCredentials(text));
    const readAtMs = clock.nowMs();
    cache.set(secretId, { credentials, readAtMs, untilMs: readAtMs + CLIENT_CREDENTIALS_CACHE_MS });
    // Neither a failure nor a missing client is cached.
    credentials.then(
      (value) => value === undefined && cache.delete(secretId),
      () => cache.delete(secretId),
    );
    return credentials;
  };
  return {
    async get(integration, options) {
      const secretId = secretIdOf(integration, testCredentialsSecretOf);
      const isKey = integration.delegation !== undefined;
      if (secretId === undefined || isKey !== (options?.delegated === true)) return undefined;
      const cached = cache.get(secretId);
      if (cached === undefined || cached.untilMs <= clock.nowMs() || options?.fresh === true) return read(secretId);
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
  return integration.credentialsSource === 'test'
    ? testCredentialsSecretOf(integration.provider)
    : integration.secretId;
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
