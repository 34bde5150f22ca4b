import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { CALL_LOG_TABLE } from '../../gateway/core/contract.ts';
import { type Item, isDone, num, str, type Table } from '../../gateway/platform/dynamodb/client.ts';
import type { ApprovalRef } from './approval.rules.ts';
import type { SignInStore } from './ports.ts';
import { APPROVAL_FAMILIES } from './rows.rules.ts';

const SIGN_IN = 'SIGNIN';

const linkPk = (hash: string) => `${APPROVAL_FAMILIES.link}#${hash}`;
const proofKey = (browserHash: string, { ulid }: ApprovalRef) => ({ pk: linkPk(browserHash), sk: `PROOF#${ulid}` });

export function signInStore({ client, tableName: TableName }: Table): SignInStore {
  const ttl = (untilMs: number) => ({ untilMs, [CALL_LOG_TABLE.timeToLive]: Math.ceil(untilMs / 1000) });
  const get = async (Key: { readonly pk: string; readonly sk: string }): Promise<Item | undefined> =>
    (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
  return {
    async put({ approval, stateHash, untilMs, ...rest }) {
      const Item = { pk: linkPk(stateHash), sk: SIGN_IN, ...approval, ...rest, ...ttl(untilMs) };
      await client.send(new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }));
    },

    async spend(stateHash, nowMs) {
      const Key = { pk: linkPk(stateHash), sk: SIGN_IN };
      const item = await get(Key);
      if (item === undefined || num(item, 'untilMs') <= nowMs) return undefined;
      const isOurs = await isDone(
        client.send(
          new UpdateCommand({
            TableName,
            Key,
            UpdateExpression: 'SET spentAtMs = :now',
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(spentAtMs)',
            ExpressionAttributeValues: { ':now': nowMs },
          }),
        ),
      );
      if (!isOurs) return undefined;
      return {
        approval: { accountId: str(item, 'accountId'), keyId: str(item, 'keyId'), ulid: str(item, 'ulid') },
        stateHash,
        browserHash: str(item, 'browserHash'),
        clientId: str(item, 'clientId'),
        nonce: str(item, 'nonce'),
        sealed: str(item, 'sealed'),
        untilMs: num(item, 'untilMs'),
      };
    },

    async prove(browserHash, approval, untilMs) {
      const Item = { ...proofKey(browserHash, approval), ...approval, ...ttl(untilMs) };
      await client.send(new PutCommand({ TableName, Item }));
    },

    async isProven(browserHash, approval, nowMs) {
      const item = await get(proofKey(browserHash, approval));
      return (
        item !== undefined &&
        num(item, 'untilMs') > nowMs &&
        str(item, 'accountId') === approval.accountId &&
        str(item, 'keyId') === approval.keyId
      );
    },
  };
}
