/** Secrets Manager secrets and KMS keys of the template -> what the local services hold from the start. */
import { asString, isObject, type Json, type JsonObject } from '../../tools/json.ts';
import type { ResolvedResource } from './resolved.ts';
import { requireKnownProperties } from './resource.ts';

/** A secret; `initialValue` is its literal value, `generate` what GenerateSecretString asks for, neither: no value yet. */
export interface LocalSecret {
  logicalId: string;
  arn: string;
  name: string;
  description: string | undefined;
  initialValue: string | undefined;
  generate: JsonObject | undefined;
  /** The customer-managed key that encrypts it; undefined: the account's own, which any of its principals may use. */
  keyArn: string | undefined;
}

export interface LocalKey {
  logicalId: string;
  arn: string;
  keyId: string;
  enabled: boolean;
}

const KNOWN_SECRET_PROPERTIES = ['Description', 'GenerateSecretString', 'KmsKeyId', 'Name', 'SecretString', 'Tags'];
const KNOWN_KEY_PROPERTIES = [
  'Description',
  'EnableKeyRotation',
  'Enabled',
  'KeyPolicy',
  'KeySpec',
  'KeyUsage',
  'MultiRegion',
  'PendingWindowInDays',
  'RotationPeriodInDays',
  'Tags',
];

/** Reads one secret. @throws Error for any property not supported, replicas among them. */
export function readSecret({ logicalId, arn, name, properties }: ResolvedResource): LocalSecret {
  requireKnownProperties(properties, KNOWN_SECRET_PROPERTIES, logicalId);
  const given = (member: string): string | undefined => optional(properties[member], `${logicalId}.${member}`);
  const generate = properties.GenerateSecretString;
  return {
    logicalId,
    arn,
    name: given('Name') ?? name.slice(0, name.lastIndexOf('-')),
    description: given('Description'),
    initialValue: given('SecretString'),
    generate: isObject(generate) ? generate : undefined,
    keyArn: given('KmsKeyId'),
  };
}

/** Reads one key. @throws Error for anything but a symmetric encryption key. */
export function readKey({ logicalId, arn, reference, properties }: ResolvedResource): LocalKey {
  requireKnownProperties(properties, KNOWN_KEY_PROPERTIES, logicalId);
  const spec = optional(properties.KeySpec, `${logicalId}.KeySpec`) ?? 'SYMMETRIC_DEFAULT';
  if (spec !== 'SYMMETRIC_DEFAULT')
    throw new Error(`${logicalId} is a ${spec} key; only SYMMETRIC_DEFAULT runs locally.`);
  return { logicalId, arn, keyId: reference, enabled: properties.Enabled !== false };
}

function optional(value: Json | undefined, where: string): string | undefined {
  return value === undefined ? undefined : asString(value, where);
}
