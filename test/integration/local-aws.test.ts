import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateAliasCommand,
  DecryptCommand,
  DescribeKeyCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  KMSClient,
} from '@aws-sdk/client-kms';
import {
  BatchGetSecretValueCommand,
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetRandomPasswordCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  RestoreSecretCommand,
  SecretsManagerClient,
  TagResourceCommand,
  UpdateSecretCommand,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CallCounter, callCounter } from '../../local/aws/call-counts.ts';
import { type Kms, openKms } from '../../local/aws/kms.ts';
import { openSecretsManager, type SecretsManager } from '../../local/aws/secrets-manager.ts';
import { type AwsService, awsEndpoint } from '../../local/aws/server.ts';
import { closeServer, listen } from '../../local/network.ts';
import type { LocalSecret } from '../../local/template/secrets-and-keys.ts';

const KEY = {
  keyId: '11111111-2222-3333-4444-555555555555',
  arn: 'arn:aws:kms:eu-central-1:000000000000:key/11111111-2222-3333-4444-555555555555',
  enabled: true,
};
const ARN_PREFIX = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:';

let folder: string;
let server: Server;
let kms: Kms;
let secretsManager: SecretsManager;
let counter: CallCounter;
let notEmulated: string[];
let kmsClient: KMSClient;
let client: SecretsManagerClient;

async function open(templateSecrets: LocalSecret[] = []): Promise<void> {
  kms = await openKms(join(folder, 'kms.json'), [KEY]);
  secretsManager = await openSecretsManager({
    statePath: join(folder, 'secrets.json'),
    arnPrefix: ARN_PREFIX,
    templateSecrets,
  });
  counter = callCounter();
  notEmulated = [];
  const services = new Map<string, AwsService>([
    ['TrentService', kms],
    ['secretsmanager', secretsManager],
  ]);
  server = awsEndpoint({ services, counter, onNotEmulated: (description) => notEmulated.push(description) });
  const port = await listen(server, 0, 'test', '');
  const config = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
    userAgentAppId: 'proxy',
  };
  kmsClient = new KMSClient(config);
  client = new SecretsManagerClient(config);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-aws-'));
  await open();
});
afterEach(async () => {
  await closeServer(server);
  rmSync(folder, { recursive: true, force: true });
});

function templateSecret(name: string, more: Partial<LocalSecret> = {}): LocalSecret {
  return {
    logicalId: name,
    name,
    arn: `${ARN_PREFIX}${name}-abcdef`,
    description: undefined,
    initialValue: undefined,
    generate: undefined,
    ...more,
  };
}

describe('KMS', () => {
  const EncryptionContext = { account: 'a', purpose: 'tokens' };

  it('wraps a data key that only the same context unwraps, whatever the order of its members', async () => {
    const made = await kmsClient.send(
      new GenerateDataKeyCommand({ KeyId: KEY.arn, KeySpec: 'AES_256', EncryptionContext }),
    );
    expect(made.Plaintext).toHaveLength(32);
    const reordered = { purpose: 'tokens', account: 'a' };
    const opened = await kmsClient.send(
      new DecryptCommand({ CiphertextBlob: made.CiphertextBlob, EncryptionContext: reordered }),
    );
    expect(Buffer.from(opened.Plaintext ?? [])).toEqual(Buffer.from(made.Plaintext ?? []));
    expect(opened.KeyId).toBe(KEY.arn);
    for (const context of [{ account: 'b', purpose: 'tokens' }, { account: 'a' }, undefined]) {
      const wrong = kmsClient.send(
        new DecryptCommand({ CiphertextBlob: made.CiphertextBlob, ...(context && { EncryptionContext: context }) }),
      );
      await expect(wrong).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
    }
  });

  it('still unwraps after a restart', async () => {
    const made = await kmsClient.send(new EncryptCommand({ KeyId: KEY.keyId, Plaintext: Buffer.from('kept') }));
    await closeServer(server);
    await open();
    const opened = await kmsClient.send(new DecryptCommand({ CiphertextBlob: made.CiphertextBlob }));
    expect(Buffer.from(opened.Plaintext ?? []).toString()).toBe('kept');
    expect(statSync(join(folder, 'kms.json')).mode & 0o777).toBe(0o600);
  });

  it('refuses a changed ciphertext', async () => {
    const made = await kmsClient.send(new EncryptCommand({ KeyId: KEY.keyId, Plaintext: Buffer.from('x') }));
    const changed = Buffer.from(made.CiphertextBlob ?? []);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    await expect(kmsClient.send(new DecryptCommand({ CiphertextBlob: changed }))).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
    });
  });

  it('knows only the template’s keys', async () => {
    const unknown = kmsClient.send(new GenerateDataKeyCommand({ KeyId: 'other', KeySpec: 'AES_256' }));
    await expect(unknown).rejects.toMatchObject({ name: 'NotFoundException' });
    const { KeyMetadata } = await kmsClient.send(new DescribeKeyCommand({ KeyId: KEY.keyId }));
    expect(KeyMetadata).toMatchObject({ Arn: KEY.arn, KeyState: 'Enabled' });
  });

  it('fails as switched: throttled, disabled, late', async () => {
    const call = () => kmsClient.send(new GenerateDataKeyCommand({ KeyId: KEY.keyId, KeySpec: 'AES_256' }));
    kms.switches.throttled = true;
    await expect(call()).rejects.toMatchObject({ name: 'ThrottlingException' });
    kms.switches.throttled = false;
    kms.switches.disabled = true;
    await expect(call()).rejects.toMatchObject({ name: 'DisabledException' });
    kms.switches.disabled = false;
    kms.switches.delayMs = 80;
    const startedAt = performance.now();
    await call();
    expect(performance.now() - startedAt).toBeGreaterThan(75);
  });
});

describe('Secrets Manager', () => {
  it('creates a secret, reads it by name and ARN, and refuses the name a second time', async () => {
    const made = await client.send(new CreateSecretCommand({ Name: 'stack/integration/a', SecretString: 'v1' }));
    expect(made.ARN).toMatch(
      /^arn:aws:secretsmanager:eu-central-1:000000000000:secret:stack\/integration\/a-[0-9A-Za-z]{6}$/,
    );
    for (const SecretId of ['stack/integration/a', made.ARN]) {
      expect(await client.send(new GetSecretValueCommand({ SecretId }))).toMatchObject({
        SecretString: 'v1',
        VersionStages: ['AWSCURRENT'],
      });
    }
    const again = client.send(new CreateSecretCommand({ Name: 'stack/integration/a', SecretString: 'v2' }));
    await expect(again).rejects.toMatchObject({ name: 'ResourceExistsException' });
  });

  it('keeps the value before as AWSPREVIOUS and drops the one before that', async () => {
    await client.send(new CreateSecretCommand({ Name: 's', SecretString: '1' }));
    await client.send(new PutSecretValueCommand({ SecretId: 's', SecretString: '2' }));
    await client.send(new UpdateSecretCommand({ SecretId: 's', SecretString: '3' }));
    const value = async (VersionStage: string) =>
      (await client.send(new GetSecretValueCommand({ SecretId: 's', VersionStage }))).SecretString;
    expect([await value('AWSCURRENT'), await value('AWSPREVIOUS')]).toEqual(['3', '2']);
    const { VersionIdsToStages } = await client.send(new DescribeSecretCommand({ SecretId: 's' }));
    expect(
      Object.values(VersionIdsToStages ?? {})
        .flat()
        .sort(),
    ).toEqual(['AWSCURRENT', 'AWSPREVIOUS']);
  });

  it('moves a stage back', async () => {
    const first = await client.send(new CreateSecretCommand({ Name: 's', SecretString: '1' }));
    const second = await client.send(new PutSecretValueCommand({ SecretId: 's', SecretString: '2' }));
    await client.send(
      new UpdateSecretVersionStageCommand({
        SecretId: 's',
        VersionStage: 'AWSCURRENT',
        MoveToVersionId: first.VersionId,
        RemoveFromVersionId: second.VersionId,
      }),
    );
    expect((await client.send(new GetSecretValueCommand({ SecretId: 's' }))).SecretString).toBe('1');
  });

  it('takes the same client token once, and refuses it with another value', async () => {
    await client.send(new CreateSecretCommand({ Name: 's', SecretString: '0' }));
    const put = (SecretString: string) =>
      client.send(
        new PutSecretValueCommand({
          SecretId: 's',
          SecretString,
          ClientRequestToken: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
        }),
      );
    const first = await put('1');
    expect((await put('1')).VersionId).toBe(first.VersionId);
    await expect(put('2')).rejects.toMatchObject({ name: 'ResourceExistsException' });
  });

  it('marks for deletion, refuses use meanwhile, restores, and deletes at once when forced', async () => {
    await client.send(new CreateSecretCommand({ Name: 's', SecretString: '1' }));
    const { DeletionDate } = await client.send(new DeleteSecretCommand({ SecretId: 's', RecoveryWindowInDays: 7 }));
    expect((DeletionDate?.getTime() ?? 0) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    await expect(client.send(new GetSecretValueCommand({ SecretId: 's' }))).rejects.toMatchObject({
      name: 'InvalidRequestException',
    });
    await expect(client.send(new CreateSecretCommand({ Name: 's' }))).rejects.toMatchObject({
      name: 'InvalidRequestException',
    });
    await client.send(new RestoreSecretCommand({ SecretId: 's' }));
    expect((await client.send(new GetSecretValueCommand({ SecretId: 's' }))).SecretString).toBe('1');
    await client.send(new DeleteSecretCommand({ SecretId: 's', ForceDeleteWithoutRecovery: true }));
    await expect(client.send(new GetSecretValueCommand({ SecretId: 's' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  it('answers a batch with values and with errors', async () => {
    await client.send(new CreateSecretCommand({ Name: 's', SecretString: '1' }));
    const reply = await client.send(new BatchGetSecretValueCommand({ SecretIdList: ['s', 'none'] }));
    expect(reply.SecretValues).toMatchObject([{ Name: 's', SecretString: '1' }]);
    expect(reply.Errors).toMatchObject([{ SecretId: 'none', ErrorCode: 'ResourceNotFoundException' }]);
  });

  it('lists in pages and tags', async () => {
    for (const Name of ['a', 'b', 'c']) await client.send(new CreateSecretCommand({ Name }));
    await client.send(new TagResourceCommand({ SecretId: 'b', Tags: [{ Key: 'k', Value: 'v' }] }));
    const first = await client.send(new ListSecretsCommand({ MaxResults: 2 }));
    const second = await client.send(new ListSecretsCommand({ MaxResults: 2, NextToken: first.NextToken }));
    expect([...(first.SecretList ?? []), ...(second.SecretList ?? [])].map((one) => one.Name)).toEqual(['a', 'b', 'c']);
    expect(first.SecretList?.[1]?.Tags).toEqual([{ Key: 'k', Value: 'v' }]);
  });

  it('makes template secrets once: empty, literal or generated', async () => {
    await closeServer(server);
    const generate = { SecretStringTemplate: '{"user":"u"}', GenerateStringKey: 'password', ExcludePunctuation: true };
    const secrets = [
      templateSecret('empty'),
      templateSecret('literal', { initialValue: 'x' }),
      templateSecret('generated', { generate }),
    ];
    await open(secrets);
    const value = async (SecretId: string) => (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString;
    await expect(value('empty')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    expect(await value('literal')).toBe('x');
    const generated = await value('generated');
    expect(JSON.parse(generated ?? '')).toEqual({ user: 'u', password: expect.stringMatching(/^[A-Za-z0-9]{32}$/) });
    await client.send(new PutSecretValueCommand({ SecretId: `${ARN_PREFIX}empty-abcdef`, SecretString: 'now' }));
    await closeServer(server);
    await open(secrets);
    expect([await value('empty'), await value('generated')]).toEqual(['now', generated]);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toContain('now');
  });

  it('makes random passwords by the options asked for', async () => {
    const { RandomPassword } = await client.send(
      new GetRandomPasswordCommand({ PasswordLength: 20, ExcludeCharacters: 'abc', ExcludePunctuation: true }),
    );
    expect(RandomPassword).toMatch(/^[A-Zd-z0-9]{20}$/);
    const impossible = client.send(new GetRandomPasswordCommand({ PasswordLength: 2 }));
    await expect(impossible).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });
});

describe('anything else', () => {
  it('is refused with 501 and told to the console, by target or by address', async () => {
    const alias = kmsClient.send(new CreateAliasCommand({ AliasName: 'alias/x', TargetKeyId: KEY.keyId }));
    await expect(alias).rejects.toMatchObject({ name: 'NotEmulated', $metadata: { httpStatusCode: 501 } });
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect((await fetch(`http://127.0.0.1:${port}/bucket/key`)).status).toBe(501);
    expect(notEmulated).toEqual([
      'KMS CreateAlias is not emulated locally.',
      expect.stringContaining('GET /bucket/key'),
    ]);
  });
});

describe('the counter', () => {
  it('tells service, operation and function of each call', async () => {
    await kmsClient.send(new DescribeKeyCommand({ KeyId: KEY.keyId }));
    await kmsClient.send(new DescribeKeyCommand({ KeyId: KEY.keyId }));
    expect(counter.counts()).toEqual([
      { service: 'TrentService', operation: 'DescribeKey', functionName: 'proxy', count: 2 },
    ]);
  });
});
