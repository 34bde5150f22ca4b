/** Names of the npm scripts that a text mentions. */
export function namedScripts(text: string): string[] {
  const named = [...text.matchAll(/`npm (?:run )?(?:--silent )?([a-z:-]+)/g)].map(([, name = '']) => name);
  // These are npm's own.
  return [...new Set(named)].filter((name) => !['ci', 'install'].includes(name)).sort();
}
