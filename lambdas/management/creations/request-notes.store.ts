import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { TABLE } from '../../gateway/core/contract.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import { IDEMPOTENCY_KEY_LIFETIME_SEC, IDEMPOTENT_RETRY_SEC, IDEMPOTENT_RUN_SEC } from '../../gateway/core/limits.ts';
import { type ExtraWrite, isDone, num, optionalStr, str, type Table } from '../../gateway/platform/dynamodb/client.ts';
import { requestNoteItemKey } from '../../gateway/platform/dynamodb/keys.ts';
import type { NotedRun, RequestNotes } from './ports.ts';

/** Additional item of the current request's first transaction. */
const noteWrites = new AsyncLocalStorage<() => ExtraWrite | undefined>();

/** For the table of the function that stores requests. */
export function noteToWrite(): ExtraWrite | undefined {
  return noteWrites.getStore()?.();
}

/**
 * Stored requests with an `Idempotency-Key`, one item each. A run holds its item under a unique name, for as long as its function may
 * live. That it has created something is written in the creating transaction, so neither exists without the other:
 *
 *     begin ── made (with the thing itself) ── keep the answer
 *        └── dies here: runs again    └── dies here: made, and its answer is lost
 */
export function requestNotes(table: Table): RequestNotes {
  const { client, tableName } = table;
  const own = (accountId: string, digest: string) => ({
    TableName: tableName,
    Key: requestNoteItemKey(accountId, digest),
  });

  const begun = (accountId: string, digest: string, owner: string): NotedRun => {
    const held = { ...own(accountId, digest), ConditionExpression: 'holder = :me' };
    const me = { ':me': owner };
    let isMade = false;
    let isOut = false;
    const note: ExtraWrite = {
      item: {
        Update: { ...held, UpdateExpression: 'SET made = :true', ExpressionAttributeValues: { ...me, ':true': true } },
      },
      ended(outcome) {
        if (outcome !== 'not_written') isMade = true;
        isOut = outcome === 'written';
      },
      refusal: () =>
        new GatewayError('request_in_progress', 'Another request with this Idempotency-Key has taken over.', {
          retryAfterSec: IDEMPOTENT_RETRY_SEC,
        }),
    };
    // One transaction at a time includes it, because several would conflict at the item.
    const next = () => {
      if (isOut) return undefined;
      isOut = true;
      return note;
    };
    return {
      isMade: () => isMade,
      run: (work) => noteWrites.run(next, work),
      async keep(answer) {
        await isDone(
          client.send(
            new UpdateCommand({
              ...held,
              UpdateExpression: 'SET answer = :answer',
              ExpressionAttributeValues: { ...me, ':answer': answer },
            }),
          ),
        );
      },
      async keepNone() {
        await isDone(
          client.send(
            new UpdateCommand({
              ...held,
              UpdateExpression: 'SET made = :true, heldUntilEpochSec = :over',
              ExpressionAttributeValues: { ...me, ':true': true, ':over': 0 },
            }),
          ),
        );
      },
      async drop() {
        await isDone(client.send(new DeleteCommand({ ...held, ExpressionAttributeValues: me })));
      },
      async end() {
        await isDone(
          client.send(
            new UpdateCommand({
              ...held,
              UpdateExpression: 'SET heldUntilEpochSec = :over',
              ExpressionAttributeValues: { ...me, ':over': 0 },
            }),
          ),
        );
      },
    };
  };

  return {
    async begin(accountId, digest, requestHash, nowEpochSec) {
      const owner = randomUUID();
      const isBegun = await isDone(
        client.send(
          new UpdateCommand({
            ...own(accountId, digest),
            UpdateExpression: `SET #type = :type, requestHash = :hash, holder = :me, heldUntilEpochSec = :until, endsAtEpochSec = :end, ${TABLE.timeToLive} = :end REMOVE made, answer`,
            // After a lost reply the SDK repeats the write, which then finds its own item.
            ConditionExpression:
              'attribute_not_exists(pk) OR endsAtEpochSec <= :now OR holder = :me OR (requestHash = :hash AND heldUntilEpochSec <= :now AND attribute_not_exists(made) AND attribute_not_exists(answer))',
            ExpressionAttributeNames: { '#type': 'type' },
            ExpressionAttributeValues: {
              ':type': 'request_note',
              ':hash': requestHash,
              ':me': owner,
              ':until': nowEpochSec + IDEMPOTENT_RUN_SEC,
              ':end': nowEpochSec + IDEMPOTENCY_KEY_LIFETIME_SEC,
              ':now': nowEpochSec,
            },
          }),
        ),
      );
      if (isBegun) return { kind: 'begun', run: begun(accountId, digest, owner) };
      const { Item } = await client.send(new GetCommand({ ...own(accountId, digest), ConsistentRead: true }));
      // Deleted between the two: its run has just ended, and changed nothing.
      if (Item === undefined) return { kind: 'running' };
      if (str(Item, 'requestHash') !== requestHash) return { kind: 'other_request' };
      const answer = optionalStr(Item, 'answer');
      if (answer !== undefined) return { kind: 'answered', answer };
      return { kind: num(Item, 'heldUntilEpochSec') > nowEpochSec ? 'running' : 'made' };
    },
  };
}
