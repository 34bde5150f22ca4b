import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CreateAliasCommand, DecryptCommand, GenerateDataKeyCommand } from '@aws-sdk/client-kms';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AwsFixture, KEY, openAws, stateFolder } from '../unit/local/fixtures/aws-endpoint.ts';

const state = stateFolder();
let aws: AwsFixture;
beforeEach(async () => {
  aws = await openAws(state.path);
});
afterEach(() => aws.close());
afterAll(() => state.remove());

const makeDataKey = () => aws.kmsClient.send(new GenerateDataKeyCommand({ KeyId: KEY.keyId, KeySpec: 'AES_256' }));

describe('KMS', () => {
  const EncryptionContext = { account: 'a', purpose: 'tokens' };

  it('wraps a data key that only the same context unwraps, whatever the order of its members', async () => {
    const made = await aws.kmsClient.send(
      new GenerateDataKeyCommand({ KeyId: KEY.arn, KeySpec: 'AES_256', EncryptionContext }),
    );
    expect(made.Plaintext).toHaveLength(32);
    const reordered = { purpose: 'tokens', account: 'a' };
    const opened = await aws.kmsClient.send(
      new DecryptCommand({ CiphertextBlob: made.CiphertextBlob, EncryptionContext: reordered }),
    );
    expect(Buffer.from(opened.Plaintext ?? [])).toEqual(Buffer.from(made.Plaintext ?? []));
    expect(opened.KeyId).toBe(KEY.arn);
    for (const context of [{ account: 'b', purpose: 'tokens' }, { account: 'a' }, undefined]) {
      const wrong = aws.kmsClient.send(
        new DecryptCommand({ CiphertextBlob: made.CiphertextBlob, ...(context && { EncryptionContext: context }) }),
      );
      await expect(wrong).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
    }
  });

  it('still unwraps after a restart', async () => {
    const made = await makeDataKey();
    await aws.close();
    aws = await openAws(state.path);
    const opened = await aws.kmsClient.send(new DecryptCommand({ CiphertextBlob: made.CiphertextBlob }));
    expect(opened.Plaintext).toEqual(made.Plaintext);
    expect(statSync(join(state.path, 'kms.json')).mode & 0o777).toBe(0o600);
  });

  it('refuses a changed ciphertext', async () => {
    const made = await makeDataKey();
    const changed = Buffer.from(made.CiphertextBlob ?? []);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    await expect(aws.kmsClient.send(new DecryptCommand({ CiphertextBlob: changed }))).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
    });
  });

  it('knows only the template’s keys', async () => {
    const unknown = aws.kmsClient.send(new GenerateDataKeyCommand({ KeyId: 'other', KeySpec: 'AES_256' }));
    await expect(unknown).rejects.toMatchObject({ name: 'NotFoundException' });
    expect(await makeDataKey()).toMatchObject({ KeyId: KEY.arn });
  });

  it('fails as switched: throttled, disabled, late', async () => {
    aws.kms.switches.throttled = true;
    await expect(makeDataKey()).rejects.toMatchObject({ name: 'ThrottlingException' });
    aws.kms.switches.throttled = false;
    aws.kms.switches.disabled = true;
    await expect(makeDataKey()).rejects.toMatchObject({ name: 'DisabledException' });
    aws.kms.switches.disabled = false;
    aws.kms.switches.delayMs = 80;
    const startedAt = performance.now();
    await makeDataKey();
    expect(performance.now() - startedAt).toBeGreaterThan(75);
  });
});

describe('anything else', () => {
  it('anything else is refused with 501 and logged to the console, by target or by address', async () => {
    const alias = aws.kmsClient.send(new CreateAliasCommand({ AliasName: 'alias/x', TargetKeyId: KEY.keyId }));
    await expect(alias).rejects.toMatchObject({ name: 'NotEmulated', $metadata: { httpStatusCode: 501 } });
    const { url: endpoint, credentials } = aws;
    const s3 = new S3Client({ endpoint, credentials, region: 'eu-central-1', forcePathStyle: true, maxAttempts: 1 });
    const read = s3.send(new GetObjectCommand({ Bucket: 'bucket', Key: 'key' }));
    await expect(read).rejects.toMatchObject({ $metadata: { httpStatusCode: 501 } });
    expect(aws.notEmulated).toEqual([
      'KMS CreateAlias is not emulated locally.',
      expect.stringContaining('GET /bucket/key'),
    ]);
  });
});

describe('the counter', () => {
  it('records service, operation and caller of each call', async () => {
    await makeDataKey();
    await makeDataKey();
    expect(aws.counter.counts()).toEqual([
      { service: 'TrentService', operation: 'GenerateDataKey', functionName: 'operator', count: 2 },
    ]);
  });
});
