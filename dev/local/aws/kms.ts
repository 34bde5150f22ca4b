/** KMS for symmetric keys: data keys, encryption and decryption bound to an encryption context, errors as the SDK knows them. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { asObject, asString, isObject, type Json, type JsonObject } from '../../tools/json.ts';
import { keyUse, type RequiredAccess } from '../iam/judge.ts';
import { AwsError } from './aws-error.ts';
import type { AwsService } from './server.ts';
import { readStateFile, writeStateFile } from './state-file.ts';

/** Faults for tests: `throttled` refuses every call, `disabled` disables every key, `delayMs` delays answers. */
export interface KmsSwitches {
  throttled: boolean;
  disabled: boolean;
  delayMs: number;
}

export interface Kms extends AwsService {
  readonly switches: KmsSwitches;
  /** @throws AwsError as KMS would. */
  call(operation: string, input: JsonObject): JsonObject;
}

interface MasterKey {
  keyId: string;
  arn: string;
  enabled: boolean;
  material: Buffer;
}

/** Ciphertext: one version byte, 36 bytes of key id, 12 of nonce, 16 of tag, the rest is AES-256-GCM. */
const VERSION = 1;
const KEY_ID_BYTES = 36;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES;

/** Opens the service: each template key gets a master key of its own on first sight, kept in the state file. */
export async function openKms(
  statePath: string,
  templateKeys: readonly { keyId: string; arn: string; enabled: boolean }[],
): Promise<Kms> {
  const stored = await readStateFile(statePath);
  const materials = new Map(readMaterials(stored));
  for (const { keyId } of templateKeys) {
    if (!materials.has(keyId)) materials.set(keyId, randomBytes(32));
  }
  writeStateFile(statePath, Object.fromEntries([...materials].map(([id, key]) => [id, key.toString('base64')])));
  const keys = templateKeys.flatMap((key): MasterKey[] => {
    const material = materials.get(key.keyId);
    return material === undefined ? [] : [{ ...key, material }];
  });
  const switches: KmsSwitches = { throttled: false, disabled: false, delayMs: 0 };
  return {
    switches,
    access: (operation, input) => kmsAccess(keys, operation, input),
    call: (operation, input) => callKms(keys, switches, operation, input),
  };
}

function callKms(keys: readonly MasterKey[], switches: KmsSwitches, operation: string, input: JsonObject): JsonObject {
  if (switches.throttled) throw new AwsError('ThrottlingException', 'Rate exceeded');
  switch (operation) {
    case 'GenerateDataKey':
      return generateDataKey(usable(findKey(keys, input.KeyId), switches), input);
    case 'GenerateDataKeyWithoutPlaintext': {
      const { KeyId = '', CiphertextBlob = '' } = generateDataKey(usable(findKey(keys, input.KeyId), switches), input);
      return { KeyId, CiphertextBlob };
    }
    case 'Decrypt':
      return decryptCall(keys, switches, input);
    default:
      throw new AwsError('NotEmulated', `KMS ${operation} is not emulated locally.`, 501);
  }
}

const OPERATIONS = new Set(['Decrypt', 'GenerateDataKey', 'GenerateDataKeyWithoutPlaintext']);

/** Which rights a call needs; none where there is no such key, which the call itself refuses. Service Authorization Reference, AWS KMS. */
function kmsAccess(keys: readonly MasterKey[], operation: string, input: JsonObject): RequiredAccess[] {
  if (!OPERATIONS.has(operation)) throw new AwsError('NotEmulated', `KMS ${operation} is not emulated locally.`, 501);
  const key =
    operation === 'Decrypt'
      ? sealingKey(keys, Buffer.from(asString(input.CiphertextBlob, 'CiphertextBlob'), 'base64'))
      : keys.find(({ keyId, arn }) => keyId === input.KeyId || arn === input.KeyId);
  if (key === undefined) return [];
  const context = Object.entries(isObject(input.EncryptionContext) ? input.EncryptionContext : {});
  const members = Object.fromEntries(context.map(([name, value]) => [name, asString(value, name)]));
  return [keyUse(`kms:${operation}`, key.arn, members)];
}

/** The key that a ciphertext names, whether or not the rest of it is sound. */
function sealingKey(keys: readonly MasterKey[], blob: Buffer): MasterKey | undefined {
  const keyId = blob.subarray(1, 1 + KEY_ID_BYTES).toString('latin1');
  return keys.find((one) => one.keyId === keyId);
}

function findKey(keys: readonly MasterKey[], keyId: Json | undefined): MasterKey {
  if (typeof keyId !== 'string' || keyId === '') {
    throw new AwsError(
      'ValidationException',
      "1 validation error detected: Value null at 'keyId' failed to satisfy constraint",
    );
  }
  const found = keys.find((key) => key.keyId === keyId || key.arn === keyId);
  if (found === undefined) throw new AwsError('NotFoundException', `Key '${keyId}' does not exist`);
  return found;
}

function usable(key: MasterKey, switches: KmsSwitches): MasterKey {
  if (!key.enabled || switches.disabled) throw new AwsError('DisabledException', `${key.arn} is disabled.`);
  return key;
}

function generateDataKey(key: MasterKey, input: JsonObject): JsonObject {
  const sizes: Record<string, number> = { AES_256: 32, AES_128: 16 };
  const bySpec = typeof input.KeySpec === 'string' ? sizes[input.KeySpec] : undefined;
  const bytes = bySpec ?? input.NumberOfBytes;
  if (
    typeof bytes !== 'number' ||
    bytes < 1 ||
    bytes > 1024 ||
    (bySpec !== undefined && input.NumberOfBytes !== undefined)
  ) {
    throw new AwsError('ValidationException', 'Please specify either number of bytes or key spec.');
  }
  const plaintext = randomBytes(bytes);
  return {
    KeyId: key.arn,
    Plaintext: plaintext.toString('base64'),
    CiphertextBlob: seal(key, plaintext, input.EncryptionContext).toString('base64'),
  };
}

function decryptCall(keys: readonly MasterKey[], switches: KmsSwitches, input: JsonObject): JsonObject {
  const blob = Buffer.from(asString(input.CiphertextBlob, 'CiphertextBlob'), 'base64');
  const key = sealingKey(keys, blob);
  if (blob.length < HEADER_BYTES || blob[0] !== VERSION || key === undefined) throw invalidCiphertext();
  if (input.KeyId !== undefined && findKey(keys, input.KeyId) !== key) {
    throw new AwsError(
      'IncorrectKeyException',
      'The key ID in the request does not identify a CMK that can perform this operation.',
    );
  }
  usable(key, switches);
  return {
    KeyId: key.arn,
    Plaintext: open(key, blob, input.EncryptionContext).toString('base64'),
    EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
  };
}

function seal(key: MasterKey, plaintext: Buffer, context: Json | undefined): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.material, nonce).setAAD(contextBytes(context));
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(key.keyId, 'latin1'), nonce, cipher.getAuthTag(), sealed]);
}

function open(key: MasterKey, blob: Buffer, context: Json | undefined): Buffer {
  const nonce = blob.subarray(1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key.material, nonce)
    .setAAD(contextBytes(context))
    .setAuthTag(blob.subarray(HEADER_BYTES - TAG_BYTES, HEADER_BYTES));
  try {
    return Buffer.concat([decipher.update(blob.subarray(HEADER_BYTES)), decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
}

/** The encryption context as bytes: its pairs sorted by name, so that order does not matter and borders cannot shift. */
function contextBytes(context: Json | undefined): Buffer {
  const pairs = context === undefined ? [] : Object.entries(asObject(context, 'EncryptionContext'));
  const sorted = pairs
    .map(([name, value]) => [name, asString(value, name)])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return Buffer.from(JSON.stringify(sorted), 'utf8');
}

function invalidCiphertext(): AwsError {
  // KMS deliberately gives no more detail, because the reason of a refusal would help to forge a ciphertext.
  return new AwsError('InvalidCiphertextException', '');
}

function readMaterials(state: Json | undefined): [string, Buffer][] {
  return Object.entries(isObject(state) ? state : {}).map(([id, text]) => [
    id,
    Buffer.from(asString(text, id), 'base64'),
  ]);
}
