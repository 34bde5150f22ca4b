// @module-tag long
import { describe, expect, it } from 'vitest';
import { optionSets } from '../../dev/support/option-combinations.ts';
import { OPTION_SAMPLES, type Options } from '../../dev/support/option-samples.ts';
import { contextOf } from '../../dev/support/synthesize.ts';
import { readDeploymentConfig } from '../../lib/config.ts';
import { resolveGatewayOptions } from '../../lib/gateway-options.ts';

const sets = optionSets().map(({ options }) => options);
/** Options as text by their names. */
const texts = (options: Options) => new Map(Object.entries(options).map(([name, one]) => [name, JSON.stringify(one)]));

describe('the combinations of options that cfn-lint judges', () => {
  it('for any sample and any other option, one has the sample and leaves the other option at its default', () => {
    const known = sets.map(texts);
    const names = Object.keys(OPTION_SAMPLES);
    const lacking = Object.values(OPTION_SAMPLES)
      .flat()
      .map(texts)
      .flatMap((sample) =>
        names
          .filter((other) => !sample.has(other))
          .filter((other) => !known.some((set) => !set.has(other) && [...sample].every(([k, v]) => set.get(k) === v)))
          .map((other) => `${[...sample]} without ${other}`),
      );
    expect(lacking).toEqual([]);
  });

  it.each(sets)('can be deployed: %o', (options) => {
    expect(() => resolveGatewayOptions(readDeploymentConfig(contextOf(options), {}).gateway)).not.toThrow();
  });

  it('are few: at most half as many as there are samples', () => {
    expect(sets.length).toBeLessThanOrEqual(Object.values(OPTION_SAMPLES).flat().length / 2);
  });
});
