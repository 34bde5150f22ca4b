/** The operations of Secrets Manager on secrets in memory; each answers as the service does or throws AwsError. */
import { randomBytes } from 'node:crypto';
import { asArray, type Json, type JsonObject, optionalString } from '../../tools/json.ts';
import { AwsError } from './aws-error.ts';
import { asText, epochSec, optionalKeyArn, optionalValue, token } from './secret-input.ts';
import { addVersion, findVersion, notFound, type SecretRecord } from './secret-records.ts';

/** Every secret by name. */
export type Secrets = Map<string, SecretRecord>;

/** Settings for tests. `deletionMs`: how long a deletion without recovery continues in the background. */
export interface SecretsSwitches {
  deletionMs: number;
}

/** Removes the secrets whose deletion is done. */
export function removeGone(secrets: Secrets, nowMs: number): void {
  for (const { name, goneAtEpochMs } of [...secrets.values()]) {
    if (goneAtEpochMs !== undefined && goneAtEpochMs <= nowMs) secrets.delete(name);
  }
}

/** The operations by name. */
export function secretOperations(
  secrets: Secrets,
  arnPrefix: string,
  switches: SecretsSwitches,
): Record<string, (input: JsonObject) => JsonObject> {
  return {
    CreateSecret: (input) => createSecret(secrets, arnPrefix, input),
    GetSecretValue: (input) => getSecretValue(live(find(secrets, input.SecretId)), input),
    PutSecretValue: (input) => putSecretValue(live(find(secrets, input.SecretId)), input),
    ListSecrets: (input) => listSecrets(secrets, input),
    DeleteSecret: (input) => deleteSecret(secrets, input, switches.deletionMs),
  };
}

/** The secret of a name, a full ARN or an ARN without its suffix. @throws AwsError ResourceNotFoundException. */
export function find(secrets: Secrets, secretId: Json | undefined): SecretRecord {
  const found = lookUp(secrets, asText(secretId, 'SecretId'));
  if (found === undefined) throw notFound();
  return found;
}

/** The same, or undefined where there is none. */
export function lookUp(secrets: Secrets, id: Json | undefined): SecretRecord | undefined {
  if (typeof id !== 'string') return undefined;
  return secrets.get(id) ?? [...secrets.values()].find(({ arn }) => arn === id || arn.slice(0, -7) === id);
}

function live(secret: SecretRecord): SecretRecord {
  if (secret.deletedAtEpochSec === undefined) return secret;
  throw new AwsError(
    'InvalidRequestException',
    'You can’t perform this operation on the secret because it was marked for deletion.',
  );
}

function createSecret(secrets: Secrets, arnPrefix: string, input: JsonObject): JsonObject {
  const name = asText(input.Name, 'Name');
  const value = optionalValue(input);
  const existing = secrets.get(name);
  const versionId = token(input);
  if (existing?.deletedAtEpochSec !== undefined) {
    const message = "You can't create this secret because a secret with this name is already scheduled for deletion.";
    throw new AwsError('InvalidRequestException', message);
  }
  if (existing !== undefined) {
    // A repeated request (same token, same value) gives the first answer again.
    if (!existing.versions.some((version) => version.id === versionId) || value === undefined) {
      throw new AwsError('ResourceExistsException', `The operation failed because the secret ${name} already exists.`);
    }
    addVersion(existing, versionId, value, epochSec());
    return { ARN: existing.arn, Name: name, VersionId: versionId };
  }
  const secret: SecretRecord = {
    arn: `${arnPrefix}${name}-${randomBytes(3).toString('hex')}`,
    name,
    description: optionalString(input.Description, 'Description'),
    keyArn: optionalKeyArn(input),
    tags: input.Tags ?? [],
    createdAtEpochSec: epochSec(),
    deletedAtEpochSec: undefined,
    goneAtEpochMs: undefined,
    versions: [],
  };
  if (value !== undefined) addVersion(secret, versionId, value, epochSec());
  secrets.set(name, secret);
  return { ARN: secret.arn, Name: name, ...(value === undefined ? {} : { VersionId: versionId }) };
}

function getSecretValue(secret: SecretRecord, input: JsonObject): JsonObject {
  const stage = optionalString(input.VersionStage, 'VersionStage');
  const version = findVersion(secret, optionalString(input.VersionId, 'VersionId'), stage);
  return {
    ARN: secret.arn,
    Name: secret.name,
    VersionId: version.id,
    VersionStages: version.stages,
    CreatedDate: version.createdAtEpochSec,
    ...(version.secretString === undefined ? {} : { SecretString: version.secretString }),
    ...(version.secretBinary === undefined ? {} : { SecretBinary: version.secretBinary }),
  };
}

/** Adds a version to a secret. @throws AwsError InvalidRequestException without a value. */
export function putSecretValue(secret: SecretRecord, input: JsonObject): JsonObject {
  const value = optionalValue(input);
  if (value === undefined)
    throw new AwsError('InvalidRequestException', 'You must provide either SecretString or SecretBinary.');
  const versionId = token(input);
  const stages =
    input.VersionStages === undefined ? undefined : asArray(input.VersionStages, 'VersionStages').map(String);
  addVersion(secret, versionId, value, epochSec(), stages);
  const held = secret.versions.find((version) => version.id === versionId)?.stages ?? [];
  return { ARN: secret.arn, Name: secret.name, VersionId: versionId, VersionStages: held };
}

function describe(secret: SecretRecord): JsonObject {
  return {
    ARN: secret.arn,
    Name: secret.name,
    ...(secret.description === undefined ? {} : { Description: secret.description }),
    CreatedDate: secret.createdAtEpochSec,
    ...(secret.deletedAtEpochSec === undefined ? {} : { DeletedDate: secret.deletedAtEpochSec }),
    Tags: secret.tags,
    VersionIdsToStages: Object.fromEntries(secret.versions.map((version) => [version.id, version.stages])),
  };
}

function listSecrets(secrets: Secrets, input: JsonObject): JsonObject {
  if (input.Filters !== undefined)
    throw new AwsError('NotEmulated', 'ListSecrets with Filters is not emulated locally.', 501);
  const all = [...secrets.values()].filter(
    (secret) => secret.deletedAtEpochSec === undefined || input.IncludePlannedDeletion === true,
  );
  const start = Number(optionalString(input.NextToken, 'NextToken') ?? 0);
  const size = typeof input.MaxResults === 'number' ? input.MaxResults : 100;
  const page = all.slice(start, start + size).map((secret) => {
    const { VersionIdsToStages: stages = {}, ...rest } = describe(secret);
    return { ...rest, SecretVersionsToStages: stages };
  });
  return { SecretList: page, ...(start + size < all.length ? { NextToken: String(start + size) } : {}) };
}

/** A deletion without recovery continues in the background, and one of nothing is none. API reference, DeleteSecret. */
function deleteSecret(secrets: Secrets, input: JsonObject, deletionMs: number): JsonObject {
  const force = input.ForceDeleteWithoutRecovery === true;
  if (force && input.RecoveryWindowInDays !== undefined) {
    throw new AwsError(
      'InvalidParameterException',
      'RecoveryWindowInDays and ForceDeleteWithoutRecovery exclude each other.',
    );
  }
  const id = asText(input.SecretId, 'SecretId');
  const known = lookUp(secrets, id);
  if (force && known === undefined) return { ARN: id, Name: id, DeletionDate: epochSec() };
  const secret = force ? find(secrets, id) : live(find(secrets, id));
  const days = typeof input.RecoveryWindowInDays === 'number' ? input.RecoveryWindowInDays : 30;
  const deletedAt = epochSec() + (force ? 0 : days * 86_400);
  secret.deletedAtEpochSec = deletedAt;
  if (force) secret.goneAtEpochMs ??= Date.now() + deletionMs;
  return { ARN: secret.arn, Name: secret.name, DeletionDate: deletedAt };
}
