import { FLOW_FAILURE_TEXTS } from '../../lambdas/gateway/languages/flow-failures.rules.ts';
import type { ProviderDefinition } from '../../lambdas/gateway/providers/provider.rules.ts';
import { canonicalScope } from '../../lambdas/gateway/providers/scopes.rules.ts';
import { assertProviderPath, isUnder } from '../../lambdas/gateway/proxying/request-line.rules.ts';
import { diagnoseDeadGrant, type GrantHistory } from '../../lambdas/gateway/tokens/diagnosis.rules.ts';

/**
 * Problems of a provider's definition, one line each; none when it meets the contract that the proxy, the connect page and the
 * readiness report rely on.
 */
export function providerProblems(provider: ProviderDefinition): string[] {
  return [
    ...naming(provider),
    ...paths(provider),
    ...scopes(provider),
    ...restricted(provider),
    ...picker(provider),
    ...errors(provider),
  ];
}

function naming(provider: ProviderDefinition): string[] {
  const problems: string[] = [];
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(provider.id)) problems.push('id: write it in lower case with hyphens');
  if (provider.displayName.trim() === '') problems.push('displayName: the connect page shows it');
  if (provider.server.issuerSpellings.length === 0) problems.push('issuerSpellings: say how the issuer names itself');
  if (provider.categories.length === 0) problems.push('categories: name at least one');
  for (const [name, url] of [
    ['docsUrl', provider.docsUrl],
    ['logoUrl', provider.logoUrl],
  ] as const) {
    if (URL.parse(url)?.protocol !== 'https:') problems.push(`${name}: must be an https address`);
  }
  if (JSON.stringify(JSON.parse(JSON.stringify(provider))) !== JSON.stringify(provider) || hasFunctions(provider)) {
    problems.push('a definition is plain data: texts, numbers and lists');
  }
  return problems;
}

function hasFunctions(value: object): boolean {
  return Object.values(value).some((member) =>
    typeof member === 'object' && member !== null ? hasFunctions(member) : typeof member === 'function',
  );
}

const NO_HISTORY: GrantHistory = {
  grantedScopes: [],
  consentedAtEpochSec: 0,
  lastRefreshedAtEpochSec: undefined,
  refreshTokenExpiresAtEpochSec: undefined,
  externalTesting: false,
  account: undefined,
  newerGrantsOfAccount: undefined,
  rotationLost: false,
};

/** A code that is written in other characters would never be met, and one without words would leave people without advice. */
function errors({ server }: ProviderDefinition): string[] {
  const { callback = {}, described = [], exchange = {} } = server.authorization.errors ?? {};
  const problems: string[] = [];
  const codes = [...Object.keys(callback), ...Object.keys(exchange), ...described.map(({ error }) => error)];
  for (const code of codes) {
    if (!/^[a-z0-9_.-]+$/.test(code)) problems.push(`authorization.errors: ${code} is no error code`);
  }
  for (const { error, words } of described) {
    if (words.trim() === '') problems.push(`authorization.errors: say which words of ${error} count`);
  }
  const meanings = [...Object.values(callback), ...Object.values(exchange), ...described.map(({ meaning }) => meaning)];
  for (const meaning of new Set(meanings)) {
    if (!Object.hasOwn(FLOW_FAILURE_TEXTS, meaning)) {
      problems.push(
        `authorization.errors: no page says what ${meaning} means: write it in lambdas/gateway/languages/flow-failures.rules.ts and how it is answered in lambdas/gateway/authorization/flow-failure.ts`,
      );
    }
  }
  for (const [code, cause] of Object.entries(server.grants.namedCauses)) {
    if (/^(?:invalid_grant|access_denied)$/.test(code)) problems.push(`namedCauses: ${code} names no cause`);
    const answer = { error: code, subtype: undefined };
    if (diagnoseDeadGrant(answer, NO_HISTORY, 0, server).likelyCauses[0]?.cause !== cause) {
      problems.push(
        `namedCauses: nobody is told what ${cause} means: write it among the causes of the server (Google's: lambdas/gateway/providers/google/causes.ts)`,
      );
    }
  }
  return problems;
}

function paths(provider: ProviderDefinition): string[] {
  const { uploadPathPrefixes, batchPaths, batchMaxParts, batchPartPrefixes, healthCheckPath } = provider;
  const prefixes = provider.apiPaths.map(({ prefix }) => prefix);
  const problems: string[] = [];
  for (const prefix of prefixes) {
    if (!/^\/[a-z0-9]/.test(prefix)) problems.push(`apiPaths: ${prefix} must name a first segment`);
    // A path with a verb names one method.
    if (!prefix.endsWith('/') && !batchPaths.includes(prefix) && !/:[a-z]+$/i.test(prefix)) {
      problems.push(`apiPaths: ${prefix} must end in a slash, or it would cover exactly itself`);
    }
  }
  for (const prefix of uploadPathPrefixes) {
    if (!prefixes.includes(prefix)) problems.push(`uploadPathPrefixes: ${prefix} is no apiPath`);
  }
  for (const path of batchPaths) {
    if (!prefixes.includes(path)) problems.push(`batchPaths: ${path} is no apiPath`);
  }
  if (batchPaths.length > 0 && batchMaxParts < 1) problems.push('batchMaxParts: say how many parts a batch may have');
  for (const prefix of batchPartPrefixes) {
    if (!prefixes.includes(prefix)) problems.push(`batchPartPrefixes: ${prefix} is no apiPath`);
  }
  if (batchPaths.length > 0 && batchPartPrefixes.length === 0)
    problems.push('batchPartPrefixes: say what a batch may reach');
  for (const pattern of provider.pathPatterns) {
    if (!prefixes.some((prefix) => isUnder(pattern, prefix))) problems.push(`pathPatterns: ${pattern} is not reached`);
    if (/\{[^}]/.test(pattern)) problems.push(`pathPatterns: ${pattern} must write each id as {}`);
  }
  try {
    assertProviderPath(healthCheckPath.split('?')[0] ?? '', { ...provider, id: 'google-drive' });
  } catch (error) {
    problems.push(`healthCheckPath: ${error instanceof Error ? error.message : String(error)}`);
  }
  return problems;
}

function restricted(provider: ProviderDefinition): string[] {
  const { restrictedScopes, scopes } = provider;
  const isRestricted = scopes.some(({ reviewClass }) => reviewClass === 'restricted');
  if (isRestricted !== (restrictedScopes !== undefined)) {
    return ['restrictedScopes: say what restricted scopes are permitted for, where there are some'];
  }
  if (restrictedScopes === undefined) return [];
  const instead = scopes.find(({ scope }) => scope === restrictedScopes.insteadScope);
  return instead?.reviewClass === 'non-sensitive'
    ? []
    : ['restrictedScopes: the scope to ask for instead must be one that needs no review'];
}

function picker(provider: ProviderDefinition): string[] {
  if (provider.picker === undefined) return [];
  const { scope, aboutPath, filesPath } = provider.picker;
  const problems: string[] = [];
  const known = provider.scopes.find((one) => one.scope === scope);
  if (known?.reviewClass !== 'non-sensitive') problems.push('picker: its scope must be one that needs no review');
  for (const path of [aboutPath, `${filesPath}file-number-1`]) {
    try {
      assertProviderPath(path.split('?')[0] ?? '', { ...provider, id: 'google-drive' });
    } catch (error) {
      problems.push(`picker: ${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return problems;
}

function scopes(provider: ProviderDefinition): string[] {
  const problems: string[] = [];
  const known = provider.scopes.map(({ scope }) => scope);
  if (new Set(known.map(canonicalScope)).size !== known.length) problems.push('scopes: one is listed twice');
  for (const { scope, meaning } of provider.scopes) {
    if (canonicalScope(scope) !== scope) problems.push(`scopes: ${scope} is an alias of ${canonicalScope(scope)}`);
    if (!/^[A-Z].*\.$/.test(meaning)) problems.push(`scopes: the meaning of ${scope} must be a sentence`);
  }
  for (const identity of provider.server.authorization.identityScopes) {
    if (!known.includes(identity)) problems.push(`scopes: ${identity} is missing; every flow asks for it`);
  }
  if (provider.defaultScopes.length === 0) problems.push('defaultScopes: name at least one');
  for (const scope of provider.defaultScopes) {
    if (!known.includes(scope)) problems.push(`defaultScopes: ${scope} is not among the scopes`);
  }
  return problems;
}
