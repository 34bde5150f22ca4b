import { describe, expect, it } from 'vitest';
import { youtube } from '../../examples/provider/youtube.ts';
import { allProviders, providerOf } from '../../lambdas/gateway/providers/index.ts';
import { PROVIDER_IDS } from '../../lambdas/gateway/providers/provider.rules.ts';
import { type ProviderData, providerProblems } from '../support/provider-contract.ts';

describe.each([...allProviders(), youtube].map((provider) => [provider.id, provider] as const))(
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
    for (const id of PROVIDER_IDS) expect(providerOf(id).id).toBe(id);
  });

  it('gives no two providers the same path', () => {
    const prefixes = allProviders().flatMap(({ apiPaths }) => apiPaths.map(({ prefix }) => prefix));
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });
});

const at = (prefix: string) => ({ prefix, origin: 'apiOrigin' }) as const;

const PICKER = {
  scope: 'email',
  aboutPath: '/youtube/v3/about',
  filesPath: '/youtube/v3/files/',
  accessToWiden: 'online',
} as const;

describe('the contract', () => {
  const broken: readonly (readonly [problem: RegExp, change: Partial<ProviderData>])[] = [
    [/^id: /, { id: 'You_Tube' }],
    [/^docsUrl: must be an https/, { docsUrl: 'http://developers.google.com' }],
    [/must name a first segment$/, { apiPaths: [at('/'), ...youtube.apiPaths] }],
    [/would cover exactly itself$/, { apiPaths: [at('/youtube/v3'), ...youtube.apiPaths] }],
    [/^batchPartPrefixes: \/youtube\/ is no/, { batchPartPrefixes: ['/youtube/'] }],
    [
      /^batchPartPrefixes: say/,
      { apiPaths: [at('/batch'), at('/youtube/v3/')], batchPaths: ['/batch'], batchMaxParts: 1 },
    ],
    [/^uploadPathPrefixes: \/elsewhere\/ is no/, { uploadPathPrefixes: ['/elsewhere/'] }],
    [/^batchPaths: \/batch is no/, { batchPaths: ['/batch'], batchMaxParts: 10 }],
    [/^batchMaxParts: /, { apiPaths: [at('/b/'), at('/batch'), at('/youtube/v3/')], batchPaths: ['/batch'] }],
    [/^healthCheckPath: /, { healthCheckPath: '/drive/v3/about' }],
    [/^healthCheckPath: /, { healthCheckPath: '/youtube/v3/../admin' }],
    [/^scopes: email is missing/, { scopes: youtube.scopes.filter(({ scope }) => scope !== 'email') }],
    [/^scopes: one is listed twice/, { scopes: [...youtube.scopes, ...youtube.scopes] }],
    [/^issuerSpellings: /, { issuerSpellings: [] }],
    [
      /^restrictedScopes: say/,
      { scopes: [...youtube.scopes, { scope: 'https://x', reviewClass: 'restricted', meaning: 'See.' }] },
    ],
    [
      /^restrictedScopes: the scope/,
      {
        scopes: [...youtube.scopes, { scope: 'https://x', reviewClass: 'restricted', meaning: 'See.' }],
        restrictedScopes: { permittedApps: 'A.', insteadScope: 'https://x', instead: 'B.' },
      },
    ],
    [/^defaultScopes: nonsense is not among/, { defaultScopes: ['nonsense'] }],
    [/^picker: its scope must be one that needs no review/, { picker: { ...PICKER, scope: 'https://unknown' } }],
    [/^picker: \/admin\/about/, { picker: { ...PICKER, aboutPath: '/admin/about?fields=user' } }],
    [/^picker: \/elsewhere\/file-number-1/, { picker: { ...PICKER, filesPath: '/elsewhere/' } }],
  ];

  it.each(broken)('reports %s', (problem, change) => {
    expect(providerProblems({ ...youtube, ...change })).toContainEqual(expect.stringMatching(problem));
  });
});
