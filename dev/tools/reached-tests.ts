/** Tests that read files of the whole project instead of importing them. */
const READ_EVERYTHING = ['documents', 'import-directions', 'tools/generate', 'tools/contributing'].map(
  (name) => `test/unit/${name}.test.ts`,
);

/** Suites that start nothing but import what they test. */
const IMPORTS_WHAT_IT_TESTS = /^test\/(?:unit|infrastructure)\//;

/** Which tests a change reaches. */
export interface ReachedTests {
  /** Files to run. */
  readonly files: readonly string[];
  /** How many files of the suites that start gateways import something that has changed. */
  readonly gateways: number;
}

/**
 * Follows imports from changed files to the tests that import them, over any number of files. Tests that start gateways reach nearly
 * everything: of them, only those that have changed themselves are run.
 *
 * @param imports every import of the project, by paths from its folder
 */
export function reachedTests(
  changed: readonly string[],
  imports: readonly { readonly from: string; readonly to: string }[],
): ReachedTests {
  const importers = Map.groupBy(imports, ({ to }) => to);
  const reached = new Set(changed);
  for (const file of reached) for (const { from } of importers.get(file) ?? []) reached.add(from);
  const tests = [...reached].filter((file) => file.endsWith('.test.ts'));
  const files = tests.filter((file) => IMPORTS_WHAT_IT_TESTS.test(file) || changed.includes(file));
  return {
    files: [...new Set([...files, ...READ_EVERYTHING])].sort(),
    gateways: tests.filter((file) => /^test\/(?:integration|browser)\//.test(file) && !changed.includes(file)).length,
  };
}
