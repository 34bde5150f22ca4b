import { GatewayError } from '../../../lambdas/gateway/core/errors.ts';
import { integrationStore } from '../../../lambdas/gateway/integrations/integration.store.ts';
import type { KeyRight } from '../../../lambdas/gateway/keys/credentials.rules.ts';
import { secretKeyStore } from '../../../lambdas/gateway/keys/secret-key.store.ts';
import { systemClock, systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { openTable } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { creationGate } from '../../../lambdas/management/creations/creation-gate.store.ts';
import { createSecretKey, newSecretKey } from '../../../lambdas/management/keys/create-secret-key.ts';
import { mustConfirm } from '../ask.ts';
import { OPERATOR_LIMITS } from '../aws-limits.ts';
import { note, printJson, printLine } from '../output.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { explainAwsError } from './explain-aws-error.ts';

/** Options of `secret-keys create`. */
export interface SecretKeyOptions {
  readonly table: string;
  readonly account: string;
  readonly right: KeyRight;
  readonly integrations?: string[];
  readonly canReadCredentials?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** Makes a secret key on the table itself and prints it. @throws CommandProblem */
export async function makeSecretKey(name: string, options: SecretKeyOptions): Promise<void> {
  const { account: accountId, right, canReadCredentials = false } = options;
  const may = canReadCredentials ? `the right ${right} that may read tokens` : `the right ${right}`;
  await mustConfirm(`Create a secret key of ${accountId} with ${may}?`, options.yes === true);
  const table = openTable(options.table, undefined, OPERATOR_LIMITS);
  const deps = {
    secretKeys: secretKeyStore(table),
    integrations: integrationStore(table),
    clock: systemClock,
    random: systemRandom,
    creations: creationGate(table),
  };
  try {
    const { secretKey, stored } = newSecretKey(systemRandom, accountId);
    const record = await createSecretKey(deps, {
      ...stored,
      accountId,
      name,
      right,
      integrationIds: options.integrations,
      limits: undefined,
      canReadCredentials,
      requestId: 'secret-keys',
      actor: 'administrator',
      makerMayReadCredentials: true,
    });
    if (options.json === true) {
      return printJson({
        id: record.keyHash,
        name,
        right,
        integration_ids: record.integrationIds ?? null,
        can_read_credentials: record.canReadCredentials,
        created_at: record.createdAt,
        created_by: record.createdBy ?? null,
        hint: record.hint ?? null,
        secret_key: secretKey,
      });
    }
    note(`Key ${record.keyHash.slice(0, 12)} "${name}", right ${right}. It is shown only once:`);
    printLine(secretKey);
  } catch (error) {
    if (error instanceof GatewayError) throw new CommandProblem(error.message, EXIT.refused);
    throw explainAwsError(error);
  }
}
