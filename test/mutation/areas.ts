/** A part of the functions that is mutated against the unit tests that are about it. */
export interface MutationArea {
  readonly name: string;
  /** Files that are changed, one after the other. */
  readonly mutate: readonly string[];
  /** Tests that have to notice. */
  readonly tests: readonly string[];
  /** One test that runs longer hangs, so it has noticed: work that waits for ever is common where promises are changed. */
  readonly testTimeoutMs: number;
  /** Percent of the mutants that have to be noticed: a little below what was reached. */
  readonly break: number;
}

/** The code whose rules decide over tokens: domain, paths and headers, encryption, refresh. */
export const MUTATION_AREAS: readonly MutationArea[] = [
  {
    name: 'encryption',
    mutate: ['lambdas/gateway/platform/kms/**/*.ts'],
    tests: ['test/unit/platform/kms/**/*.test.ts'],
    testTimeoutMs: 15_000,
    break: 96,
  },
  {
    name: 'proxy',
    mutate: [
      'lambdas/gateway/proxying/*.rules.ts',
      'lambdas/gateway/keys/credentials.rules.ts',
      'lambdas/gateway/forwarding/retries.ts',
    ],
    // A mutated copy has neither documents nor the dashboard, which two of the tests read.
    tests: [
      'test/unit/proxying/!(header-documents).test.ts',
      'test/unit/proxy/!(streaming-mode).test.ts',
      'test/unit/keys/!(key-fields).test.ts',
    ],
    testTimeoutMs: 15_000,
    break: 97,
  },
  {
    name: 'rules',
    // Tests read the limits themselves: that a number is the right one is a decision, which no test of a rule can notice. Nor
    // can one tell whether a text is well translated.
    mutate: [
      'lambdas/gateway/core/!(limits|ports|bounded-cache).ts',
      'lambdas/gateway/!(proxying|languages|calls)/!(credentials).rules.ts',
      'lambdas/features/webhooks/{delivery,webhook}.rules.ts',
      'lambdas/gateway/languages/language.rules.ts',
      'lambdas/gateway/languages/failure-text.rules.ts',
      'lambdas/gateway/platform/clock.ts',
    ],
    tests: [
      'test/unit/{authorization,connections,core,features/feeds,integrations,languages,providers,tokens}/*.test.ts',
      'test/unit/events/!(event-catalog|forward-events).test.ts',
      'test/unit/keys/{authenticate-caller,secret-key}.test.ts',
      'test/unit/management/{confirm,create,list,update}-*.test.ts',
      'test/unit/management/overview.test.ts',
      'test/unit/refresh/{client-fault,clock-skew,count-connections,forecast,gate,grant-death,unlisted-answers}.test.ts',
      'test/unit/features/webhooks/*.test.ts',
    ],
    testTimeoutMs: 60_000,
    break: 92,
  },
  {
    name: 'calls',
    mutate: [
      'lambdas/gateway/calls/!(*.store|ports).ts',
      'lambdas/roll-up/roll-up.ts',
      'lambdas/roll-up/windows.rules.ts',
    ],
    // The rate of writes is counted over thousands of connections, which takes seconds.
    tests: [
      'test/unit/calls/!(clear-call-log).test.ts',
      'test/unit/roll-up/!(write-rate).test.ts',
      'test/unit/management/quota.test.ts',
    ],
    testTimeoutMs: 60_000,
    // 2,401 of 3,168 were noticed in the files that have been run, as if nothing noticed any change of the others (contributing/mutation.md).
    break: 75,
  },
  {
    name: 'refresh',
    mutate: [
      'lambdas/gateway/tokens/!(*.rules|*.store|ports|revoke-grant|note-grant).ts',
      'lambdas/refresh/!(*.rules|*.store|handler|ensure-first-secret-key).ts',
    ],
    // Every interleaving would be played for every change.
    tests: [
      'test/unit/refresh/!(interleavings).test.ts',
      'test/unit/tokens/send-as-user.test.ts',
      'test/unit/calls/clear-call-log.test.ts',
      'test/unit/management/confirm-connection.test.ts',
      'test/unit/ticks/tick-watch.test.ts',
    ],
    testTimeoutMs: 4_000,
    break: 97,
  },
];

/** Environment variable that names the area under way to the test runner. */
export const MUTATION_AREA = 'MUTATION_AREA';
