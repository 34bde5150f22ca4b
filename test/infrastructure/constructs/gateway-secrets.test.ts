import { expect, it } from 'vitest';
import { resourcesOf, synthesize } from '../../../dev/support/synthesize.ts';

it('IN-3: the secret of test credentials is one empty container: no value, not even a generated one, is in the template, and no secret before its first use', async () => {
  const secrets = Object.values(resourcesOf(await synthesize(), 'AWS::SecretsManager::Secret'));
  expect(secrets.map(({ Properties }) => Object.keys(Properties))).toEqual([['Description']]);
});
