import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DATA_KEY_ROTATION_SEC } from '../../../../lambdas/gateway/core/limits.ts';
import {
  kmsDataKeys,
  periodKeyNumber,
  periodOfKey,
  replacementOf,
} from '../../../../lambdas/gateway/platform/kms/token-cipher.ts';

const PERIOD = 2_955;
const FIRST = 10_002_955;
const SECOND = 20_002_955;

describe('the number of a data key', () => {
  it('is its period’s, and names the period however often it was replaced', () => {
    expect(periodKeyNumber(PERIOD * DATA_KEY_ROTATION_SEC * 1000)).toBe(PERIOD);
    expect([PERIOD, FIRST, SECOND].map(periodOfKey)).toEqual([PERIOD, PERIOD, PERIOD]);
    expect([PERIOD, FIRST].map(replacementOf)).toEqual([FIRST, SECOND]);
  });

  it('has nine digits at most, so a period’s key is replaced 99 times and no more', () => {
    let number = PERIOD;
    for (let i = 0; i < 99; i++) number = replacementOf(number);
    expect(number).toBe(990_002_955);
    expect(() => replacementOf(number)).toThrow('cannot be replaced any more');
    expect(replacementOf(989_999_999)).toBe(999_999_999);
  });
});

describe('a data key that was replaced ahead of its time', () => {
  const kms = mockClient(KMSClient);
  const documents = mockClient(DynamoDBDocumentClient);
  beforeEach(() => {
    kms
      .on(DecryptCommand)
      .callsFake(({ CiphertextBlob }) => ({ Plaintext: new Uint8Array(32).fill(CiphertextBlob[0]) }));
  });
  afterEach(() => {
    kms.reset();
    documents.reset();
  });
  afterAll(() => {
    kms.restore();
    documents.restore();
  });

  /** Keys of a table that holds these: the seed of each and the number of its successor, if there is one. */
  function dataKeys(stored: Readonly<Record<number, { seed: number; replacedBy?: unknown }>>) {
    documents.on(GetCommand).callsFake(({ Key }) => {
      const item = stored[Number(String(Key.sk).split('#')[1])];
      return item === undefined
        ? {}
        : { Item: { wrappedKey: new Uint8Array([item.seed]), replacedBy: item.replacedBy } };
    });
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
    const clock = { nowMs: () => PERIOD * DATA_KEY_ROTATION_SEC * 1000 + 5 };
    return kmsDataKeys({ client, tableName: 'table', onUnreadable: () => {} }, 'arn', clock, { count: () => {} });
  }

  it('encrypts no more: its latest successor does, and none is made', async () => {
    const keys = dataKeys({
      [PERIOD]: { seed: 1, replacedBy: FIRST },
      [FIRST]: { seed: 2, replacedBy: SECOND },
      [SECOND]: { seed: 3 },
    });
    expect(await keys.current('first')).toMatchObject({ keyNumber: SECOND, key: new Uint8Array(32).fill(3) });
    expect(kms.commandCalls(GenerateDataKeyCommand)).toEqual([]);
  });

  it('decrypts what it has encrypted', async () => {
    const keys = dataKeys({ [PERIOD]: { seed: 1, replacedBy: FIRST }, [FIRST]: { seed: 2 } });
    expect(await keys.byNumber('first', PERIOD)).toEqual(new Uint8Array(32).fill(1));
  });

  it.each([['10002955'], [PERIOD], [PERIOD - 1]])(
    'stays in use where its successor is no later number: %j',
    async (replacedBy) => {
      const keys = dataKeys({ [PERIOD]: { seed: 1, replacedBy }, [PERIOD - 1]: { seed: 4 } });
      expect(await keys.current('first')).toMatchObject({ keyNumber: PERIOD });
    },
  );

  it('whose successor is missing stops encryption and says so', async () => {
    await expect(dataKeys({ [PERIOD]: { seed: 1, replacedBy: FIRST } }).current('first')).rejects.toThrow(
      'There is no such data key',
    );
  });
});
