import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findGateway } from '../../../cli/gateway-address.ts';

const ARN = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:first-key-AbCdEf';

describe('the gateway a command means', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'command-line-'));
    const local = { gateway_url: 'http://127.0.0.1:3000', secret_key: 'sk_default_local' };
    writeFileSync(join(data, 'local.json'), JSON.stringify(local));
  });
  afterEach(() => rmSync(data, { recursive: true, force: true }));

  it('is the local one unless another is named', async () => {
    const local = { baseUrl: 'http://127.0.0.1:3000', secretKey: 'sk_default_local', localFolder: data };
    expect(await findGateway({ data }, {})).toEqual(local);
    expect(await findGateway({ data, baseUrl: 'http://127.0.0.1:3000/' }, {})).toMatchObject({ localFolder: data });
  });

  it('takes the key of the environment before the local one', async () => {
    expect(await findGateway({ data }, { GATEWAY_SECRET_KEY: 'sk_default_mine\n' })).toMatchObject({
      secretKey: 'sk_default_mine',
    });
  });

  it('never sends the local key to another gateway', async () => {
    await expect(findGateway({ data, baseUrl: 'https://gateway.example/v1' }, {})).rejects.toThrow(
      /A secret key is missing/,
    );
    const environment = { GATEWAY_BASE_URL: 'https://gateway.example/v1', GATEWAY_SECRET_KEY: 'sk_default_theirs' };
    expect(await findGateway({ data }, environment)).toEqual({
      baseUrl: 'https://gateway.example/v1',
      secretKey: 'sk_default_theirs',
      localFolder: undefined,
    });
  });

  it('reads the key from the named secret, in the region of its ARN', async () => {
    const aws = mockClient(SecretsManagerClient);
    aws.on(GetSecretValueCommand, { SecretId: ARN }).resolves({ SecretString: 'sk_default_stored' });
    const found = await findGateway({ data, baseUrl: 'https://gateway.example', keySecret: ARN }, {});
    expect(found.secretKey).toBe('sk_default_stored');
    aws.on(GetSecretValueCommand).resolves({});
    await expect(findGateway({ data, keySecret: ARN }, {})).rejects.toThrow(/is empty/);
    aws.on(GetSecretValueCommand).rejects(new Error('no access'));
    await expect(findGateway({ data, keySecret: ARN }, {})).rejects.toThrow(/cannot be read.*no access/);
    aws.restore();
  });

  it('says how to start one where there is none, also beside a file that is cut', async () => {
    writeFileSync(join(data, 'local.json'), '{"gateway_url":');
    await expect(findGateway({ data }, {})).rejects.toThrow(/npm start/);
  });
});
