import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { isIntegrationId } from '../../../lambdas/gateway/core/identifiers.ts';
import { clientCredentialsSource } from '../../../lambdas/gateway/integrations/client-credentials.store.ts';
import { clientSecretRows } from '../../../lambdas/gateway/integrations/client-secret-rows.store.ts';
import { CipherError } from '../../../lambdas/gateway/platform/kms/token-cipher.ts';
import { clientSecretStore, secretNamePart } from '../../../lambdas/management/integrations/client-secret.store.ts';
import { memoryCipher } from './support/memory-cipher.ts';
import { integrationRow } from './support/rows.ts';
import { countingRandom, StandingClock } from './support/time-and-chance.ts';

const aws = mockClient(SecretsManagerClient);
afterAll(() => aws.restore());
const client = new SecretsManagerClient({ region: 'us-east-1' });
const missing = new ResourceNotFoundException({ message: 'none', $metadata: {} });
const credentials = { clientId: '1-a', clientSecret: 's', previousClientSecret: undefined };

const noMove = { secretIdOf: async () => undefined };
const random = countingRandom();
const rowsOf = (table = new MemoryTable()) => clientSecretRows(table.table, memoryCipher);
const store = (prefix = 'p', newIn: 'secrets-manager' | 'table' = 'secrets-manager', rows = rowsOf()) =>
  clientSecretStore({ client, rows, newIn }, prefix, random);
const DRIVE = { accountId: 'default', integrationId: 'google-drive' };

beforeEach(() => void aws.reset());

describe('names of secrets', () => {
  const ids = fc
    .string({ unit: fc.constantFrom(...'aZ09 ~:.@_-=sha256'), minLength: 1, maxLength: 255 })
    .filter(isIntegrationId);

  it('names of secrets hold only characters that Secrets Manager takes, within its length', () => {
    fc.assert(
      fc.property(ids, (id) => {
        expect(secretNamePart(id)).toMatch(/^[A-Za-z0-9/_+=.@-]{1,300}$/);
      }),
    );
  });

  it('names of secrets stay short where every character has to be written out', () => {
    expect(secretNamePart('~'.repeat(255)).length).toBeLessThan(300);
  });

  it('names of secrets differ for different ids', () => {
    fc.assert(
      fc.property(ids, ids, (a, b) => {
        expect(secretNamePart(a) === secretNamePart(b)).toBe(a === b);
      }),
    );
    expect(secretNamePart('~'.repeat(254))).not.toBe(secretNamePart('~'.repeat(255)));
  });

  it('names of secrets are readable for ordinary ids', () => {
    const name = store('Gateway').newName(DRIVE);
    expect(name).toMatch(/^Gateway\/integration\/default\/google-drive\/[0-9a-f]{16}$/);
    expect(secretNamePart('a b')).toBe('a=20b');
  });
});

describe('a new name', () => {
  it('a new name is another one each time, under the prefix that rights are given for', () => {
    const secrets = store('Gateway');
    const names = Array.from({ length: 100 }, () => secrets.newName(DRIVE));
    expect(new Set(names).size).toBe(100);
    expect(names.every((name) => name.startsWith('Gateway/integration/'))).toBe(true);
  });

  it('leaves no doubt which secret an ARN means: it does not end as ARNs do, in a hyphen and six characters', () => {
    expect(store('Gateway').newName({ ...DRIVE, integrationId: 'my-secret' })).not.toMatch(/-[A-Za-z0-9]{6}$/);
  });

  it('a new name is made without asking first whether it exists: the right to ask is one to secrets that do', async () => {
    aws.on(CreateSecretCommand).resolves({});
    await store().create('name', credentials);
    expect(aws.commandCalls(CreateSecretCommand)).toHaveLength(1);
    expect(aws.calls()).toHaveLength(1);
  });
});

describe('writing client secrets', () => {
  it('makes the secret when there is none', async () => {
    aws.on(PutSecretValueCommand).rejects(missing);
    aws.on(CreateSecretCommand).resolves({});
    await store().write('default', 'p/integration/default/x/1', { ...credentials, previousClientSecret: 'old' });
    expect(aws.commandCalls(CreateSecretCommand)[0]?.args[0].input).toMatchObject({
      Name: 'p/integration/default/x/1',
      SecretString: '{"client_id":"1-a","current":"s","previous":"old"}',
    });
  });

  it('passes any other failure on', async () => {
    aws.on(PutSecretValueCommand).rejects(new Error('throttled'));
    await expect(store().write('default', 'p/integration/default/x/1', credentials)).rejects.toThrow('throttled');
    expect(aws.commandCalls(CreateSecretCommand)).toHaveLength(0);
  });

  it('deletes without a recovery window, and what is gone is fine', async () => {
    aws.on(DeleteSecretCommand).rejects(missing);
    await store().delete('default', 'p/integration/default/x/1');
    const input = { SecretId: 'p/integration/default/x/1', ForceDeleteWithoutRecovery: true };
    expect(aws.commandCalls(DeleteSecretCommand)[0]?.args[0].input).toEqual(input);
  });

  it('neither reads nor deletes what another stack has under its own prefix', async () => {
    const foreign = store('Other').newName(DRIVE);
    expect([store().isOwn('default', foreign), store('Other').isOwn('default', foreign)]).toEqual([false, true]);
    expect(await store().read('default', foreign)).toBeUndefined();
    await store().delete('default', foreign);
    expect(aws.calls()).toHaveLength(0);
  });

  it.each(['secrets-manager', 'table'] as const)(
    'neither reads, changes nor deletes a secret of another account in %s, which a record that was tampered with names',
    async (newIn) => {
      const table = new MemoryTable();
      const secrets = store('p', newIn, rowsOf(table));
      aws.on(CreateSecretCommand).resolves({});
      const name = secrets.newName(DRIVE);
      await secrets.create(name, credentials);
      const before = structuredClone([...table.items.values()]);
      aws.resetHistory();
      for (const other of ['other', 'defaul', 'default2']) {
        expect([secrets.isOwn('default', name), secrets.isOwn(other, name)]).toEqual([true, false]);
        expect(await secrets.read(other, name)).toBeUndefined();
        await secrets.delete(other, name);
        await expect(secrets.write(other, name, credentials)).rejects.toThrow('another account');
      }
      expect(aws.calls()).toHaveLength(0);
      expect([...table.items.values()]).toEqual(before);
    },
  );
});

describe('reading client credentials', () => {
  const arns = (provider: string) => `${provider}-arn`;
  const stored = (client_id: string) => ({ SecretString: JSON.stringify({ client_id, current: 's' }) });

  it('reads again when the integration names another client than the remembered one', async () => {
    const clock = new StandingClock();
    const source = clientCredentialsSource({ client, rows: rowsOf(), integrations: noMove }, arns, clock);
    const row = integrationRow({ credentialsSource: 'own', secretId: 'name', clientId: '1-a' });
    aws.on(GetSecretValueCommand).resolves(stored('1-a'));
    expect((await source.get(row))?.clientId).toBe('1-a');
    aws.on(GetSecretValueCommand).resolves(stored('2-b'));
    clock.advanceSec(6);
    expect((await source.get({ ...row, clientId: '2-b' }))?.clientId).toBe('2-b');
    expect(aws.commandCalls(GetSecretValueCommand)).toHaveLength(2);
  });

  it('client credentials are not read over and over for an integration remembered longer than its secret', async () => {
    const source = clientCredentialsSource({ client, rows: rowsOf(), integrations: noMove }, arns, new StandingClock());
    const row = integrationRow({ credentialsSource: 'own', secretId: 'name', clientId: '1-a' });
    aws.on(GetSecretValueCommand).resolves(stored('2-b'));
    for (let i = 0; i < 5; i++) await source.get(row);
    expect(aws.commandCalls(GetSecretValueCommand)).toHaveLength(1);
  });
});

describe('client secrets in the table', () => {
  const arns = (provider: string) => `${provider}-arn`;

  it('rows of client secrets are written, read, changed and deleted as rows, sealed, without Secrets Manager', async () => {
    const table = new MemoryTable();
    const secrets = store('p', 'table', rowsOf(table));
    const name = secrets.newName(DRIVE);
    expect([secrets.isOwn('default', name), secrets.isInPlace(name), secrets.isInPlace('p/integration/x')]).toEqual([
      ...[true, true, false],
    ]);
    await secrets.create(name, { ...credentials, clientSecret: 'hidden text' });
    expect(await secrets.read('default', name)).toMatchObject({ clientId: '1-a', clientSecret: 'hidden text' });
    expect(JSON.stringify([...table.items.values()])).not.toContain('hidden text');
    await secrets.write('default', name, { ...credentials, previousClientSecret: 'old' });
    expect(await secrets.read('default', name)).toEqual({ ...credentials, previousClientSecret: 'old' });
    await secrets.delete('default', name);
    expect(await secrets.read('default', name)).toBeUndefined();
    expect(table.items.size).toBe(0);
    expect(aws.calls()).toHaveLength(0);
  });

  it('rows of client secrets are read and deleted by a deployment that keeps new ones in Secrets Manager again', async () => {
    const rows = rowsOf();
    const name = store('p', 'table', rows).newName(DRIVE);
    await store('p', 'table', rows).create(name, credentials);
    const back = store('p', 'secrets-manager', rows);
    expect([back.isOwn('default', name), back.isInPlace(name)]).toEqual([true, false]);
    expect(await back.read('default', name)).toEqual(credentials);
    await back.delete('default', name);
    expect(await back.read('default', name)).toBeUndefined();
  });

  it('rows of client secrets are no client where the row cannot be opened, as after a restore from another stack', async () => {
    const table = new MemoryTable();
    const name = store('p', 'table', rowsOf(table)).newName(DRIVE);
    await store('p', 'table', rowsOf(table)).create(name, credentials);
    const opensNone = {
      ...memoryCipher,
      decrypt: () => Promise.reject(new CipherError()),
    };
    expect(await clientSecretRows(table.table, opensNone).read(name)).toBeUndefined();
    const fails = { ...memoryCipher, decrypt: () => Promise.reject(new Error('KMS is not reachable')) };
    await expect(clientSecretRows(table.table, fails).read(name)).rejects.toThrow('KMS');
  });

  it('rows of client secrets are read only of the account that their names have', async () => {
    const rows = rowsOf();
    const name = store('p', 'table', rows).newName(DRIVE);
    await store('p', 'table', rows).create(name, credentials);
    const source = clientCredentialsSource({ client, rows, integrations: noMove }, arns, new StandingClock());
    const row = integrationRow({ credentialsSource: 'own', secretId: name, clientId: '1-a' });
    expect(await source.get(row)).toEqual(credentials);
    expect(await source.get({ ...row, accountId: 'other' })).toBeUndefined();
  });

  it('client credentials in Secrets Manager are read only of the account that their names have', async () => {
    const secretId = store().newName(DRIVE);
    aws.on(GetSecretValueCommand).resolves({ SecretString: '{"client_id":"1-a","current":"s"}' });
    const source = clientCredentialsSource({ client, rows: rowsOf(), integrations: noMove }, arns, new StandingClock());
    const row = integrationRow({ credentialsSource: 'own', secretId, clientId: '1-a' });
    expect(await source.get({ ...row, accountId: 'other' })).toBeUndefined();
    expect(aws.calls()).toHaveLength(0);
    expect(await source.get(row)).toMatchObject({ clientId: '1-a' });
  });

  it('moved client secrets are found by a process that still has the record from before they were moved', async () => {
    const rows = rowsOf();
    const name = store('p', 'table', rows).newName(DRIVE);
    await store('p', 'table', rows).create(name, credentials);
    aws.on(GetSecretValueCommand).rejects(missing);
    const integrations = { secretIdOf: async () => name };
    const source = clientCredentialsSource({ client, rows, integrations }, arns, new StandingClock());
    const before = integrationRow({ credentialsSource: 'own', secretId: 'p/integration/old', clientId: '1-a' });
    expect(await source.get(before)).toEqual(credentials);
  });
});
