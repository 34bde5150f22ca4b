import { randomBytes, webcrypto } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvalContext } from '../../../../lambdas/features/approvals/approval.rules.ts';
import { cursorContext, statesKeyContext } from '../../../../lambdas/features/feeds/sealed-places.rules.ts';
import { changeContext, leftContext } from '../../../../lambdas/features/undo/change.rules.ts';
import { webhookSecretContext } from '../../../../lambdas/features/webhooks/attempt-delivery.ts';
import { KEY_PURPOSES } from '../../../../lambdas/gateway/core/contract.ts';
import { sha256Hex } from '../../../../lambdas/gateway/core/identifiers.ts';
import type { CipherContext, PlaceFor, Random } from '../../../../lambdas/gateway/core/ports.ts';
import { SEALED_FIELDS } from '../../../../lambdas/gateway/core/sealed-fields.ts';
import {
  additionalData,
  type DataKeys,
  type KeyOwner,
  sealedUnder,
  tokenCipher,
  withoutTokens,
} from '../../../../lambdas/gateway/platform/kms/token-cipher.ts';
import {
  accessTokenContext,
  codeVerifierContext,
  refreshTokenContext,
} from '../../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { ProcessorTime } from '../../../support/processor-time.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const CONTEXT: PlaceFor<'tokens'> = {
  accountId: 'default',
  integrationId: 'drive',
  recordId: 'user-1',
  field: 'refreshToken',
  purpose: 'tokens',
};
const KEY_NUMBER = 2921;
const APPROVAL_PARTS = ['request', 'about', 'result'] as const;
const SYSTEM_RANDOM: Random = { bytes: (length) => randomBytes(length), number: () => 0.5 };

/** Every account, purpose and key number has its own key, as in the table. */
function inMemoryDataKeys(keyNumber = KEY_NUMBER): DataKeys {
  const keyOf = ({ accountId, purpose }: KeyOwner, number: number) =>
    hex(sha256Hex(JSON.stringify([accountId, purpose, number])));
  return {
    current: async (owner) => ({ keyNumber, key: keyOf(owner, keyNumber) }),
    byNumber: async (owner, number) => keyOf(owner, number),
  };
}

/** One key for all, so that only the additional data distinguishes places. */
function sharedKey(key: Uint8Array): DataKeys {
  return { current: async () => ({ keyNumber: KEY_NUMBER, key }), byNumber: async () => key };
}

/** AES-256-GCM by another interface than the one under test: ciphertext and tag. */
async function referenceSeal(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array, plain: Uint8Array): Promise<Buffer> {
  const imported = await webcrypto.subtle.importKey('raw', Uint8Array.from(key), 'AES-GCM', false, ['encrypt']);
  const algorithm = { name: 'AES-GCM', iv: Uint8Array.from(nonce), additionalData: Uint8Array.from(aad) };
  return Buffer.from(await webcrypto.subtle.encrypt(algorithm, imported, Uint8Array.from(plain)));
}

const cipher = tokenCipher(inMemoryDataKeys(), SYSTEM_RANDOM);
/** One message for all, which says nothing of the value or its place. */
const refused = { name: 'CipherError', message: 'A stored value cannot be decrypted' };

describe('encryption (CR-1)', () => {
  it('encryption is AES-256-GCM: the reference passes a published vector and the wrapper equals the reference', async () => {
    // Test case 16 of "The Galois/Counter Mode of Operation (GCM)", McGrew and Viega, appendix B.
    const key = hex('feffe9928665731c6d6a8f9467308308 feffe9928665731c6d6a8f9467308308');
    const nonce = hex('cafebabefacedbaddecaf888');
    const plain = hex(
      'd9313225f88406e5a55909c5aff5269a 86a7a9531534f7da2e4c303d8a318a72 1c3c0c95956809532fcf0e2449a6b525 b16aedf5aa0de657ba637b39',
    );
    const sealed = await referenceSeal(key, nonce, hex('feedfacedeadbeeffeedfacedeadbeef abaddad2'), plain);
    expect(sealed.toString('hex')).toBe(
      [
        '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa',
        '8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662',
        '76fc6ece0f4e1768cddf8853bb2d551b',
      ].join(''),
    );

    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (text) => {
        const wrapper = tokenCipher(sharedKey(key), { bytes: () => nonce, number: () => 0 });
        const expected = await referenceSeal(key, nonce, additionalData(CONTEXT, KEY_NUMBER), Buffer.from(text));
        expect(await wrapper.encrypt(CONTEXT, text)).toBe(
          `v1.${KEY_NUMBER}.${Buffer.concat([nonce, expected]).toString('base64url')}`,
        );
      }),
      { numRuns: 50 },
    );
  });

  it('gives every text back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 300 }), async (text) => {
        expect(await cipher.decrypt(CONTEXT, await cipher.encrypt(CONTEXT, text))).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  it('takes a new nonce of 96 bits each time', async () => {
    const sealed = await Promise.all(Array.from({ length: 1000 }, () => cipher.encrypt(CONTEXT, 'same')));
    // 96 bits are 16 characters of base64url.
    expect(new Set(sealed.map((text) => text.split('.')[2]?.slice(0, 16))).size).toBe(1000);
  });

  it('reads a value of an earlier key', async () => {
    const old = await tokenCipher(inMemoryDataKeys(1), SYSTEM_RANDOM).encrypt(CONTEXT, 'token');
    expect(old.startsWith('v1.1.')).toBe(true);
    expect(await cipher.decrypt(CONTEXT, old)).toBe('token');
  });
});

describe('place of a value (CR-2)', () => {
  const elsewhere: CipherContext[] = [
    { ...CONTEXT, accountId: 'other' },
    { ...CONTEXT, integrationId: 'calendar' },
    { ...CONTEXT, recordId: 'user-2' },
    { ...CONTEXT, field: 'accessToken' },
    { ...CONTEXT, integrationId: 'driveuser', recordId: '-1' },
    { ...CONTEXT, integrationId: 'user-1', recordId: 'drive' },
    { ...CONTEXT, integrationId: 'driveuser-1', recordId: '' },
  ];

  it('decrypts at no other account, integration, record or field, even under one key', async () => {
    const oneKey = tokenCipher(sharedKey(randomBytes(32)), SYSTEM_RANDOM);
    for (const subject of [cipher, oneKey]) {
      const sealed = await subject.encrypt(CONTEXT, 'token');
      expect(await subject.decrypt({ ...CONTEXT }, sealed)).toBe('token');
      for (const place of elsewhere) await expect(subject.decrypt(place, sealed)).rejects.toMatchObject(refused);
    }
  });

  it('decrypts under no other key number, even if the keys were equal', async () => {
    const oneKey = tokenCipher(sharedKey(randomBytes(32)), SYSTEM_RANDOM);
    const sealed = await oneKey.encrypt(CONTEXT, 'token');
    await expect(oneKey.decrypt(CONTEXT, sealed.replace(`.${KEY_NUMBER}.`, '.7.'))).rejects.toMatchObject(refused);
  });

  it('IN-12: encrypts under keys of the purpose, which the value names', async () => {
    const places: readonly CipherContext[] = [
      CONTEXT,
      { ...CONTEXT, field: 'codeVerifier', purpose: 'flows' },
      { ...CONTEXT, field: 'idempotentAnswer', purpose: 'answers' },
      { ...CONTEXT, field: 'feedCursor', purpose: 'cursors' },
      { ...CONTEXT, field: 'clientSecret', purpose: 'clients' },
      { ...CONTEXT, field: 'approval.body7', purpose: 'approvals' },
      { ...CONTEXT, field: 'journalledChange', purpose: 'journal' },
      { ...CONTEXT, field: 'webhookSecret', purpose: 'webhooks' },
    ];
    expect(places.map(({ purpose }) => purpose)).toEqual(KEY_PURPOSES);
    for (const context of places) {
      const { purpose } = context;
      const sealed = await cipher.encrypt(context, 'text');
      expect(sealed.startsWith(`${purpose === 'tokens' ? 'v1' : purpose.slice(0, 2)}.${KEY_NUMBER}.`)).toBe(true);
      expect(sealedUnder(sealed)).toMatchObject({ purpose, keyNumber: KEY_NUMBER });
      expect(await cipher.decrypt(context, sealed)).toBe('text');
    }
    expect(new Set(KEY_PURPOSES.map((one) => one.slice(0, 2))).size).toBe(KEY_PURPOSES.length);
  });

  it('IN-12: only tokens are under keys of tokens, and every place has the purpose of its field', () => {
    const ref = { accountId: 'a', integrationId: 'i', connectionId: 'c' };
    const feed = { feedId: 'f', connection: ref };
    const places = [
      ...[refreshTokenContext(ref), accessTokenContext(ref), codeVerifierContext('a', 'i', 's')],
      ...[cursorContext(feed), statesKeyContext(feed), webhookSecretContext({ accountId: 'a', webhookId: 'w' })],
      ...[changeContext(ref, 'r'), leftContext(ref, 'p')],
      ...APPROVAL_PARTS.map((part) => approvalContext({ accountId: 'a', keyId: 'k', ulid: 'u' }, part)),
    ];
    const purposes: Readonly<Record<string, { readonly purpose: string }>> = SEALED_FIELDS;
    for (const { field, purpose } of places) expect([field, purposes[field]?.purpose]).toEqual([field, purpose]);
    const underTokens = Object.entries(purposes).filter(([, { purpose }]) => purpose === 'tokens');
    expect(underTokens.map(([field]) => field).sort()).toEqual(['accessToken', 'refreshToken']);
  });

  it('IN-12: decrypts no value of one purpose for a field of another, even if the keys were equal', async () => {
    const oneKey = tokenCipher(sharedKey(randomBytes(32)), SYSTEM_RANDOM);
    const verifier = { ...CONTEXT, field: 'codeVerifier', purpose: 'flows' } as const;
    const sealed = await oneKey.encrypt(verifier, 'text');
    for (const other of ['we.', 'v1.']) {
      await expect(oneKey.decrypt(verifier, sealed.replace('fl.', other))).rejects.toMatchObject(refused);
    }
    // @ts-expect-error a verifier is under keys of flows: the compiler refuses this, and so does the cipher.
    await expect(oneKey.decrypt({ ...verifier, purpose: 'webhooks' }, sealed)).rejects.toMatchObject(refused);
    await expect(oneKey.decrypt(CONTEXT, sealed)).rejects.toMatchObject(refused);
  });

  it('IN-12: encrypts for 0.2.0 under the keys of tokens, whatever the field', async () => {
    const keys = sharedKey(randomBytes(32));
    const context = { ...CONTEXT, field: 'webhookSecret', purpose: 'webhooks' } as const;
    const sealed = await tokenCipher(keys, SYSTEM_RANDOM).encrypt({ ...context, purpose: 'tokens' }, 'whsec_x');
    expect(sealedUnder(sealed)).toMatchObject({ purpose: 'tokens' });
    expect(await tokenCipher(keys, SYSTEM_RANDOM).decrypt(context, sealed)).toBe('whsec_x');
  });

  it('IN-12: decrypts what 0.2.0 encrypted under the keys of tokens, whatever its field', async () => {
    const context = { ...CONTEXT, field: 'webhookSecret', purpose: 'webhooks' } as const;
    const key = randomBytes(32);
    const nonce = randomBytes(12);
    const old = await referenceSeal(
      key,
      nonce,
      additionalData({ ...context, purpose: 'tokens' }, KEY_NUMBER),
      Buffer.from('whsec_x'),
    );
    const text = `v1.${KEY_NUMBER}.${Buffer.concat([nonce, old]).toString('base64url')}`;
    expect(await tokenCipher(sharedKey(key), SYSTEM_RANDOM).decrypt(context, text)).toBe('whsec_x');
  });

  it('TB-1: opens nothing under a key of tokens in a function that may use none, and asks for no key', async () => {
    const asked: KeyOwner[] = [];
    const keys = inMemoryDataKeys();
    const counting = {
      ...keys,
      byNumber: async (owner: KeyOwner, number: number) => {
        asked.push(owner);
        return keys.byNumber(owner, number);
      },
    };
    const without = withoutTokens(tokenCipher(counting, SYSTEM_RANDOM));
    const cursor = { ...CONTEXT, field: 'connectionListCursor', purpose: 'cursors' } as const;
    // What an earlier version sealed, and a token.
    for (const context of [cursor, CONTEXT]) {
      const old = await cipher.encrypt({ ...context, purpose: 'tokens' } as PlaceFor<'tokens'>, 'position');
      await expect(without.decrypt(context, old)).rejects.toThrow('A stored value cannot be decrypted');
    }
    expect(asked).toEqual([]);
    expect(await without.decrypt(cursor, await without.encrypt(cursor, 'position'))).toBe('position');
  });

  it('place of a value has additional data of its own for every place', () => {
    const part = fc.stringMatching(/^[a\0#]{0,4}$/);
    const context = fc.record({ accountId: part, integrationId: part, recordId: part, field: part });
    fc.assert(
      fc.property(context, context, fc.nat(3), fc.nat(3), (a, b, one, two) => {
        const equal = JSON.stringify([a, one]) === JSON.stringify([b, two]);
        expect(
          additionalData({ ...a, purpose: 'tokens' }, one).equals(additionalData({ ...b, purpose: 'tokens' }, two)),
        ).toBe(equal);
      }),
      { numRuns: 2000 },
    );
  });

  it('place of a value has each part behind its length, so that zeros inside one are no border', () => {
    const parts = (accountId: string, integrationId: string) =>
      additionalData({ accountId, integrationId, recordId: '', field: '', purpose: 'tokens' }, 7);
    expect(parts('a', '\u00e9').toString('hex')).toBe('000000027631000000016100000002c3a900000000000000000000000137');
    expect(parts('a\0\0\0\0', 'b').equals(parts('a', '\0\0\0\0b'))).toBe(false);
  });
});

describe('values that do not decrypt (CR-9)', () => {
  it('values that do not decrypt fail alike for every generated change of the text, of one character or many', async () => {
    const sealed = await cipher.encrypt(CONTEXT, 'token');
    const other = await cipher.encrypt(CONTEXT, 'other');
    const at = fc.nat(sealed.length - 1);
    const changed = fc.oneof(
      fc
        .tuple(at, fc.string({ minLength: 1, maxLength: 2 }))
        .map(([i, text]) => sealed.slice(0, i) + text + sealed.slice(i + 1)),
      fc.tuple(at, fc.string({ minLength: 1 })).map(([i, text]) => sealed.slice(0, i) + text + sealed.slice(i)),
      fc.tuple(at, at).map(([i, j]) => sealed.slice(0, Math.min(i, j)) + sealed.slice(Math.max(i, j) + 1)),
      at.map((i) => sealed.slice(0, i) + other.slice(i)).filter((text) => text !== other),
      fc.string().map((text) => sealed + text),
      fc.string().map((text) => text + sealed),
    );
    await fc.assert(
      fc.asyncProperty(changed, async (text) => {
        if (text !== sealed) await expect(cipher.decrypt(CONTEXT, text)).rejects.toMatchObject(refused);
      }),
      { numRuns: 1000 },
    );
  });

  it('values that do not decrypt fail alike in another spelling of the number of their key', async () => {
    const sealed = await cipher.encrypt(CONTEXT, 'token');
    await expect(cipher.decrypt(CONTEXT, sealed.replace('v1.', 'v1.0'))).rejects.toMatchObject(refused);
  });

  it('values that do not decrypt fail alike in another spelling of the same bytes', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // 31 bytes are no multiple of three: the last character has bits that belong to none of them.
    const text = await cipher.encrypt(CONTEXT, 'tok');
    const spelled = text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(text.at(-1) ?? '') ^ 1);
    const bytes = (sealed: string) => Buffer.from(sealed.split('.')[2] ?? '', 'base64url');
    expect(bytes(spelled)).toEqual(bytes(text));
    await expect(cipher.decrypt(CONTEXT, spelled)).rejects.toMatchObject(refused);
  });

  it('values that do not decrypt ask for no key when they cannot be values', async () => {
    const asked: number[] = [];
    const byNumber = async (_: KeyOwner, number: number) => {
      asked.push(number);
      return undefined;
    };
    const counting = tokenCipher({ ...inMemoryDataKeys(), byNumber }, SYSTEM_RANDOM);
    const sealed = await counting.encrypt(CONTEXT, '');
    const cut = sealed.slice(0, -1);
    for (const text of ['', 'v1.1.', `x${sealed}`, `${sealed}!`, `${sealed}.`, cut, `v1.1.${'A'.repeat(36)}`]) {
      await expect(counting.decrypt(CONTEXT, text)).rejects.toMatchObject(refused);
    }
    expect(asked).toEqual([]);
    await expect(counting.decrypt(CONTEXT, sealed)).rejects.toMatchObject(refused);
    expect(asked).toEqual([KEY_NUMBER]);
  });

  it('values that do not decrypt keep the reason for the log of the function: a tag that does not fit, not a key that is missing', async () => {
    const reasonOf = async (keys: DataKeys): Promise<unknown> => {
      const sealed = await cipher.encrypt(CONTEXT, 'token');
      const error: unknown = await tokenCipher(keys, SYSTEM_RANDOM)
        .decrypt(CONTEXT, sealed)
        .catch((e: unknown) => e);
      return error instanceof Error ? error.cause : 'none';
    };
    expect(await reasonOf(sharedKey(randomBytes(32)))).toBeInstanceOf(Error);
    expect(await reasonOf({ ...inMemoryDataKeys(), byNumber: async () => undefined })).toBeUndefined();
  });

  it.each([
    ...['', 'token', 'v1', 'v1..', 'v1.1.', 'v2.1.AAAA', 'v1.-1.AAAA', 'v1.1.====', 'v1.1.AA+/'],
    ...['v1.9999999999.AAAA', 'v1.1.AAAA.AAAA', 'to.1.AAAA', 'xx.1.AAAA', 'fl.01.AAAA'],
  ])('values that do not decrypt fail alike for %j', async (sealed) => {
    await expect(cipher.decrypt(CONTEXT, sealed)).rejects.toMatchObject(refused);
  });

  it('values that do not decrypt fail alike for the number of a key that does not exist, unlike a key service that is down', async () => {
    const sealed = await cipher.encrypt(CONTEXT, 'token');
    const missing = tokenCipher({ ...inMemoryDataKeys(), byNumber: async () => undefined }, SYSTEM_RANDOM);
    await expect(missing.decrypt(CONTEXT, sealed)).rejects.toMatchObject(refused);
    const byNumber = () => Promise.reject(new Error('down'));
    const down = tokenCipher({ ...inMemoryDataKeys(), byNumber }, SYSTEM_RANDOM);
    await expect(down.decrypt(CONTEXT, sealed)).rejects.toThrow('down');
  });

  it('values that do not decrypt cost little when they are long (DS-4)', async () => {
    const time = new ProcessorTime(200);
    const long = 'A'.repeat(100_000);
    for (const _ of time) {
      for (const text of [long, '1'.repeat(100_000), 'v1.1.'.repeat(20_000), `v1.1.${long}!`]) {
        await expect(cipher.decrypt(CONTEXT, text)).rejects.toMatchObject(refused);
      }
    }
    expect(time.ms).toBeLessThan(200);
  });
});
