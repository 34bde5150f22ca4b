/** Parameters of requests to Secrets Manager, validated as the service does. */
import { randomUUID } from 'node:crypto';
import { type Json, type JsonObject, optionalString } from '../../tools/json.ts';
import { AwsError } from './aws-error.ts';
import type { SecretValue } from './secret-records.ts';

const MAX_SECRET_BYTES = 65_536;

/** The value a request carries, or undefined. @throws AwsError for two values or too large a one. */
export function optionalValue(input: JsonObject): SecretValue | undefined {
  const secretString = optionalString(input.SecretString, 'SecretString');
  const secretBinary = optionalString(input.SecretBinary, 'SecretBinary');
  if (secretString === undefined && secretBinary === undefined) return undefined;
  if (secretString !== undefined && secretBinary !== undefined) {
    throw new AwsError('InvalidParameterException', 'SecretString and SecretBinary exclude each other.');
  }
  if (Buffer.byteLength(secretString ?? secretBinary ?? '') > MAX_SECRET_BYTES) {
    throw new AwsError('InvalidParameterException', `The secret value has more than ${MAX_SECRET_BYTES} bytes.`);
  }
  return { secretString, secretBinary };
}

/** The customer-managed key a request names. @throws AwsError NotEmulated for any name of it but its ARN. */
export function optionalKeyArn(input: JsonObject): string | undefined {
  const keyArn = optionalString(input.KmsKeyId, 'KmsKeyId');
  if (keyArn === undefined || keyArn.startsWith('arn:')) return keyArn;
  throw new AwsError('NotEmulated', 'A KmsKeyId that is not the ARN of a key is not emulated locally.', 501);
}

/** The client's token, which becomes the version's id; made up where none is given. */
export function token(input: JsonObject): string {
  return optionalString(input.ClientRequestToken, 'ClientRequestToken') ?? randomUUID();
}

/** A required string. @throws AwsError ValidationException. */
export function asText(value: Json | undefined, name: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new AwsError('ValidationException', `1 validation error detected: ${name} must not be null or empty.`);
}

/** Now, in seconds. */
export function epochSec(): number {
  return Math.floor(Date.now() / 1000);
}
