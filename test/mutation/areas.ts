/** A part of the functions that is mutated against the unit tests that are about it. */
export interface MutationArea {
  readonly name: string;
  /** Files that are changed, one after the other. */
  readonly mutate: readonly string[];
  /** Tests that have to notice. */
  readonly tests: readonly string[];
  /** Percent of the mutants that have to be noticed: a little below what was reached. */
  readonly break: number;
}

/** The code whose rules decide over tokens: domain, paths and headers, encryption, refresh. */
export const MUTATION_AREAS: readonly MutationArea[] = [
  {
    name: 'encryption',
    mutate: ['lambdas/shared/adapters/kms/**/*.ts'],
    tests: ['test/unit/adapters/kms/**/*.test.ts'],
    break: 94,
  },
  {
    name: 'proxy',
    mutate: ['lambdas/shared/domain/proxy/**/*.ts'],
    tests: ['test/unit/domain/proxy/**/*.test.ts', 'test/unit/use-cases/proxy/**/*.test.ts'],
    break: 89,
  },
  {
    name: 'domain',
    // Tests read the limits themselves: that a number is the right one is a decision, which no test of a rule can notice.
    mutate: ['lambdas/shared/domain/!(limits).ts'],
    tests: [
      'test/unit/domain/*.test.ts',
      'test/unit/authorization/rules.test.ts',
      'test/unit/limits/*.test.ts',
      'test/unit/refresh/{client-fault,clock-skew,count-connections,forecast}.test.ts',
    ],
    break: 0,
  },
  {
    name: 'refresh',
    mutate: ['lambdas/shared/use-cases/refresh/**/*.ts'],
    // Every interleaving would be played for every change.
    tests: ['test/unit/refresh/!(interleavings).test.ts'],
    break: 44,
  },
];

/** Environment variable that carries the tests of the area under way to the test runner, separated by commas. */
export const MUTATION_TESTS = 'MUTATION_TESTS';
