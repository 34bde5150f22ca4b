import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { KEY_RIGHTS, type SecretKeyRecord } from '../../../lambdas/gateway/keys/credentials.rules.ts';
import { secretKeyFromItem, secretKeyToItem } from '../../../lambdas/gateway/keys/secret-key.store.ts';
import { createKeyBody } from '../../../lambdas/management/keys/key-routes.ts';
import { integratedGateway, secretKey } from '../management/support/gateway.ts';

/** A key with a value in every member. */
const WHOLE: Required<SecretKeyRecord> = {
  accountId: 'default',
  keyHash: 'f3a1',
  name: 'Nightly export',
  right: 'read',
  integrationIds: ['google-drive'],
  canReadCredentials: true,
  createdAt: '2026-03-01T10:00:00.000Z',
  createdBy: 'key:0a1b2c3d4e5f',
  lastUsedAtEpochSec: 1_772_000_000,
  hint: 'nl3x',
  revokedAt: '2026-03-02T10:00:00.000Z',
  limits: { v: 1, mode: 'observe', methods: ['drive.files.list'], day: { calls: 5 } },
  roleArn: 'arn:aws:iam::111122223333:role/jobs/nightly-export',
  roleId: 'AROAEXAMPLEEXAMPLE123',
  agent: { v: 1, connections: [{ integrationId: 'google-drive', connectionId: 'user-1' }] },
  managedBy: { stackId: 'arn:aws:cloudformation:us-east-1:111122223333:stack/shop/1f2e', resources: ['SyncCaller'] },
};

/** The places where each setting of a key can be set, and those that show it. */
const PLACES = {
  'lambdas/gateway/keys/secret-key.store.ts': 'stored and read back',
  'lambdas/management/keys/create-secret-key.ts': 'taken from the body',
  'packages/client/src/management/secret-key-types.ts': 'a member of NewSecretKey and SecretKey',
  'packages/client/src/management/secret-keys.ts': 'sent and read',
  'packages/cli/commands/keys.ts': 'an option of `keys create`, and in the list',
  'packages/dashboard/src/pages/keys/create-key-dialog.tsx': 'a field of the form',
  'packages/dashboard/src/pages/keys/keys-page.tsx': 'in the list',
  'contributing/storage-schema.md': 'an attribute of the row',
} as const;

/** A value of each setting that a test can send. */
const SENT: Readonly<Record<string, unknown>> = {
  name: 'Nightly export',
  right: 'read',
  integration_ids: ['drive'],
  can_read_credentials: true,
};
/** What goes with one setting only: a key with limits is of the right proxy. */
const SENT_ALONE: Readonly<Record<string, unknown>> = {
  limits: { mode: 'observe', allow: ['drive:read'], end_users: { team: 'a' }, day: { units: 5000 } },
};

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** One sentence for each place that does not know a setting of keys. */
function unknownIn(settings: readonly string[]): string[] {
  return Object.entries(PLACES).flatMap(([file, what]) => {
    const source = readFileSync(join(PROJECT_ROOT, file), 'utf8');
    return settings
      .filter((name) => !new RegExp(`\\b${camelCase(name)}\\b`).test(source))
      .map((name) => `${name} of keys is missing in ${file}, where it is to be ${what}.`);
  });
}

describe('every setting of a secret key', () => {
  it('every setting of a secret key is known wherever keys are made, kept and shown', () => {
    expect(unknownIn(Object.keys(createKeyBody.shape)).join('\n')).toBe('');
  });

  it('every setting of a secret key is missed where it is not, with the file to edit', () => {
    expect(unknownIn(['moon_phase'])).toHaveLength(Object.keys(PLACES).length);
    expect(unknownIn(['moon_phase'])).toContainEqual(
      'moon_phase of keys is missing in packages/cli/commands/keys.ts, where it is to be an option of `keys create`, and in the list.',
    );
  });

  it('every setting of a secret key is kept by the store, with all else that a key is', () => {
    expect(secretKeyFromItem(secretKeyToItem(WHOLE))).toEqual({ ...WHOLE, right: 'proxy' });
  });

  it('LK-17: closes a key with limits to versions that know none, whose rights it is not one of', () => {
    expect(KEY_RIGHTS).not.toContain(secretKeyToItem(WHOLE).keyRight);
    const { limits: _, ...unlimited } = WHOLE;
    expect(secretKeyToItem(unlimited).keyRight).toBe('read');
    const forgotten = { ...secretKeyToItem(WHOLE), limits: undefined };
    expect(() => secretKeyFromItem(forgotten)).toThrow(expect.objectContaining({ name: 'UnreadableItemError' }));
  });

  it('comes back in the answer that made the key', async () => {
    const untried = Object.keys(createKeyBody.shape).filter((name) => !(name in SENT || name in SENT_ALONE));
    expect(untried.map((name) => `${name} of keys is not tried: give it a value in SENT of this file.`)).toEqual([]);
    const gateway = integratedGateway();
    const key = gateway.addKey(secretKey('maker'), { canReadCredentials: true });
    const made = await gateway.call('POST', '/account/keys', { body: SENT, key });
    expect(made).toMatchObject({ status: 201, body: { data: SENT } });
    const alone = { name: 'Bot', right: 'proxy', ...SENT_ALONE };
    const limited = await gateway.call('POST', '/account/keys', { body: alone, key });
    expect(limited).toMatchObject({ status: 201, body: { data: alone } });
  });
});
