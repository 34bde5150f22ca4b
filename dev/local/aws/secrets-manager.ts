/** Secrets Manager: the operations the functions and their tests use, with the errors the SDK parses. */
import { randomUUID } from 'node:crypto';
import { asArray, asObject, asString, type JsonObject } from '../../tools/json.ts';
import type { LocalSecret } from '../template/secrets-and-keys.ts';
import { AwsError } from './aws-error.ts';
import { generatedSecretString } from './random-password.ts';
import { secretAccess } from './secret-access.ts';
import { epochSec } from './secret-input.ts';
import { lookUp, putSecretValue, removeGone, type SecretsSwitches, secretOperations } from './secret-operations.ts';
import { addVersion, fromJson, type SecretRecord, toJson } from './secret-records.ts';
import type { AwsService } from './server.ts';
import { readStateFile, writeStateFile } from './state-file.ts';

export interface SecretsManager extends Omit<AwsService, 'switches'> {
  readonly deletion: SecretsSwitches;
  /** @throws AwsError as Secrets Manager would. */
  call(operation: string, input: JsonObject): JsonObject;
  /** The current value of a secret, or undefined while it has none. @param id its name or ARN */
  currentValue(id: string): string | undefined;
  /** Sets the current value of a secret; a name that there is none of makes one. */
  setValue(id: string, value: string): void;
}

/** Where new secrets live. */
export interface SecretsManagerOptions {
  statePath: string;
  /** `arn:aws:secretsmanager:<region>:<account>:secret:`. */
  arnPrefix: string;
  region: string;
  templateSecrets: readonly LocalSecret[];
}

/** "A short delay", says the API reference of a deletion without recovery; long enough for code to meet it. */
const DELETION_MS = 2_000;

/** Opens the service: template secrets are created once, everything else comes from the state file. */
export async function openSecretsManager(options: SecretsManagerOptions): Promise<SecretsManager> {
  const stored = await readStateFile(options.statePath);
  const secrets = new Map(
    asArray(stored ?? [], options.statePath).map((one) => [
      asString(asObject(one, 'secret').name, 'name'),
      fromJson(one),
    ]),
  );
  const save = (): void => writeStateFile(options.statePath, [...secrets.values()].map(toJson));
  for (const secret of options.templateSecrets) {
    const existing = secrets.get(secret.name);
    // Another region gives another ARN; the functions ask by the template's.
    if (existing === undefined) secrets.set(secret.name, fromTemplate(secret));
    else Object.assign(existing, { arn: secret.arn, keyArn: secret.keyArn });
  }
  save();

  const deletion: SecretsSwitches = { deletionMs: DELETION_MS };
  const operations = secretOperations(secrets, options.arnPrefix, deletion);
  return {
    deletion,
    access: (operation, input) => secretAccess(secrets, options.arnPrefix, options.region, operation, input),
    call(operation, input) {
      const run = operations[operation];
      if (run === undefined)
        throw new AwsError('NotEmulated', `Secrets Manager ${operation} is not emulated locally.`, 501);
      removeGone(secrets, Date.now());
      const output = run(input);
      save();
      return output;
    },
    currentValue(id) {
      const secret = lookUp(secrets, id);
      return secret?.versions.find((version) => version.stages.includes('AWSCURRENT'))?.secretString;
    },
    setValue(id, value) {
      const secret = lookUp(secrets, id);
      if (secret === undefined) operations.CreateSecret?.({ Name: id, SecretString: value });
      else putSecretValue(secret, { SecretString: value });
      save();
    },
  };
}

function fromTemplate(secret: LocalSecret): SecretRecord {
  const record: SecretRecord = {
    arn: secret.arn,
    name: secret.name,
    description: secret.description,
    keyArn: secret.keyArn,
    tags: [],
    createdAtEpochSec: epochSec(),
    deletedAtEpochSec: undefined,
    goneAtEpochMs: undefined,
    versions: [],
  };
  const value =
    secret.initialValue ?? (secret.generate === undefined ? undefined : generatedSecretString(secret.generate));
  if (value !== undefined)
    addVersion(record, randomUUID(), { secretString: value, secretBinary: undefined }, epochSec());
  return record;
}
