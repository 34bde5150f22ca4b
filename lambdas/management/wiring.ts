import { auditTrail } from '../shared/adapters/dynamodb/audit-trail.ts';
import { revocationStore } from '../shared/adapters/dynamodb/revocation-store.ts';
import { secretKeyStore } from '../shared/adapters/dynamodb/secret-key-store.ts';
import { connectSessionStore } from '../shared/adapters/dynamodb/session-store.ts';
import { clientSecretStore } from '../shared/adapters/secrets-manager/client-secret-store.ts';
import { allProviders, providerOf } from '../shared/providers/index.ts';
import { KeyDirectory } from '../shared/use-cases/authenticate-key.ts';
import { layFoundation, makeRefresher } from '../shared/wiring.ts';
import type { Services } from './services.ts';

/** Opens everything once per cold start. @throws Error naming every wrong setting */
export function openServices(): Services {
  const foundation = layFoundation('management');
  const { config, table, secretsManager } = foundation;
  const secretKeys = secretKeyStore(table);
  return {
    ...foundation,
    baseUrl: config.baseUrl,
    connectReturnUrls: config.connectReturnUrls,
    endpoints: config.google,
    providers: allProviders(),
    providerOf,
    secretKeys,
    keys: new KeyDirectory({ ...foundation, secretKeys }),
    clientSecrets: clientSecretStore(secretsManager, config.secretPrefix),
    sessions: connectSessionStore(table),
    audit: auditTrail(table),
    revocations: revocationStore(table),
    refresher: makeRefresher(foundation),
  };
}
