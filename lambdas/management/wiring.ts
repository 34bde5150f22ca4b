import { auditTrail } from '../shared/adapters/dynamodb/audit-trail.ts';
import { censusStore } from '../shared/adapters/dynamodb/census-store.ts';
import { rateCounter } from '../shared/adapters/dynamodb/rate-counter.ts';
import { revocationList } from '../shared/adapters/dynamodb/revocation-list.ts';
import { revocationStore } from '../shared/adapters/dynamodb/revocation-store.ts';
import { secretKeyStore } from '../shared/adapters/dynamodb/secret-key-store.ts';
import { connectSessionStore } from '../shared/adapters/dynamodb/session-store.ts';
import { unconfirmedGrantStore } from '../shared/adapters/dynamodb/unconfirmed-store.ts';
import { openEgress } from '../shared/adapters/http/egress.ts';
import { operatorTokenVerifier } from '../shared/adapters/oidc/operator-token-verifier.ts';
import { clientSecretStore } from '../shared/adapters/secrets-manager/client-secret-store.ts';
import { testCredentialsStore } from '../shared/adapters/secrets-manager/test-credentials-store.ts';
import { allProviders, providerOf } from '../shared/providers/index.ts';
import { KeyDirectory } from '../shared/use-cases/keys/authenticate-key.ts';
import { layFoundation, makeAdmission, makeRefresher } from '../shared/wiring.ts';
import type { Services } from './services.ts';

/** Opens everything once per cold start. @throws Error naming every wrong setting */
export function openServices(): Services {
  const foundation = layFoundation('management');
  const { config, table, secretsManager } = foundation;
  const secretKeys = secretKeyStore(table);
  const admission = makeAdmission(foundation);
  return {
    ...foundation,
    baseUrl: config.baseUrl,
    connectReturnUrls: config.connectReturnUrls,
    connectAllowedOrigins: config.connectAllowedOrigins.filter((origin) => origin !== config.dashboardOrigin),
    endpoints: config.google,
    providers: allProviders(),
    providerOf,
    secretKeys,
    keys: new KeyDirectory({ ...foundation, secretKeys, admission }),
    admission,
    operatorTokens:
      config.operators === undefined
        ? undefined
        : operatorTokenVerifier(openEgress(config.operators.loopbackIssuer), config.operators, foundation.clock),
    dashboardOrigin: config.dashboardOrigin,
    clientSecrets: clientSecretStore(secretsManager, config.secretPrefix, foundation.random),
    testCredentials: testCredentialsStore(secretsManager, config.testCredentialsArns),
    sessions: connectSessionStore(table),
    rates: rateCounter(table),
    audit: auditTrail(table),
    census: censusStore(table),
    revocations: revocationStore(table),
    unconfirmed: unconfirmedGrantStore(table),
    revocationList: revocationList(table),
    refresher: makeRefresher(foundation),
  };
}
