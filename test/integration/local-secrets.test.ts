import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LocalSecret } from '../../dev/local/template/secrets-and-keys.ts';
import { type AwsFixture, openAws, SECRET_ARN_PREFIX, stateFolder } from '../unit/local/fixtures/aws-endpoint.ts';

let state: ReturnType<typeof stateFolder>;
let aws: AwsFixture;
beforeEach(async () => {
  state = stateFolder();
  aws = await openAws(state.path);
});
afterEach(async () => {
  await aws.close();
  state.remove();
});

const create = (Name: string, SecretString: string) =>
  aws.secretsClient.send(new CreateSecretCommand({ Name, SecretString }));
const read = (SecretId: string, VersionStage?: string) =>
  aws.secretsClient.send(new GetSecretValueCommand({ SecretId, VersionStage }));
const secretOf = async (SecretId: string, VersionStage?: string) => (await read(SecretId, VersionStage)).SecretString;
const drop = (SecretId: string) =>
  aws.secretsClient.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));

function templateSecret(name: string, more: Partial<LocalSecret> = {}): LocalSecret {
  return {
    logicalId: name,
    name,
    arn: `${SECRET_ARN_PREFIX}${name}-abcdef`,
    description: undefined,
    initialValue: undefined,
    generate: undefined,
    keyArn: undefined,
    ...more,
  };
}

describe('Secrets Manager', () => {
  it('creates a secret, reads it by name and ARN, and refuses the name a second time', async () => {
    const made = await create('stack/integration/a', 'v1');
    expect(made.ARN).toMatch(
      /^arn:aws:secretsmanager:eu-central-1:000000000000:secret:stack\/integration\/a-[0-9A-Za-z]{6}$/,
    );
    for (const id of ['stack/integration/a', made.ARN ?? '']) {
      expect(await read(id)).toMatchObject({ SecretString: 'v1', VersionStages: ['AWSCURRENT'] });
    }
    await expect(create('stack/integration/a', 'v2')).rejects.toMatchObject({ name: 'ResourceExistsException' });
  });

  it('keeps the value before as AWSPREVIOUS and drops the one before that', async () => {
    await create('s', '1');
    await aws.secretsClient.send(new PutSecretValueCommand({ SecretId: 's', SecretString: '2' }));
    await aws.secretsClient.send(new PutSecretValueCommand({ SecretId: 's', SecretString: '3' }));
    expect([await secretOf('s', 'AWSCURRENT'), await secretOf('s', 'AWSPREVIOUS')]).toEqual(['3', '2']);
  });

  it('takes the same client token once, and refuses it with another value', async () => {
    await create('s', '0');
    const ClientRequestToken = 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee';
    const put = (SecretString: string) =>
      aws.secretsClient.send(new PutSecretValueCommand({ SecretId: 's', SecretString, ClientRequestToken }));
    const first = await put('1');
    expect((await put('1')).VersionId).toBe(first.VersionId);
    await expect(put('2')).rejects.toMatchObject({ name: 'ResourceExistsException' });
  });

  it('marks for deletion and refuses use meanwhile', async () => {
    await create('s', '1');
    const { DeletionDate } = await aws.secretsClient.send(
      new DeleteSecretCommand({ SecretId: 's', RecoveryWindowInDays: 7 }),
    );
    expect((DeletionDate?.getTime() ?? 0) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    for (const use of [() => read('s'), () => create('s', '2')]) {
      await expect(use()).rejects.toMatchObject({ name: 'InvalidRequestException' });
    }
  });

  it('deletes in the background when forced: the name stays taken until that is done', async () => {
    // Nothing to delete is no error.
    await drop('s');
    await create('s', '2');
    aws.secrets.deletion.deletionMs = 3_600_000;
    await drop('s');
    await drop('s');
    await expect(create('s', '2')).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: expect.stringContaining('already scheduled for deletion'),
    });
    await expect(read('s')).rejects.toMatchObject({ name: 'InvalidRequestException' });
    // A restart of the service does not end the deletion.
    await aws.close();
    aws = await openAws(state.path);
    await expect(create('s', '2')).rejects.toMatchObject({ name: 'InvalidRequestException' });
  });

  it('Secrets Manager has room for the name again once the deletion is done', async () => {
    aws.secrets.deletion.deletionMs = 0;
    await create('s', '1');
    await drop('s');
    await expect(read('s')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await create('s', '2');
    expect(await secretOf('s')).toBe('2');
  });

  it('lists in pages, with tags', async () => {
    const Tags = [{ Key: 'k', Value: 'v' }];
    for (const one of [{ Name: 'a' }, { Name: 'b', Tags }, { Name: 'c' }]) {
      await aws.secretsClient.send(new CreateSecretCommand(one));
    }
    const first = await aws.secretsClient.send(new ListSecretsCommand({ MaxResults: 2 }));
    const second = await aws.secretsClient.send(new ListSecretsCommand({ MaxResults: 2, NextToken: first.NextToken }));
    expect([...(first.SecretList ?? []), ...(second.SecretList ?? [])].map((one) => one.Name)).toEqual(['a', 'b', 'c']);
    expect(first.SecretList?.[1]?.Tags).toEqual([{ Key: 'k', Value: 'v' }]);
  });

  it('makes template secrets once: empty, literal or generated', async () => {
    await aws.close();
    const generate = { SecretStringTemplate: '{"user":"u"}', GenerateStringKey: 'password', ExcludePunctuation: true };
    const secrets = [
      templateSecret('empty'),
      templateSecret('literal', { initialValue: 'x' }),
      templateSecret('generated', { generate }),
    ];
    aws = await openAws(state.path, secrets);
    await expect(read('empty')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    expect(await secretOf('literal')).toBe('x');
    const generated = await secretOf('generated');
    expect(JSON.parse(generated ?? '')).toEqual({ user: 'u', password: expect.stringMatching(/^[A-Za-z0-9]{32}$/) });
    await aws.secretsClient.send(
      new PutSecretValueCommand({ SecretId: `${SECRET_ARN_PREFIX}empty-abcdef`, SecretString: 'now' }),
    );
    await aws.close();
    aws = await openAws(state.path, secrets);
    expect([await secretOf('empty'), await secretOf('generated')]).toEqual(['now', generated]);
    expect(statSync(join(state.path, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(state.path, 'secrets.json'), 'utf8')).toContain('now');
  });
});
