import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';

describe('code that sends', () => {
  const files = globSync('lambdas/**/*.ts', { cwd: PROJECT_ROOT })
    .filter((file) => !file.includes('/browser/'))
    .map((file) => ({ file, text: readFileSync(join(PROJECT_ROOT, file), 'utf8') }));
  const filesWith = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
  const SENDS_AS_USER = 'lambdas/gateway/tokens/access-tokens.ts';

  test('TB-6: one file sends as a user; the others send no access token of a connection', () => {
    expect(filesWith(/(upstream|egress)\.send\(/i).toSorted()).toEqual([
      // The answer to CloudFormation, at an address that is signed.
      'lambdas/declared/send-answer.ts',
      // Signed deliveries.
      'lambdas/features/webhooks/attempt-delivery.ts',
      // Learns the time from answers, and passes requests on.
      'lambdas/gateway/platform/clock.ts',
      // Documents of issuers, without a credential.
      'lambdas/gateway/platform/egress/fetch-document.ts',
      // Lists of tools, without a credential.
      'lambdas/gateway/server-tools/refresh-list.ts',
      SENDS_AS_USER,
      // As the deployment's own service account.
      'lambdas/gateway/tokens/keyless.ts',
      // Grants, with the client's credentials.
      'lambdas/gateway/tokens/token-endpoint.ts',
    ]);
  });

  test('TB-6: one file puts an access token into a request', () => {
    expect(filesWith(/`Bearer \$\{/)).toEqual([SENDS_AS_USER, 'lambdas/gateway/tokens/keyless.ts'].toSorted());
  });

  test('TB-6: access tokens are opened by the sources of tokens and for keys that may read them', () => {
    const opens = filesWith(/decrypt\(\s*accessTokenContext\(/);
    expect(opens.toSorted()).toEqual([
      'lambdas/features/feeds/feed-caller.ts',
      SENDS_AS_USER,
      'lambdas/gateway/tokens/requested-tokens.ts',
      'lambdas/management/connections/read-credentials.ts',
    ]);
  });
});
