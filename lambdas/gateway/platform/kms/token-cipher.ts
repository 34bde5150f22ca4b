import { createCipheriv, createDecipheriv } from 'node:crypto';
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { BoundedCache } from '../../core/bounded-cache.ts';
import { KEY_PURPOSES, type KeyPurpose } from '../../core/contract.ts';
import { CACHE_MAX_ENTRIES, CONNECTION_CACHE_MS, DATA_KEY_CACHE_MS, DATA_KEY_ROTATION_SEC } from '../../core/limits.ts';
import type { CipherContext, Clock, Metrics, Random, TokenCipher } from '../../core/ports.ts';
import { awsClient, reportOutages } from '../aws-client.ts';
import { type Item, isConditionFailure, type Table } from '../dynamodb/client.ts';
import { dataKeyItemKey, type ItemKey } from '../dynamodb/keys.ts';

/**
 * Numbers of data keys: the seven-day period of a key, preceded by how often the key was replaced ahead of its time. A replaced key
 * names its successor, so encryption usually finds it without another read.
 *
 *   2955          the key of period 2955
 *   10_002_955    its replacement, made by an operator within the period
 *   20_002_955    and the replacement of that one
 */
const REPLACEMENT_STEP = 10_000_000;
/** Ciphertexts spell key numbers with nine digits at most. */
const NUMBER_MAX = 999_999_999;

/** Number of the period's own key. */
export function periodKeyNumber(nowMs: number): number {
  return Math.floor(nowMs / 1000 / DATA_KEY_ROTATION_SEC);
}

/** Period that a key was made for. */
export function periodOfKey(keyNumber: number): number {
  return keyNumber % REPLACEMENT_STEP;
}

/** Number of a key's replacement. @throws Error when a period's key was replaced 99 times */
export function replacementOf(keyNumber: number): number {
  const next = keyNumber + REPLACEMENT_STEP;
  if (next > NUMBER_MAX) throw new Error('The data key of this period cannot be replaced any more: wait for the next.');
  return next;
}

/** An account's data keys for one purpose: KMS unwraps them only for roles that may use that purpose. */
export interface KeyOwner {
  readonly accountId: string;
  readonly purpose: KeyPurpose;
}

/** Data keys, unwrapped for use in this process. */
export interface DataKeys {
  /** The key new values are encrypted under; made when its period has none. */
  current(owner: KeyOwner): Promise<{ readonly keyNumber: number; readonly key: Uint8Array }>;
  /** The key of an older value; undefined when there is none. */
  byNumber(owner: KeyOwner, keyNumber: number): Promise<Uint8Array | undefined>;
}

/**
 * Data keys whose rows are read together with others that are needed anyway, which saves one read of the table before a process's first
 * answer.
 */
export interface DataKeyRows {
  /** Key of the row with the account's most likely data key for tokens; undefined while it is in memory. */
  wanted(accountId: string): ItemKey | undefined;
  /** Takes the row that was read. The key is unwrapped only when something has to be decrypted. */
  bring(key: ItemKey, item: Item): void;
}

/** A key that does not exist, as opposed to an unavailable key service. */
class MissingKeyError extends Error {}

interface UnwrappedKey {
  readonly keyNumber: number;
  readonly key: Uint8Array;
  /** Number of its replacement. */
  readonly replacedBy: number | undefined;
}

interface CacheEntry {
  readonly key: Promise<UnwrappedKey>;
  readonly untilMs: number;
}

/**
 * One data key per account, purpose and seven-day period: its number is the period's, so rotation needs no pointer and no query. A key that an
 * operator replaced ahead of its time names its successor. KMS wraps each with account and purpose as encryption context; the plain
 * copy is in memory for minutes (CR-1, CR-6).
 */
export function kmsDataKeys(table: Table, tokenKeyArn: string, clock: Clock, metrics: Metrics): DataKeys & DataKeyRows {
  const kms = awsClient(KMSClient);
  reportOutages(kms, 'its keys');
  const cache = new Map<string, CacheEntry>();
  const brought = new BoundedCache<Item>(CACHE_MAX_ENTRIES);

  /** Counts refusals and missing answers of KMS: their alarm fires long before every cached key has expired. */
  const counted = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      metrics.count('DataKeyFailed');
      throw error;
    }
  };

  const cacheId = ({ accountId, purpose }: KeyOwner, keyNumber: number) => `${purpose}#${accountId}#${keyNumber}`;

  const inMemory = (owner: KeyOwner, keyNumber: number): Promise<UnwrappedKey> | undefined => {
    const found = cache.get(cacheId(owner, keyNumber));
    return found !== undefined && found.untilMs > clock.nowMs() ? found.key : undefined;
  };

  const rowOf = async (Key: ItemKey): Promise<Item | undefined> => {
    const found = brought.get(placeOf(Key), clock.nowMs());
    // Used once: after a failure the table decides.
    brought.delete(placeOf(Key));
    if (found !== undefined) return found;
    return (await table.client.send(new GetCommand({ TableName: table.tableName, Key, ConsistentRead: true }))).Item;
  };

  const cached = (owner: KeyOwner, keyNumber: number, load: () => Promise<UnwrappedKey>): Promise<UnwrappedKey> => {
    const found = inMemory(owner, keyNumber);
    if (found !== undefined) return found;
    const id = cacheId(owner, keyNumber);
    const key = load();
    cache.set(id, { key, untilMs: clock.nowMs() + DATA_KEY_CACHE_MS });
    key.catch(() => cache.delete(id));
    return key;
  };

  const read = async (owner: KeyOwner, keyNumber: number): Promise<UnwrappedKey | undefined> => {
    const row = await rowOf(dataKeyItemKey(owner, keyNumber));
    const wrapped: unknown = row?.wrappedKey;
    const replacedBy: unknown = row?.replacedBy;
    if (!(wrapped instanceof Uint8Array)) return undefined;
    const { Plaintext } = await counted(
      kms.send(
        new DecryptCommand({
          KeyId: tokenKeyArn,
          CiphertextBlob: wrapped,
          EncryptionContext: encryptionContext(owner),
        }),
      ),
    );
    if (Plaintext?.length !== 32) throw new Error('KMS returned no 256-bit key');
    return { keyNumber, key: Plaintext, replacedBy: typeof replacedBy === 'number' ? replacedBy : undefined };
  };

  const create = async (owner: KeyOwner, keyNumber: number): Promise<UnwrappedKey> => {
    const { CiphertextBlob, Plaintext } = await counted(
      kms.send(
        new GenerateDataKeyCommand({
          KeyId: tokenKeyArn,
          KeySpec: 'AES_256',
          EncryptionContext: encryptionContext(owner),
        }),
      ),
    );
    if (CiphertextBlob === undefined || Plaintext?.length !== 32) throw new Error('KMS returned no 256-bit key');
    try {
      await table.client.send(
        new PutCommand({
          TableName: table.tableName,
          Item: {
            ...dataKeyItemKey(owner, keyNumber),
            type: 'data_key',
            ...owner,
            wrappedKey: CiphertextBlob,
            createdAt: new Date(clock.nowMs()).toISOString(),
          },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
      return { keyNumber, key: Plaintext, replacedBy: undefined };
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
    }
    // Another process created this period's key first, or our own write was repeated: the stored one counts.
    const stored = await read(owner, keyNumber);
    if (stored === undefined) throw new Error('The data key could not be read back');
    return stored;
  };

  const existing = (owner: KeyOwner, keyNumber: number): Promise<UnwrappedKey> =>
    cached(owner, keyNumber, async () => {
      const key = await read(owner, keyNumber);
      if (key === undefined) throw new MissingKeyError('There is no such data key');
      return key;
    });

  return {
    async current(owner) {
      const period = periodKeyNumber(clock.nowMs());
      let found = await cached(owner, period, async () => (await read(owner, period)) ?? create(owner, period));
      // Replacements only count up, so this ends.
      while (found.replacedBy !== undefined && found.replacedBy > found.keyNumber) {
        found = await existing(owner, found.replacedBy);
      }
      return found;
    },
    async byNumber(owner, keyNumber) {
      try {
        return (await existing(owner, keyNumber)).key;
      } catch (error) {
        if (error instanceof MissingKeyError) return undefined;
        throw error;
      }
    },

    wanted(accountId) {
      const keyNumber = periodKeyNumber(clock.nowMs());
      const owner: KeyOwner = { accountId, purpose: 'tokens' };
      const key = dataKeyItemKey(owner, keyNumber);
      const isThere = inMemory(owner, keyNumber) ?? brought.get(placeOf(key), clock.nowMs());
      return isThere === undefined ? key : undefined;
    },

    // At most as old as the rows that it came with.
    bring: (key, item) => brought.set(placeOf(key), item, clock.nowMs() + CONNECTION_CACHE_MS),
  };
}

function placeOf({ pk, sk }: ItemKey): string {
  return `${pk} ${sk}`;
}

function encryptionContext({ accountId, purpose }: KeyOwner): Record<string, string> {
  return { account: accountId, purpose };
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A stored value could not be decrypted: one message for every reason (CR-9). */
export class CipherError extends Error {
  constructor(cause?: unknown) {
    super('A stored value cannot be decrypted', { cause });
    this.name = 'CipherError';
  }
}

/** Which data key a value is under. */
export interface SealedUnder {
  readonly purpose: KeyPurpose;
  readonly keyNumber: number;
  /** Text of the value's bytes, base64url. */
  readonly bytes: string;
}

/**
 * Takes a sealed value apart: `<form>.<key number>.<bytes>`. The form is `v1` under a key of tokens, else the first two letters of the
 * purpose: values are as long as before, because rows of feeds are meant to fit into one write unit. Earlier versions wrote everything
 * as `v1`. Undefined for any other text, other spellings of a number included.
 */
export function sealedUnder(text: string): SealedUnder | undefined {
  const [, form, keyNumber, bytes = ''] = /^(v1|[a-z]{2})\.(0|[1-9]\d{0,8})\.([A-Za-z0-9_-]+)$/.exec(text) ?? [];
  const purpose = KEY_PURPOSES.find((one) => formOf(one) === form);
  return purpose === undefined ? undefined : { purpose, keyNumber: Number(keyNumber), bytes };
}

function formOf(purpose: KeyPurpose): string {
  return purpose === 'tokens' ? 'v1' : purpose.slice(0, 2);
}

/** Encrypts a field under keys of any purpose: earlier versions use those of tokens for all. Functions have the port, which does not. */
interface CipherForEarlierVersions {
  encrypt(context: Pick<CipherContext, keyof CipherContext>, plaintext: string): Promise<string>;
}

/**
 * AES-256-GCM per field: which data key, then base64url of nonce, ciphertext and tag, with a random 96-bit nonce each time and the
 * place of the value as AAD (CR-1, CR-2; NIST SP 800-38D). A value of another purpose that is still under a key of tokens opens where
 * the function's role may use those.
 */
export function tokenCipher(dataKeys: DataKeys, random: Random): TokenCipher & CipherForEarlierVersions {
  return {
    async encrypt(context, plaintext) {
      const { accountId, purpose } = context;
      const { keyNumber, key } = await dataKeys.current({ accountId, purpose });
      const nonce = random.bytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(additionalData(context, keyNumber));
      const sealed = Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${formOf(purpose)}.${keyNumber}.${sealed.toString('base64url')}`;
    },

    async decrypt(context, ciphertext) {
      const under = sealedUnder(ciphertext);
      if (under === undefined) throw new CipherError();
      const { purpose, keyNumber, bytes } = under;
      const sealed = Buffer.from(bytes, 'base64url');
      // Base64 has several spellings of some bytes: only the written one is accepted.
      if (sealed.length < NONCE_BYTES + TAG_BYTES || sealed.toString('base64url') !== bytes) throw new CipherError();
      if (purpose !== 'tokens' && purpose !== context.purpose) throw new CipherError();
      const key = await dataKeys.byNumber({ accountId: context.accountId, purpose }, keyNumber);
      if (key === undefined) throw new CipherError();
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
        decipher.setAAD(additionalData({ ...context, purpose }, keyNumber));
        decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
        const plain = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([plain, decipher.final()]).toString('utf8');
      } catch (error) {
        throw new CipherError(error);
      }
    },
  };
}

/**
 * The cipher of a function whose role may use no key of tokens: it asks KMS for none. What an earlier version sealed under them, whatever
 * it is, cannot be opened.
 */
export function withoutTokens(cipher: TokenCipher): TokenCipher {
  return {
    encrypt: (context, plaintext) => cipher.encrypt(context, plaintext),
    async decrypt(context, ciphertext) {
      if (sealedUnder(ciphertext)?.purpose === 'tokens') throw new CipherError();
      return cipher.decrypt(context, ciphertext);
    },
  };
}

/** Each part is preceded by its length in bytes, so that no two contexts have the same text. */
export function additionalData(
  context: Readonly<Record<Exclude<keyof CipherContext, 'purpose'>, string>> & Pick<CipherContext, 'purpose'>,
  keyNumber: number,
): Buffer {
  const { accountId, integrationId, recordId, field, purpose } = context;
  const parts = [formOf(purpose), accountId, integrationId, recordId, field, String(keyNumber)];
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}
