import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { findGateway, findSimulator } from '../../../packages/cli/gateway-address.ts';
import { profilesFile, writeProfiles } from '../../../packages/cli/profiles.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ARN = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:first-key-AbCdEf';

/** The environment of a user who has never logged in. */
const NOBODY = { XDG_CONFIG_HOME: '/nowhere' };

describe('the gateway a command means', () => {
  let data: string;
  beforeEach(() => {
    data = temporaryFolder();
    const local = { gateway_url: 'http://127.0.0.1:3000', secret_key: 'sk_default_local' };
    writeFileSync(join(data, 'local.json'), JSON.stringify(local));
  });

  it('the gateway a command means is the local one unless another is named', async () => {
    const local = { baseUrl: 'http://127.0.0.1:3000', secretKey: 'sk_default_local', localFolder: data };
    expect(await findGateway({ data }, {})).toEqual(local);
    expect(await findGateway({ data, baseUrl: 'http://127.0.0.1:3000/' }, {})).toMatchObject({ localFolder: data });
  });

  it('the gateway a command means has a simulator where the gateway itself says that it is the one of the folder', () => {
    const local = { gateway_url: 'http://127.0.0.1:3000', secret_key: 'sk_default_local' };
    const why = (redirectUri: string) => Object(findSimulator(data, redirectUri)).why;
    expect(why('https://gateway.example/v1/oauth/callback')).toMatch(/no simulator/);
    expect(why('http://127.0.0.1:3000/oauth/callback')).toMatch(/runs without a simulator/);
    expect(why('http://127.0.0.1:4000/oauth/callback')).toMatch(/127.0.0.1:4000 does not run from .* --data/);
    const controlUrl = 'http://127.0.0.1:3002/__sim/key';
    writeFileSync(join(data, 'local.json'), JSON.stringify({ ...local, simulator_control_url: controlUrl }));
    expect(findSimulator(data, 'http://127.0.0.1:3000/oauth/callback')).toEqual({ controlUrl });
    expect(Object(findSimulator('/nowhere', 'http://127.0.0.1:3000/oauth/callback')).why).toMatch(/\/nowhere/);
  });

  it('takes the key of the environment before the local one', async () => {
    const found = await findGateway({ data }, { GATEWAY_SECRET_KEY: 'sk_default_mine\n' });
    expect(found.secretKey).toBe('sk_default_mine');
  });

  it('never sends the local key to another gateway', async () => {
    const [baseUrl, secretKey] = ['https://gateway.example/v1', 'sk_default_theirs'];
    await expect(findGateway({ data, baseUrl }, NOBODY)).rejects.toThrow(/A secret key is missing/);
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

  it('says how to start one where there is none, also alongside a file that is cut', async () => {
    writeFileSync(join(data, 'local.json'), '{"gateway_url":');
    await expect(findGateway({ data }, NOBODY)).rejects.toThrow(/npm start/);
  });
});

describe('a profile', () => {
  const theirs = {
    baseUrl: 'https://gateway.example/v1',
    proxyUrl: 'https://proxy.example',
    secretKey: 'sk_default_theirs',
  };
  let data: string;
  let environment: Record<string, string>;
  beforeEach(() => {
    data = temporaryFolder();
    environment = { XDG_CONFIG_HOME: data };
    writeProfiles(environment, new Map([['staging', theirs]]));
  });

  it('names a gateway by option, else by the environment, before the local one', async () => {
    const local = { gateway_url: 'http://127.0.0.1:3000', secret_key: 'sk_default_local' };
    writeFileSync(join(data, 'local.json'), JSON.stringify(local));
    const found = { ...theirs, localFolder: undefined };
    expect(await findGateway({ data, profile: 'staging' }, environment)).toMatchObject(found);
    expect(await findGateway({ data }, { ...environment, GATEWAY_PROFILE: 'staging' })).toMatchObject(found);
    expect(await findGateway({ data }, environment)).toMatchObject({ secretKey: 'sk_default_local' });
  });

  it('called default is used where there is neither a name nor a local gateway', async () => {
    writeProfiles(environment, new Map([['default', theirs]]));
    expect(await findGateway({ data }, environment)).toMatchObject(theirs);
    await expect(findGateway({ data, profile: 'other' }, environment)).rejects.toThrow(/no profile other.*: default/);
  });

  it('yields to the environment, and the environment to options; its key goes to its own gateway alone', async () => {
    const others = { GATEWAY_BASE_URL: 'https://other.example', GATEWAY_PROXY_URL: 'https://proxy.other.example' };
    const key = { GATEWAY_SECRET_KEY: 'sk_default_other' };
    const profile = 'staging';
    await expect(findGateway({ data, profile }, { ...environment, ...others })).rejects.toThrow(/its key is not sent/);
    expect(await findGateway({ data, profile }, { ...environment, ...others, ...key })).toMatchObject({
      baseUrl: 'https://other.example',
      proxyUrl: 'https://proxy.other.example',
      secretKey: 'sk_default_other',
    });
    const baseUrl = `${theirs.baseUrl}/`;
    expect(await findGateway({ data, baseUrl, profile }, { ...environment, ...others })).toMatchObject({
      secretKey: theirs.secretKey,
      proxyUrl: theirs.proxyUrl,
    });
    const { GATEWAY_PROXY_URL } = others;
    expect(await findGateway({ data, profile }, { ...environment, GATEWAY_PROXY_URL })).toMatchObject(theirs);
  });

  it('a profile is in a file and a folder that nobody else can read, and is refused where others can', async () => {
    const file = profilesFile(environment);
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    chmodSync(file, 0o640);
    const find = () => findGateway({ data, profile: 'staging' }, environment);
    await expect(find()).rejects.toThrow(/Others can read or replace .*chmod 600/);
    // Who names address and key asks nothing of the file.
    const named = { data, baseUrl: 'https://other.example' };
    expect(await findGateway(named, { ...environment, GATEWAY_SECRET_KEY: 'k' })).toMatchObject({ secretKey: 'k' });
    chmodSync(file, 0o600);
    chmodSync(dirname(file), 0o777);
    await expect(find()).rejects.toThrow(/Others can read or replace/);
    chmodSync(dirname(file), 0o700);
    writeFileSync(file, '{"profiles": {"staging": {"secret_key": "sk_hidden"}}}');
    await expect(find()).rejects.toThrow(/^The profile staging in \S+ is incomplete/);
    writeFileSync(file, 'sk_hidden');
    await expect(find()).rejects.toThrow(/^(?!.*sk_hidden).*is not as gateway login writes it/);
  });
});
