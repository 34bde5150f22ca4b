/** The stored data of one secret, and the rules of its versions and stages. Pure: time and ids are arguments. */
import { asNumber, asObject, asString, type Json, type JsonObject, optionalString } from '../../tools/json.ts';
import { AwsError } from './aws-error.ts';

export interface SecretVersion {
  id: string;
  secretString: string | undefined;
  /** Base64. */
  secretBinary: string | undefined;
  stages: string[];
  createdAtEpochSec: number;
}

export interface SecretRecord {
  arn: string;
  name: string;
  description: string | undefined;
  /** Its customer-managed key; undefined: the account's own. */
  keyArn: string | undefined;
  tags: Json;
  createdAtEpochSec: number;
  /** Set while the secret is marked for deletion. */
  deletedAtEpochSec: number | undefined;
  /** When a deletion without recovery is done; until then the secret cannot be used and its name is taken. */
  goneAtEpochMs: number | undefined;
  /** Newest last. */
  versions: SecretVersion[];
}

/** The value of a new version; exactly one member is set. */
export interface SecretValue {
  secretString: string | undefined;
  secretBinary: string | undefined;
}

const CURRENT = 'AWSCURRENT';
const PREVIOUS = 'AWSPREVIOUS';

/**
 * Adds a version and makes it current; the one before becomes previous. The same id with the same value changes nothing.
 * @throws AwsError ResourceExistsException for the same id with another value.
 */
export function addVersion(
  secret: SecretRecord,
  id: string,
  value: SecretValue,
  nowEpochSec: number,
  stages?: string[],
): void {
  const existing = secret.versions.find((version) => version.id === id);
  if (existing !== undefined) {
    if (existing.secretString === value.secretString && existing.secretBinary === value.secretBinary) return;
    throw new AwsError(
      'ResourceExistsException',
      `A resource with the ID you requested already exists: version ${id}.`,
    );
  }
  secret.versions.push({ id, ...value, stages: [], createdAtEpochSec: nowEpochSec });
  for (const stage of stages ?? [CURRENT]) moveStage(secret, stage, id);
}

/** Moves a stage to a version; moving `AWSCURRENT` leaves `AWSPREVIOUS` on the version that had it. */
function moveStage(secret: SecretRecord, stage: string, toVersionId: string): void {
  const target = secret.versions.find((version) => version.id === toVersionId);
  if (target === undefined) throw notFound();
  const holder = secret.versions.find((version) => version.stages.includes(stage));
  if (holder === target) return;
  for (const version of secret.versions) version.stages = version.stages.filter((one) => one !== stage);
  target.stages.push(stage);
  if (stage === CURRENT && holder !== undefined) {
    for (const version of secret.versions) version.stages = version.stages.filter((one) => one !== PREVIOUS);
    holder.stages.push(PREVIOUS);
  }
  // A version without a stage is deprecated: AWS may delete it at any time, so nothing may rely on it.
  secret.versions = secret.versions.filter((version) => version.stages.length > 0);
}

/** The version asked for by id, stage, or both; `AWSCURRENT` by default. @throws AwsError ResourceNotFoundException. */
export function findVersion(secret: SecretRecord, id: string | undefined, stage: string | undefined): SecretVersion {
  const wanted = stage ?? (id === undefined ? CURRENT : undefined);
  const found = secret.versions.find(
    (version) => (id === undefined || version.id === id) && (wanted === undefined || version.stages.includes(wanted)),
  );
  if (found !== undefined) return found;
  throw new AwsError(
    'ResourceNotFoundException',
    `Secrets Manager can't find the specified secret value for ${id === undefined ? `staging label: ${wanted}` : `VersionId: ${id}`}`,
  );
}

/** @returns the exception for a secret that does not exist. */
export function notFound(): AwsError {
  return new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
}

/** The record as JSON for the state file. */
export function toJson(secret: SecretRecord): JsonObject {
  return {
    arn: secret.arn,
    name: secret.name,
    ...(secret.description === undefined ? {} : { description: secret.description }),
    ...(secret.keyArn === undefined ? {} : { keyArn: secret.keyArn }),
    tags: secret.tags,
    createdAtEpochSec: secret.createdAtEpochSec,
    ...(secret.deletedAtEpochSec === undefined ? {} : { deletedAtEpochSec: secret.deletedAtEpochSec }),
    ...(secret.goneAtEpochMs === undefined ? {} : { goneAtEpochMs: secret.goneAtEpochMs }),
    versions: secret.versions.map((version) => ({
      id: version.id,
      ...(version.secretString === undefined ? {} : { secretString: version.secretString }),
      ...(version.secretBinary === undefined ? {} : { secretBinary: version.secretBinary }),
      stages: version.stages,
      createdAtEpochSec: version.createdAtEpochSec,
    })),
  };
}

/** Reads a record back. @throws Error naming the member that is wrong. */
export function fromJson(value: Json): SecretRecord {
  const record = asObject(value, 'secret');
  const versions = Array.isArray(record.versions) ? record.versions : [];
  return {
    arn: asString(record.arn, 'secret.arn'),
    name: asString(record.name, 'secret.name'),
    description: optionalString(record.description, 'secret.description'),
    keyArn: optionalString(record.keyArn, 'secret.keyArn'),
    tags: record.tags ?? [],
    createdAtEpochSec: asNumber(record.createdAtEpochSec, 'secret.createdAtEpochSec'),
    deletedAtEpochSec:
      record.deletedAtEpochSec === undefined
        ? undefined
        : asNumber(record.deletedAtEpochSec, 'secret.deletedAtEpochSec'),
    goneAtEpochMs:
      record.goneAtEpochMs === undefined ? undefined : asNumber(record.goneAtEpochMs, 'secret.goneAtEpochMs'),
    versions: versions.map((one) => {
      const version = asObject(one, 'secret.version');
      return {
        id: asString(version.id, 'version.id'),
        secretString: optionalString(version.secretString, 'version.secretString'),
        secretBinary: optionalString(version.secretBinary, 'version.secretBinary'),
        stages: Array.isArray(version.stages) ? version.stages.map(String) : [],
        createdAtEpochSec: asNumber(version.createdAtEpochSec, 'version.createdAtEpochSec'),
      };
    }),
  };
}
