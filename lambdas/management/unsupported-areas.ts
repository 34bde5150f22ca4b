/** Routes of a compatible peer that this gateway lacks, and their names. */
const AREAS: readonly (readonly [pattern: RegExp, area: string])[] = [
  [/^\/syncs?(\/|$)/, 'syncs: it forwards calls and copies no data'],
  [/^\/records(\/|$)/, 'records: it forwards calls and copies no data'],
  [/^\/action(\/|$)/, 'actions: call the provider through /proxy'],
  [/^\/integrations\/[^/]+\/functions(\/|$)/, 'functions: call the provider through /proxy'],
  [/^\/providers\/[^/]+\/templates(\/|$)/, 'templates: call the provider through /proxy'],
  [/^\/scripts(\/|$)/, 'scripts: call the provider through /proxy'],
  [/^\/environment-variables(\/|$)/, 'environment variables of scripts'],
  [/^\/connection(\/|$)/, 'this older route: use /connections'],
  [/^\/config(\/|$)/, 'this older route: use /integrations'],
];

/** The known but unsupported area of a path, as the end of a sentence; undefined for any other path. */
export function unsupportedArea(rawPath: string): string | undefined {
  return AREAS.find(([pattern]) => pattern.test(rawPath))?.[1];
}
