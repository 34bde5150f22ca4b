import { Client, type ClientConfig, commandOf } from './client.ts';
import { exact, fromBase64, struct, toBase64 } from './shapes.ts';

/** Replaces the SDK's class of this name. */
export class KMSClient extends Client {
  constructor(config: ClientConfig) {
    const ownFaults = ['DependencyTimeoutException', 'KMSInternalException', 'KeyUnavailableException'];
    super({ host: 'kms', variable: 'KMS', json: '1.1', target: 'TrentService', delayMs: 50, ownFaults }, config);
  }
}

const bytes = { CiphertextBlob: fromBase64, Plaintext: fromBase64 };

export const DecryptCommand = commandOf(
  'Decrypt',
  exact('CiphertextBlob EncryptionContext GrantTokens KeyId EncryptionAlgorithm DryRun', { CiphertextBlob: toBase64 }),
  struct('KeyId Plaintext EncryptionAlgorithm KeyMaterialId', bytes),
);

export const GenerateDataKeyCommand = commandOf(
  'GenerateDataKey',
  exact('KeyId EncryptionContext NumberOfBytes KeySpec GrantTokens DryRun'),
  struct('CiphertextBlob Plaintext KeyId KeyMaterialId', bytes),
);
