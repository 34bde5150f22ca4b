import { afterAll, describe, expect, it } from 'vitest';
import { GENERATORS } from '../../../dev/tools/generated-files.ts';
import { expectWritten } from '../../support/written.ts';

/** Everything that is generated; without the schemas of the simulator, which need an installed Python package. */
const GENERATED = [
  'contributing/cost-details.md',
  'contributing/security-statements.md',
  'contributing/simulator-sources.md',
  'docs/costs.md',
  'docs/events.md',
  'packages/simulator/METHODS.md',
  'lambdas/gateway/providers/catalogue.ts',
  'lambdas/gateway/providers/provider-ids.rules.ts',
  'packages/client/src/management/operations.ts',
  'packages/client/src/management/wire.ts',
  'packages/dashboard/src/model/event-words.ts',
  'packages/python/src/integration_gateway/_client.py',
  'packages/python/src/integration_gateway/_management.py',
  'packages/python/src/integration_gateway/wire.py',
];

/** Paths that the tests so far have compared. */
const compared: string[] = [];

const isUpToDate = async (_name: string, { files }: (typeof GENERATORS)[number]) => {
  for (const [path, text] of Object.entries(await files())) {
    compared.push(path);
    expectWritten(path, text);
  }
};

// It compiles the construct package, as `npm run check` does.
const isSlow = ([name]: readonly [string, unknown]) => name === 'reference and types of the construct package';
const generators = GENERATORS.map((one) => [one.name, one] as const);

describe('npm run generate', () => {
  it.each(generators.filter((one) => !isSlow(one)))('finds up to date: %s', isUpToDate);

  afterAll(() => expect(compared).toEqual(expect.arrayContaining(GENERATED)));

  it('npm run generate is named by the first words of a test that finds a file out of date', () => {
    expect(() => expectWritten('docs/costs.md', '# Another page')).toThrow(
      'Run `npm run generate`: docs/costs.md:1 is not up to date. It would write there: # Another page',
    );
  });
});

it.each(generators.filter(isSlow))('npm run generate finds up to date: %s', { tags: ['long'] }, isUpToDate);
