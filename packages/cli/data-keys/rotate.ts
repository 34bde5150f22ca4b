import { GenerateDataKeyWithoutPlaintextCommand, KMSClient } from '@aws-sdk/client-kms';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { KeyPurpose } from '../../../lambdas/gateway/core/contract.ts';
import { awsClient } from '../../../lambdas/gateway/platform/aws-client.ts';
import type { Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { dataKeyItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { periodKeyNumber, replacementOf } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { OPERATOR_LIMITS } from '../aws-limits.ts';

/**
 * Creates a new data key of an account for a purpose that replaces the current one. KMS returns only the wrapped key, so nothing outside the
 * functions ever sees it in clear. The key is written before it is announced: a run that dies in between leaves an unused key, which
 * the next run announces.
 *
 * @param current number of the current key; undefined where this week has none yet
 * @returns number of the new key
 */
export async function rotateDataKey(
  table: Table,
  options: {
    readonly accountId: string;
    readonly purpose: KeyPurpose;
    readonly current: number | undefined;
    readonly known: ReadonlySet<number>;
    readonly tokenKeyArn: string;
    readonly nowMs: number;
  },
): Promise<number> {
  const { accountId, purpose, current, known, tokenKeyArn, nowMs } = options;
  const owner = { accountId, purpose };
  const keyNumber = current === undefined ? periodKeyNumber(nowMs) : replacementOf(current);
  if (!known.has(keyNumber)) await writeKey(table, owner, keyNumber, tokenKeyArn, nowMs);
  if (current === undefined) return keyNumber;
  await table.client.send(
    new UpdateCommand({
      TableName: table.tableName,
      Key: dataKeyItemKey(owner, current),
      UpdateExpression: 'SET replacedBy = :next',
      ConditionExpression: 'attribute_exists(wrappedKey) AND attribute_not_exists(replacedBy)',
      ExpressionAttributeValues: { ':next': keyNumber },
    }),
  );
  return keyNumber;
}

async function writeKey(
  table: Table,
  owner: { readonly accountId: string; readonly purpose: KeyPurpose },
  keyNumber: number,
  tokenKeyArn: string,
  nowMs: number,
): Promise<void> {
  const { CiphertextBlob } = await awsClient(KMSClient, OPERATOR_LIMITS).send(
    new GenerateDataKeyWithoutPlaintextCommand({
      KeyId: tokenKeyArn,
      KeySpec: 'AES_256',
      EncryptionContext: { account: owner.accountId, purpose: owner.purpose },
    }),
  );
  if (CiphertextBlob === undefined) throw new Error('KMS returned no key');
  await table.client.send(
    new PutCommand({
      TableName: table.tableName,
      Item: {
        ...dataKeyItemKey(owner, keyNumber),
        type: 'data_key',
        ...owner,
        wrappedKey: CiphertextBlob,
        createdAt: new Date(nowMs).toISOString(),
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    }),
  );
}
