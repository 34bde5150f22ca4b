import { describe, expect, it } from 'vitest';
import { provider as acmeNotes } from '../../examples/provider/acme-notes/provider.ts';
import { provider as googleTasks } from '../../examples/provider/google-tasks/provider.ts';
import type { FlowErrors } from '../../lambdas/gateway/providers/authorization-server.rules.ts';
import { PROVIDERS } from '../../lambdas/gateway/providers/catalogue.ts';
import { allProviders } from '../../lambdas/gateway/providers/index.ts';
import { PROVIDER_IDS, type ProviderDefinition } from '../../lambdas/gateway/providers/provider.rules.ts';
import { providerProblems } from '../support/provider-contract.ts';

describe.each([...allProviders(), googleTasks, acmeNotes].map((provider) => [provider.id, provider] as const))(
  'the definition of %s',
  (_id, provider) => {
    it('keeps the contract of a provider', () => {
      expect(providerProblems(provider)).toEqual([]);
    });
  },
);

describe('the catalogue', () => {
  it('holds exactly the providers that have an id, each under its own', () => {
    expect(allProviders().map(({ id }) => id)).toEqual(PROVIDER_IDS);
    for (const id of PROVIDER_IDS) expect(PROVIDERS[id].id).toBe(id);
  });

  it('gives no two providers the same path', () => {
    const prefixes = allProviders().flatMap(({ apiPaths }) => apiPaths.map(({ prefix }) => prefix));
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });
});

const at = (prefix: string) => ({ prefix }) as const;
const { server } = googleTasks;

function withErrors(errors: FlowErrors): Partial<ProviderDefinition> {
  return { server: { ...server, authorization: { ...server.authorization, errors } } };
}

const PICKER = {
  scope: 'email',
  aboutPath: '/tasks/v1/about',
  filesPath: '/tasks/v1/files/',
  accessToWiden: 'online',
} as const;

describe('the contract', () => {
  const broken: readonly (readonly [problem: RegExp, change: Partial<ProviderDefinition>])[] = [
    [/^id: /, { id: 'Google_Tasks' }],
    [/^docsUrl: must be an https/, { docsUrl: 'http://developers.google.com' }],
    [/must name a first segment$/, { apiPaths: [at('/'), ...googleTasks.apiPaths] }],
    [/would cover exactly itself$/, { apiPaths: [at('/tasks/v1'), ...googleTasks.apiPaths] }],
    [/^batchPartPrefixes: \/tasks\/ is no/, { batchPartPrefixes: ['/tasks/'] }],
    [
      /^batchPartPrefixes: say/,
      { apiPaths: [at('/batch'), at('/tasks/v1/')], batchPaths: ['/batch'], batchMaxParts: 1 },
    ],
    [/^uploadPathPrefixes: \/elsewhere\/ is no/, { uploadPathPrefixes: ['/elsewhere/'] }],
    [/^batchPaths: \/batch is no/, { batchPaths: ['/batch'], batchMaxParts: 10 }],
    [/^batchMaxParts: /, { apiPaths: [at('/b/'), at('/batch'), at('/tasks/v1/')], batchPaths: ['/batch'] }],
    [/^healthCheckPath: /, { healthCheckPath: '/drive/v3/about' }],
    [/^healthCheckPath: /, { healthCheckPath: '/tasks/v1/../admin' }],
    [/^scopes: email is missing/, { scopes: googleTasks.scopes.filter(({ scope }) => scope !== 'email') }],
    [/^scopes: one is listed twice/, { scopes: [...googleTasks.scopes, ...googleTasks.scopes] }],
    [/^issuerSpellings: /, { server: { ...server, issuerSpellings: [] } }],
    [/^authorization.errors: Seat Limit is no/, withErrors({ callback: { 'Seat Limit': 'refused' }, exchange: {} })],
    [
      /^authorization.errors: say which words/,
      withErrors({
        callback: {},
        described: [{ error: 'access_denied', words: ' ', meaning: 'refused' }],
        exchange: {},
      }),
    ],
    [
      /^namedCauses: /,
      { server: { ...server, grants: { ...server.grants, namedCauses: { invalid_grant: 'unknown' } } } },
    ],
    [
      /^namedCauses: nobody is told what session_length_over means/,
      { server: { ...server, grants: { ...server.grants, causes: {} } } },
    ],
    [
      /^restrictedScopes: say/,
      { scopes: [...googleTasks.scopes, { scope: 'https://x', reviewClass: 'restricted', meaning: 'See.' }] },
    ],
    [
      /^restrictedScopes: the scope/,
      {
        scopes: [...googleTasks.scopes, { scope: 'https://x', reviewClass: 'restricted', meaning: 'See.' }],
        restrictedScopes: { permittedApps: 'A.', insteadScope: 'https://x', instead: 'B.' },
      },
    ],
    [/^defaultScopes: nonsense is not among/, { defaultScopes: ['nonsense'] }],
    [/^picker: its scope must be one that needs no review/, { picker: { ...PICKER, scope: 'https://unknown' } }],
    [/^picker: \/admin\/about/, { picker: { ...PICKER, aboutPath: '/admin/about?fields=user' } }],
    [/^picker: \/elsewhere\/file-number-1/, { picker: { ...PICKER, filesPath: '/elsewhere/' } }],
  ];

  it.each(broken)('reports %s', (problem, change) => {
    expect(providerProblems({ ...googleTasks, ...change })).toContainEqual(expect.stringMatching(problem));
  });
});
