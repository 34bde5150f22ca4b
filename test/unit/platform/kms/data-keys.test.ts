import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CONNECTION_CACHE_MS,
  DATA_KEY_CACHE_MS,
  DATA_KEY_ROTATION_SEC,
} from '../../../../lambdas/gateway/core/limits.ts';
import {
  kmsDataKeys,
  periodKeyNumber,
  periodOfKey,
  replacementOf,
} from '../../../../lambdas/gateway/platform/kms/token-cipher.ts';

const ARN = 'arn:aws:kms:eu-central-1:000000000000:key/token';
const PERIOD_MS = DATA_KEY_ROTATION_SEC * 1000;
const PERIOD = 2921;
/** Its key's replacement, and the replacement of that one. */
const [FIRST, SECOND] = [10_002_921, 20_002_921];
const plainKey = (seed: number) => new Uint8Array(32).fill(seed);
const wrapped = (seed: number) => new Uint8Array([9, seed]);
/** A row that holds a data key. */
const stored = (seed: number) => ({ Item: { wrappedKey: wrapped(seed) } });
const contextOf = (account: string) => ({ account, purpose: 'tokens' });

const tokensOf = (accountId: string) => ({ accountId, purpose: 'tokens' }) as const;

const kms = mockClient(KMSClient);
const documents = mockClient(DynamoDBDocumentClient);
afterAll(() => {
  kms.restore();
  documents.restore();
});
let nowMs: number;
beforeEach(() => {
  nowMs = PERIOD * PERIOD_MS + 5;
  counted.length = 0;
  // A KMS that wraps by writing the seed down: what it unwraps is what was wrapped.
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: plainKey(CiphertextBlob[1]) }));
  kms.on(GenerateDataKeyCommand).resolves({ CiphertextBlob: wrapped(1), Plaintext: plainKey(1) });
  documents.on(GetCommand).resolves({});
  documents.on(PutCommand).resolves({});
});
afterEach(() => {
  kms.reset();
  documents.reset();
});

/** Names of metrics that were counted. */
const counted: string[] = [];

function dataKeys() {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
  const clock = { nowMs: () => nowMs };
  return kmsDataKeys({ client, tableName: 'table', onUnreadable: () => {} }, ARN, clock, {
    count: (name) => void counted.push(name),
  });
}

const conditionFailed = () => Object.assign(new Error('no'), { name: 'ConditionalCheckFailedException' });

describe('the key of a period', () => {
  it('the key of a period is made once, wrapped for its account and purpose, and stored on condition that there is none (CR-1)', async () => {
    expect(await dataKeys().current(tokensOf('first'))).toEqual({ keyNumber: PERIOD, key: plainKey(1) });
    expect(kms.commandCalls(GenerateDataKeyCommand).map(({ args }) => args[0].input)).toEqual([
      { KeyId: ARN, KeySpec: 'AES_256', EncryptionContext: contextOf('first') },
    ]);
    const at = { pk: 'ACCOUNT#first', sk: `DATAKEY#${PERIOD}`, createdAt: new Date(nowMs).toISOString() };
    const Item = { type: 'data_key', accountId: 'first', purpose: 'tokens', wrappedKey: wrapped(1), ...at };
    expect(documents.commandCalls(PutCommand).map(({ args }) => args[0].input)).toEqual([
      { TableName: 'table', Item, ConditionExpression: 'attribute_not_exists(pk)' },
    ]);
  });

  it('the key of a period is read where it exists, strongly, and unwrapped under the same context', async () => {
    documents.on(GetCommand).resolves(stored(5));
    expect(await dataKeys().current(tokensOf('first'))).toEqual({ keyNumber: PERIOD, key: plainKey(5) });
    expect(documents.commandCalls(GetCommand).map(({ args }) => args[0].input)).toEqual([
      { TableName: 'table', Key: { pk: 'ACCOUNT#first', sk: `DATAKEY#${PERIOD}` }, ConsistentRead: true },
    ]);
    expect(kms.commandCalls(DecryptCommand).map(({ args }) => args[0].input)).toEqual([
      { KeyId: ARN, CiphertextBlob: wrapped(5), EncryptionContext: contextOf('first') },
    ]);
    expect(kms.commandCalls(GenerateDataKeyCommand)).toEqual([]);
  });

  it('changes after seven days, to the second', async () => {
    const keys = dataKeys();
    nowMs = (PERIOD + 1) * PERIOD_MS - 1;
    expect((await keys.current(tokensOf('first'))).keyNumber).toBe(PERIOD);
    nowMs += 1;
    expect((await keys.current(tokensOf('first'))).keyNumber).toBe(PERIOD + 1);
  });

  it('the key of a period is another process’s where that was faster', async () => {
    documents.on(PutCommand).rejects(conditionFailed());
    documents.on(GetCommand).resolvesOnce({}).resolves(stored(7));
    expect((await dataKeys().current(tokensOf('first'))).key).toEqual(plainKey(7));
  });

  it('the key of a period is none when it cannot be stored, or not be read back', async () => {
    documents.on(PutCommand).rejectsOnce(new Error('throttled')).rejects(conditionFailed());
    await expect(dataKeys().current(tokensOf('first'))).rejects.toThrow('throttled');
    await expect(dataKeys().current(tokensOf('first'))).rejects.toThrow('could not be read back');
  });

  it.each([
    ['made without its wrapped form', GenerateDataKeyCommand, { Plaintext: plainKey(1) }],
    ['made with 128 bits', GenerateDataKeyCommand, { CiphertextBlob: wrapped(1), Plaintext: new Uint8Array(16) }],
    ['made without its plain form', GenerateDataKeyCommand, { CiphertextBlob: wrapped(1) }],
  ])('the key of a period is none when it was %s', async (_, command, answer) => {
    kms.on(command).resolves(answer);
    await expect(dataKeys().current(tokensOf('first'))).rejects.toThrow('KMS returned no 256-bit key');
    expect(documents.commandCalls(PutCommand)).toEqual([]);
  });

  it.each([[new Uint8Array(16)], [undefined]])(
    'the key of a period is none when it is unwrapped to %s',
    async (Plaintext) => {
      documents.on(GetCommand).resolves(stored(5));
      kms.on(DecryptCommand).resolves(Plaintext === undefined ? {} : { Plaintext });
      await expect(dataKeys().current(tokensOf('first'))).rejects.toThrow('KMS returned no 256-bit key');
    },
  );
});

describe('the key of an older value', () => {
  it('the key of an older value is found by account and number', async () => {
    documents.on(GetCommand, { Key: { pk: 'ACCOUNT#first', sk: 'DATAKEY#3' } }).resolves(stored(3));
    const keys = dataKeys();
    expect(await keys.byNumber(tokensOf('first'), 3)).toEqual(plainKey(3));
    expect(await keys.byNumber(tokensOf('first'), 4)).toBeUndefined();
    expect(await keys.byNumber(tokensOf('second'), 3)).toBeUndefined();
  });

  it.each([[{}], [{ wrappedKey: 'text' }], [undefined]])(
    'the key of an older value is missing where the row holds %j: nothing is made, nothing unwrapped',
    async (Item) => {
      documents.on(GetCommand).resolves(Item === undefined ? {} : { Item });
      expect(await dataKeys().byNumber(tokensOf('first'), 3)).toBeUndefined();
      expect(kms.calls()).toEqual([]);
      expect(documents.commandCalls(PutCommand)).toEqual([]);
    },
  );

  it('the key of an older value is not missing while KMS is away (CR-6)', async () => {
    documents.on(GetCommand).resolves(stored(3));
    kms.on(DecryptCommand).rejects(new Error('KMS is away'));
    await expect(dataKeys().byNumber(tokensOf('first'), 3)).rejects.toThrow('KMS is away');
  });
});

describe('what is remembered (CR-6)', () => {
  beforeEach(() => {
    documents.on(GetCommand).resolves(stored(5));
  });
  const unwraps = () => kms.commandCalls(DecryptCommand).length;

  it('lasts for fifteen minutes and no longer', async () => {
    const keys = dataKeys();
    await keys.byNumber(tokensOf('first'), 3);
    nowMs += DATA_KEY_CACHE_MS - 1;
    await keys.byNumber(tokensOf('first'), 3);
    expect(unwraps()).toBe(1);
    nowMs += 1;
    await keys.byNumber(tokensOf('first'), 3);
    expect(unwraps()).toBe(2);
  });

  it('what is remembered is one unwrapping for any number of values at once', async () => {
    const keys = dataKeys();
    await Promise.all([
      keys.current(tokensOf('first')),
      keys.byNumber(tokensOf('first'), PERIOD),
      keys.current(tokensOf('first')),
    ]);
    expect(unwraps()).toBe(1);
  });

  it('what is remembered is each account’s and each number’s own (AK-6)', async () => {
    const keys = dataKeys();
    await keys.byNumber(tokensOf('a'), 11);
    await keys.byNumber(tokensOf('a1'), 1);
    await keys.byNumber(tokensOf('a'), 1);
    expect(unwraps()).toBe(3);
  });

  it('what is remembered is no failure: the next value asks again', async () => {
    const keys = dataKeys();
    kms
      .on(DecryptCommand)
      .rejectsOnce(new Error('KMS is away'))
      .resolves({ Plaintext: plainKey(5) });
    await expect(keys.byNumber(tokensOf('first'), 3)).rejects.toThrow('KMS is away');
    expect(await keys.byNumber(tokensOf('first'), 3)).toEqual(plainKey(5));
  });

  it('what is remembered is no missing key either', async () => {
    const keys = dataKeys();
    documents.on(GetCommand).resolvesOnce({}).resolves(stored(5));
    expect(await keys.byNumber(tokensOf('first'), 3)).toBeUndefined();
    expect(await keys.byNumber(tokensOf('first'), 3)).toEqual(plainKey(5));
  });
});

describe('the number of a data key', () => {
  it('the number of a data key is its period’s, and names the period however often it was replaced', () => {
    expect(periodKeyNumber(PERIOD * PERIOD_MS)).toBe(PERIOD);
    expect([PERIOD, FIRST, SECOND].map(periodOfKey)).toEqual([PERIOD, PERIOD, PERIOD]);
    expect([PERIOD, FIRST].map(replacementOf)).toEqual([FIRST, SECOND]);
  });

  it('the number of a data key has nine digits at most, so a period’s key is replaced 99 times and no more', () => {
    let number = PERIOD;
    for (let i = 0; i < 99; i++) number = replacementOf(number);
    expect(number).toBe(990_002_921);
    expect(() => replacementOf(number)).toThrow('cannot be replaced any more');
    expect(replacementOf(989_999_999)).toBe(999_999_999);
  });
});

describe('a data key that was replaced ahead of its time', () => {
  /** Keys of a table that holds these: the seed of each and the number of its successor, if there is one. */
  function storedKeys(rows: Readonly<Record<number, { seed: number; replacedBy?: unknown }>>) {
    documents.on(GetCommand).callsFake(({ Key }) => {
      const row = rows[Number(String(Key.sk).split('#')[1])];
      return row === undefined ? {} : { Item: { ...stored(row.seed).Item, replacedBy: row.replacedBy } };
    });
    return dataKeys();
  }

  it('encrypts no more: its latest successor does, and none is made', async () => {
    const keys = storedKeys({
      [PERIOD]: { seed: 1, replacedBy: FIRST },
      [FIRST]: { seed: 2, replacedBy: SECOND },
      [SECOND]: { seed: 3 },
    });
    expect(await keys.current(tokensOf('first'))).toMatchObject({ keyNumber: SECOND, key: plainKey(3) });
    expect(kms.commandCalls(GenerateDataKeyCommand)).toEqual([]);
  });

  it('decrypts what it has encrypted', async () => {
    const keys = storedKeys({ [PERIOD]: { seed: 1, replacedBy: FIRST }, [FIRST]: { seed: 2 } });
    expect(await keys.byNumber(tokensOf('first'), PERIOD)).toEqual(plainKey(1));
  });

  it.each([[String(FIRST)], [PERIOD], [PERIOD - 1]])(
    'stays in use where its successor is no later number: %j',
    async (replacedBy) => {
      const keys = storedKeys({ [PERIOD]: { seed: 1, replacedBy }, [PERIOD - 1]: { seed: 4 } });
      expect(await keys.current(tokensOf('first'))).toMatchObject({ keyNumber: PERIOD });
    },
  );

  it('a data key that was replaced ahead of its time whose successor is missing stops encryption and says so', async () => {
    const keys = storedKeys({ [PERIOD]: { seed: 1, replacedBy: FIRST } });
    await expect(keys.current(tokensOf('first'))).rejects.toThrow('There is no such data key');
  });
});

describe('a row that came along with others', () => {
  const AT = { pk: 'ACCOUNT#first', sk: `DATAKEY#${PERIOD}` };
  const itemOf = (seed: number) => ({ ...AT, ...stored(seed).Item });

  it('spares the table a question, and is unwrapped only when something has to be decrypted', async () => {
    const keys = dataKeys();
    expect(keys.wanted('first')).toEqual(AT);
    keys.bring(AT, itemOf(5));
    expect(kms.commandCalls(DecryptCommand)).toEqual([]);
    expect(await keys.byNumber(tokensOf('first'), PERIOD)).toEqual(plainKey(5));
    expect(documents.commandCalls(GetCommand)).toEqual([]);
  });

  it('a row that came along with others is wanted while its key is not in memory, and again when that has run out', async () => {
    const keys = dataKeys();
    keys.bring(AT, itemOf(5));
    expect(keys.wanted('first')).toBeUndefined();
    expect(keys.wanted('second')).toEqual({ ...AT, pk: 'ACCOUNT#second' });
    await keys.byNumber(tokensOf('first'), PERIOD);
    expect(keys.wanted('first')).toBeUndefined();
    nowMs += DATA_KEY_CACHE_MS;
    expect(keys.wanted('first')).toEqual(AT);
  });

  it('a row that came along with others is not wanted while its key is being read', async () => {
    const keys = dataKeys();
    const reading = keys.current(tokensOf('first'));
    expect(keys.wanted('first')).toBeUndefined();
    await reading;
  });

  it('counts once: after a failure of KMS the table is asked', async () => {
    const keys = dataKeys();
    keys.bring(AT, itemOf(5));
    kms
      .on(DecryptCommand)
      .rejectsOnce(new Error('down'))
      .callsFake(({ CiphertextBlob }) => ({ Plaintext: plainKey(CiphertextBlob[1]) }));
    await expect(keys.byNumber(tokensOf('first'), PERIOD)).rejects.toThrow('down');
    expect(counted).toEqual(['DataKeyFailed']);
    documents.on(GetCommand).resolves(stored(6));
    expect(await keys.byNumber(tokensOf('first'), PERIOD)).toEqual(plainKey(6));
  });

  it('a row that came along with others is no older than the rows it came with may become', async () => {
    const keys = dataKeys();
    keys.bring(AT, itemOf(5));
    nowMs += CONNECTION_CACHE_MS;
    documents.on(GetCommand).resolves(stored(6));
    expect(await keys.byNumber(tokensOf('first'), PERIOD)).toEqual(plainKey(6));
  });

  it('a row that came along with others is of no use to a value under another key, which is read as ever', async () => {
    const keys = dataKeys();
    keys.bring(AT, itemOf(5));
    documents.on(GetCommand).resolves(stored(7));
    expect(await keys.byNumber(tokensOf('first'), FIRST)).toEqual(plainKey(7));
    expect(documents.commandCalls(GetCommand)).toHaveLength(1);
  });
});
