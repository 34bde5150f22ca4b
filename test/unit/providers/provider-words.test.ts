import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import {
  callbackErrorMeaning,
  tokenErrorMeaning,
} from '../../../lambdas/gateway/providers/authorization-server.rules.ts';
import { allProviders } from '../../../lambdas/gateway/providers/index.ts';

/** Reasons and errors of Google that no definition holds: of its APIs ("Resolve errors"), and those that only its pages show. */
const ALSO_GOOGLES = [
  ...['rateLimitExceeded', 'userRateLimitExceeded', 'sharingRateLimitExceeded', 'quotaExceeded', 'dailyLimitExceeded'],
  ...['accessNotConfigured', 'SERVICE_DISABLED', 'domainPolicy', 'authError', 'appNotAuthorizedToFile'],
  ...['insufficientPermissions', 'insufficientScopes', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'disallowed_useragent'],
];

const RATE_LIMITS = ['rateLimitExceeded', 'userRateLimitExceeded', 'sharingRateLimitExceeded'];

/**
 * Words of a provider that stand elsewhere, by file or folder, and why. Only ever fewer: a word belongs in its provider's folder.
 */
const ELSEWHERE: Readonly<Record<string, { readonly why: string; readonly words: readonly string[] }>> = {
  'lambdas/gateway/languages/': {
    why: 'the connect page explains, in every language, the errors that Google shows on pages of its own',
    words: [
      ...['admin_policy_enforced', 'org_internal', 'disallowed_useragent', 'redirect_uri_mismatch'],
      ...['deleted_client', 'disabled_client', 'restricted_client', 'rate_limit_exceeded'],
    ],
  },
  'lambdas/gateway/openapi/event-catalog.ts': { why: 'an example of a code', words: ['deleted_client'] },
  'lambdas/gateway/core/grant-death.ts': {
    why: 'which ends can be taken back is asked of stored deaths, where no provider is at hand',
    words: ['admin_policy_enforced', 'policy_enforced'],
  },
  'lambdas/gateway/connections/health.rules.ts': {
    why: 'which refusals of an API concern the whole connection',
    words: [
      ...['accessNotConfigured', 'authError', 'domainPolicy', 'insufficientPermissions', 'insufficientScopes'],
      ...['ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'SERVICE_DISABLED'],
    ],
  },
  'lambdas/management/connections/check-connection.ts': {
    why: 'what each refusal of an API says about a connection',
    words: [
      ...RATE_LIMITS,
      ...['quotaExceeded', 'dailyLimitExceeded', 'accessNotConfigured', 'domainPolicy', 'insufficientPermissions'],
      ...['ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'SERVICE_DISABLED'],
    ],
  },
  'lambdas/gateway/forwarding/retries.ts': { why: 'which 403 says "slow down"', words: RATE_LIMITS },
  'lambdas/gateway/forwarding/proxy-call.ts': {
    why: 'which 403 a file picker can mend',
    words: ['appNotAuthorizedToFile'],
  },
};

/** Error codes that the definitions of providers hold and no standard does. */
function codesOfProviders(): Set<string> {
  const codes = allProviders().flatMap(({ server: { authorization, tokens, grants, clientFaults = {} } }) => {
    const { callback = {}, exchange = {} } = authorization.errors ?? {};
    return [callback, exchange, tokens.errors, grants.namedCauses, clientFaults].flatMap((list) => Object.keys(list));
  });
  const isStandard = (code: string) =>
    callbackErrorMeaning(code, undefined, undefined) !== undefined ||
    tokenErrorMeaning(code, { tokens: { errors: {} } }) !== undefined;
  return new Set(codes.filter((code) => !isStandard(code)));
}

const WORDS = new Set([...codesOfProviders(), ...ALSO_GOOGLES]);

/** Those of the words that code says, comments left out. */
function wordsIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(?<!:)\/\/.*$/gm, '');
  return [...new Set(code.match(/\w+/g) ?? [])].filter((word) => WORDS.has(word)).sort();
}

const found = new Map(
  globSync('lambdas/**/*.ts', { cwd: PROJECT_ROOT })
    .filter((file) => !/^lambdas\/gateway\/providers\/[^/]+\//.test(file))
    .map((file) => [file, wordsIn(readFileSync(join(PROJECT_ROOT, file), 'utf8'))] as const)
    .filter(([, words]) => words.length > 0),
);

/** The words that a file may say, and the entry that says so. */
function excuse(file: string) {
  return Object.entries(ELSEWHERE).find(([place]) => file === place || (place.endsWith('/') && file.startsWith(place)));
}

it('what a provider calls its errors stands in its folder alone', () => {
  const strays = [...found].flatMap(([file, words]) =>
    words
      .filter((word) => excuse(file)?.[1].words.includes(word) !== true)
      .map(
        (word) =>
          `${file} says ${word}, which is an error of a provider: let its definition below lambdas/gateway/providers/ say what that means, and ask the definition.`,
      ),
  );
  expect(strays.join('\n')).toBe('');
});

it('no word of a provider is excused that is gone', () => {
  const said = new Set([...found].flatMap(([file, words]) => words.map((word) => `${excuse(file)?.[0]} ${word}`)));
  const gone = Object.entries(ELSEWHERE).flatMap(([place, { words }]) =>
    words
      .filter((word) => !said.has(`${place} ${word}`))
      .map((word) => `${place} no longer says ${word}: take that out of ELSEWHERE in this file.`),
  );
  expect(gone.join('\n')).toBe('');
});

it('finds a word in code and not in a comment', () => {
  expect(wordsIn("// invalid_rapt\nif (error === 'invalid_rapt') return 'https://x';")).toEqual(['invalid_rapt']);
  expect(wordsIn('/** Such as `admin_policy_enforced`. */ const url = `https://x`; // org_internal')).toEqual([]);
});
