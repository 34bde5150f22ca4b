import { Client, type ClientConfig, commandOf } from './client.ts';
import { exact, fromBase64, fromEpochSec, struct } from './shapes.ts';

/** Replaces the SDK's class of this name. */
export class SecretsManagerClient extends Client {
  constructor(config: ClientConfig) {
    const name = { host: 'secretsmanager', variable: 'SECRETS_MANAGER', target: 'secretsmanager' };
    super({ ...name, json: '1.1', delayMs: 50, ownFaults: ['InternalServiceError'] }, config);
  }
}

export const GetSecretValueCommand = commandOf(
  'GetSecretValue',
  exact('SecretId VersionId VersionStage'),
  struct('ARN Name VersionId SecretBinary SecretString VersionStages CreatedDate', {
    SecretBinary: fromBase64,
    CreatedDate: fromEpochSec,
  }),
);
