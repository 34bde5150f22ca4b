import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../../gateway/core/contract.ts';
import {
  type Item,
  isDone,
  num,
  optionalMap,
  optionalStr,
  type Table,
} from '../../gateway/platform/dynamodb/client.ts';
import type { ItemKey } from '../../gateway/platform/dynamodb/keys.ts';
import type { StatedFact } from './evidence.rules.ts';
import { accountEvidenceItemKey, tokenEvidenceItemKey } from './keys.store.ts';
import { EVIDENCE_RETENTION_SEC } from './limits.rules.ts';
import type { EvidenceReader } from './ports.ts';
import { SECURITY_EVENT_TYPES, type Statement } from './statement.rules.ts';

/** Reads the statements about a grant: one small item for its account, one for each print of its token. */
export function evidenceReader({ client, tableName }: Table): EvidenceReader {
  return {
    async facts(cloudProject, subject, tokenPrints) {
      const keys = [
        ...(subject === undefined ? [] : [accountEvidenceItemKey(cloudProject, subject)]),
        ...tokenPrints.map(tokenEvidenceItemKey),
      ];
      const answers = await Promise.all(
        keys.map((Key) => client.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }))),
      );
      return answers.flatMap(({ Item }) => (Item === undefined ? [] : factsIn(Item)));
    },
  };
}

function factsIn(item: Item): StatedFact[] {
  return SECURITY_EVENT_TYPES.flatMap((type) => {
    const fact = optionalMap(item, type);
    if (fact === undefined) return [];
    return [{ type, reason: optionalStr(fact, 'reason'), statedAtEpochSec: num(fact, 'statedAtEpochSec') }];
  });
}

/** Keeps a statement as evidence for its account and the token that it names, unless a later one of its type exists. */
export async function keepEvidence(table: Table, { cloudProject, event, ...statement }: Statement): Promise<void> {
  const { type, reason, subject, tokenPrint: print } = event;
  // A statement about one token does not concern the account's others.
  const keys: ItemKey[] =
    type === 'token-revoked'
      ? print === undefined
        ? []
        : [tokenEvidenceItemKey(print)]
      : subject === undefined
        ? []
        : [accountEvidenceItemKey(cloudProject, subject)];
  for (const Key of keys) {
    await isDone(
      table.client.send(
        new UpdateCommand({
          TableName: table.tableName,
          Key,
          UpdateExpression: `SET #type = :evidence, #fact = :fact, ${TABLE.timeToLive} = :gone`,
          ConditionExpression: 'attribute_not_exists(#fact) OR #fact.statedAtEpochSec < :at',
          ExpressionAttributeNames: { '#type': 'type', '#fact': type },
          ExpressionAttributeValues: {
            ':evidence': 'evidence',
            ':fact': { statedAtEpochSec: statement.issuedAtEpochSec, ...(reason === undefined ? {} : { reason }) },
            ':at': statement.issuedAtEpochSec,
            ':gone': statement.receivedAtEpochSec + EVIDENCE_RETENTION_SEC,
          },
        }),
      ),
    );
  }
}
