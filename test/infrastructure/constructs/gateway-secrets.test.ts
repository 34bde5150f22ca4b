import { expect, it } from 'vitest';
import { resourcesOf, synthesize } from '../synthesize.ts';

it('IN-3: are three empty containers: no value, not even a generated one, is in the template', async () => {
  const secrets = Object.values(resourcesOf(await synthesize(), 'AWS::SecretsManager::Secret'));
  expect(secrets).toHaveLength(3);
  for (const { Properties } of secrets) {
    expect(Object.keys(Properties)).toEqual(['Description']);
  }
});
