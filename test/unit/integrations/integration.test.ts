import { describe, expect, it } from 'vitest';
import { cloudProjectOf } from '../../../lambdas/gateway/core/identifiers.ts';
import { nameForEndUsers, treatedAsTestingSince } from '../../../lambdas/gateway/integrations/integration.rules.ts';
import { elapsedMs } from '../support/connection.ts';

describe('cloudProjectOf (TK-9)', () => {
  it('cloudProjectOf is the number before the first hyphen', () => {
    expect(cloudProjectOf('123456-abc-def.apps.googleusercontent.com')).toBe('123456');
  });

  it.each(['', 'abc', 'abc-123', '-123', '123', '12a-b'])(
    'cloudProjectOf is the whole of %j, so that unknown forms share nothing',
    (clientId) => {
      expect(cloudProjectOf(clientId)).toBe(clientId);
    },
  );

  it('reads 100 kB in under 50 ms (DS-4)', () => {
    expect(elapsedMs(() => cloudProjectOf('1'.repeat(100_000)))).toBeLessThan(50);
  });
});

it.each([
  [undefined, undefined, 'de', 'Drive (internal)'],
  ['Example Drive', undefined, 'de', 'Example Drive'],
  ['Example Drive', { de: 'Ihre Dateien' }, 'de', 'Ihre Dateien'],
  ['Example Drive', { de: 'Ihre Dateien' }, 'ja', 'Example Drive'],
  ['Example Drive', { de: 'Ihre Dateien' }, undefined, 'Example Drive'],
  [undefined, { de: 'Ihre Dateien' }, 'en', 'Drive (internal)'],
])(
  'with the public name %j, and %j by language, end users who read %s read %j',
  (publicName, publicNames, language, name) => {
    expect(nameForEndUsers({ publicName, publicNames, displayName: 'Drive (internal)' }, language)).toBe(name);
  },
);

it.each([
  [undefined, undefined, undefined],
  [100, undefined, 100],
  [100, 99, 100],
  [100, 100, undefined],
  [100, 101, undefined],
  [undefined, 100, undefined],
])('an app seen in Testing at %s and not any more at %s is treated as in Testing since %s', (seen, over, since) => {
  expect(treatedAsTestingSince({ testingSeenAtEpochSec: seen, testingOverAtEpochSec: over })).toBe(since);
});
