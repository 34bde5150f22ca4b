import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { findGateway } from '../../../packages/cli/gateway-address.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ARN = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:first-key-AbCdEf';

describe('the gateway a command means', () => {
  let data: string;
  beforeEach(() => {
    data = temporaryFolder();
    const local = { gateway_url: 'http://127.0.0.1:3000', secret_key: 'sk_default_local' };
    writeFileSync(join(data, 'local.json'), JSON.stringify(local));
  });

  it('is the local one unless another is named', async () => {
    const local = { baseUrl: 'http://127.0.0.1:3000', secretKey: 'sk_default_local', localFolder: data };
    expect(await findGateway({ data }, {})).toEqual(local);
    expect(await findGateway({ data, baseUrl: 'http://127.0.0.1:3000/' }, {})).toMatchObject({ localFolder: data });
  });

  it('takes the key of the environment before the local one', async () => {
    const found = await findGateway({ data }, { GATEWAY_SECRET_KEY: 'sk_default_mine\n' });
    expect(found.secretKey).toBe('sk_default_mine');
  });

  it('never sends the local key to another gateway', async () => {
    const [baseUrl, secretKey] = ['https://gateway.example/v1', 'sk_default_theirs'];
    await expect(findGateway({ data, baseUrl }, {})).rejects.toThrow(/A secret key is missing/);
    const environment = { GATEWAY_BASE_URL: baseUrl, GATEWAY_SECRET_KEY: secretKey };
    expect(await findGateway({ data }, environment)).toEqual({ baseUrl, secretKey, localFolder: undefined });
  });

  it('FD-22: sends proxied calls to the address of that gateway, and to no other gateway’s', async () => {
    const environment = { GATEWAY_PROXY_URL: 'https://proxy.example', GATEWAY_SECRET_KEY: 'sk_default_theirs' };
    const proxyUrlOf = async (options: object, more: object = {}) =>
      (await findGateway({ data, ...options }, { ...environment, ...more })).proxyUrl;
    expect(await proxyUrlOf({}, { GATEWAY_BASE_URL: 'https://gateway.example/v1' })).toBe('https://proxy.example');
    const other = { baseUrl: 'https://other.example/v1' };
    expect(await proxyUrlOf(other)).toBeUndefined();
    expect(await proxyUrlOf({ ...other, proxyUrl: 'https://their.example' })).toBe('https://their.example');
    // The local gateway's own file says where its door is.
    expect(await proxyUrlOf({ proxyUrl: 'https://their.example' })).toBeUndefined();
    const local = {
      gateway_url: 'http://127.0.0.1:3000',
      proxy_url: 'http://127.0.0.1:3003',
      secret_key: 'sk_default_local',
    };
    writeFileSync(join(data, 'local.json'), JSON.stringify(local));
    expect(await proxyUrlOf({})).toBe('http://127.0.0.1:3003');
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
