/**
 * Which rights an operation of Secrets Manager needs. Service Authorization Reference, "Actions, resources, and condition
 * keys for AWS Secrets Manager"; Secrets Manager guide, "Secret encryption and decryption".
 */

import { asArray, type Json, type JsonObject, optionalString } from '../../tools/json.ts';
import { keyUse, type RequiredAccess } from '../iam/judge.ts';
import { AwsError } from './aws-error.ts';
import { optionalKeyArn } from './secret-input.ts';
import { lookUp, type Secrets } from './secret-operations.ts';

/** Operations on one secret, with the actions on its own encryption key that they need. */
const SECRET_OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  DeleteSecret: [],
  GetSecretValue: ['kms:Decrypt'],
  PutSecretValue: ['kms:GenerateDataKey', 'kms:Decrypt'],
};
/** Operations that name no resource. */
const ACCOUNT_OPERATIONS = new Set(['ListSecrets']);

/** The rights that a call needs. @param region of the key that a secret may have @throws AwsError NotEmulated for an unknown operation. */
export function secretAccess(
  secrets: Secrets,
  arnPrefix: string,
  region: string,
  operation: string,
  input: JsonObject,
): RequiredAccess[] {
  const on = (action: string, secretId: Json | undefined): RequiredAccess => ({
    action: `secretsmanager:${action}`,
    resource: arnOf(secrets, arnPrefix, secretId),
  });
  const keyActions = SECRET_OPERATIONS[operation];
  if (keyActions !== undefined) {
    const secret = lookUp(secrets, input.SecretId);
    const keyArn = secret?.keyArn;
    const versionId = secret?.versions.find(({ stages }) => stages.includes('AWSCURRENT'))?.id;
    const uses =
      keyArn === undefined || secret === undefined
        ? []
        : keyActions.map((action) => useOf(action, secret.arn, versionId, keyArn));
    return [on(operation, input.SecretId), ...uses];
  }
  if (operation === 'CreateSecret') {
    const needed = on('CreateSecret', input.Name);
    const keyArn = optionalKeyArn(input);
    const uses =
      keyArn === undefined
        ? []
        : ['kms:GenerateDataKey', 'kms:Decrypt'].map((action) => useOf(action, needed.resource, undefined, keyArn));
    const isTagged = asArray(input.Tags ?? [], 'Tags').length > 0;
    return [needed, ...(isTagged ? [on('TagResource', input.Name)] : []), ...uses];
  }
  if (ACCOUNT_OPERATIONS.has(operation)) return [{ action: `secretsmanager:${operation}`, resource: '*' }];
  throw new AwsError('NotEmulated', `Secrets Manager ${operation} is not emulated locally.`, 501);

  function useOf(action: string, secretArn: string, versionId: string | undefined, keyArn: string): RequiredAccess {
    const version = versionId ?? optionalString(input.ClientRequestToken, 'ClientRequestToken') ?? '';
    const encryptionContext = { SecretARN: secretArn, SecretVersionId: version };
    return keyUse(action, keyArn, encryptionContext, `secretsmanager.${region}.amazonaws.com`);
  }
}

/** The ARN of the secret; for a name that no secret has, the ARN of a secret that had it, since rights come before existence. */
function arnOf(secrets: Secrets, arnPrefix: string, secretId: Json | undefined): string {
  const id = typeof secretId === 'string' ? secretId : '';
  const found = lookUp(secrets, id);
  if (found !== undefined) return found.arn;
  return id.startsWith('arn:') ? id : `${arnPrefix}${id}-000000`;
}
