import { openGrantParts } from '../features/grant-parts.ts';
import { newClientSecretsIn } from '../gateway/config.ts';
import { clientSecretRows } from '../gateway/integrations/client-secret-rows.store.ts';
import { testClientNotes } from '../gateway/integrations/test-client.store.ts';
import { keyUseNotes } from '../gateway/keys/key-uses.store.ts';
import { DESCRIBED_METHODS } from '../gateway/providers/described.ts';
import { makeBackgroundCalls, makeDelegation, makeFullRefresher, openSharedDependencies } from '../gateway/wiring.ts';
import { noteToWrite } from '../management/creations/request-notes.store.ts';
import { clientSecretStore } from '../management/integrations/client-secret.store.ts';
import { testCredentialsStore } from '../management/integrations/test-credentials.store.ts';
import type { GrantServices } from '../management/services.ts';
import { servicesOf } from '../management/wiring.ts';

/** Opens everything once per cold start. @throws Error naming every wrong setting */
export function openGrantServices(): GrantServices {
  const shared = openSharedDependencies('grants', noteToWrite);
  const { config, table, secretsManager } = shared;
  const refresher = makeFullRefresher(shared);
  return {
    ...servicesOf(shared, keyUseNotes(table)),
    described: DESCRIBED_METHODS,
    credentials: shared.credentials,
    clientSecrets: clientSecretStore(
      { client: secretsManager, rows: clientSecretRows(table, shared.cipher), newIn: newClientSecretsIn() },
      config.secretPrefix,
      shared.random,
    ),
    testCredentials: testCredentialsStore(secretsManager, config.testCredentialsSecretOf, testClientNotes(table)),
    refresher,
    delegation: makeDelegation(shared),
    checks: makeBackgroundCalls(shared, 'checks'),
    parts: openGrantParts({ ...shared, refresher }),
  };
}
