import { isDeepStrictEqual } from 'node:util';
import { readDeploymentConfig } from '../../lib/config.ts';
import { InvalidOptionsError, resolveGatewayOptions } from '../../lib/gateway-options.ts';
import { EVERYTHING_ON, firstSamples, OPTION_SAMPLES, type Options } from './option-samples.ts';
import { contextOf } from './synthesize.ts';

/** A name and the options of a stack that somebody may deploy. */
interface OptionSet {
  readonly name: string;
  readonly options: Options;
}

/** Combinations are of one region: stacks of two regions differ in whatever names a region. */
const { region: REGIONS, ...COMBINED } = OPTION_SAMPLES;
const SAMPLES = Object.values(COMBINED).flat();
const OPTIONS = Object.keys(COMBINED);

/**
 * The defaults in each region, combinations, and all first samples together. For any sample and any other option, one of these stacks
 * has the sample and leaves the other option at its default. A combination shows this of many pairs at once, so that few stacks do
 * (pairwise testing; NIST SP 800-142, Practical Combinatorial Testing).
 */
export function optionSets(): readonly OptionSet[] {
  return [
    ...REGIONS.map((options) => ({ name: `region-${options.region}`, options })),
    ...combinations().map((options, at) => ({ name: `combination-${String(at + 1).padStart(2, '0')}`, options })),
    { name: 'everything-on', options: EVERYTHING_ON },
    { name: 'everything-without-dashboard-and-monitoring', options: firstSamples() },
  ];
}

/** Each is the one that shows most of the pairs that those before it do not show. */
function combinations(): Options[] {
  const open = new Map(SAMPLES.map((sample) => [sample, new Set(OPTIONS.filter((option) => !(option in sample)))]));
  const pairsIn = (options: Options) =>
    [...open].flatMap(([sample, others]) =>
      has(options, sample)
        ? [...others].filter((other) => !(other in options)).map((other) => ({ others, other }))
        : [],
    );
  const made: Options[] = [];
  for (;;) {
    const options = largest((candidate) => pairsIn(candidate).length);
    const pairs = pairsIn(options);
    if (pairs.length === 0) return made;
    made.push(options);
    for (const { others, other } of pairs) others.delete(other);
  }
}

/** Adds the sample that is worth most, as long as one adds to the worth. */
function largest(worthOf: (options: Options) => number): Options {
  let options: Options = {};
  for (let worth = 0; ; ) {
    const better = SAMPLES.filter((sample) => fits(options, sample) && !has(options, sample))
      .map((sample) => ({ ...options, ...sample }))
      .map((candidate) => ({ candidate, worth: worthOf(candidate) }))
      .filter((one) => one.worth > worth)
      .sort((a, b) => b.worth - a.worth)
      .find(({ candidate }) => isDeployable(candidate));
    if (better === undefined) return options;
    options = better.candidate;
    worth = better.worth;
  }
}

/** True when options contain those of a sample, with their values. */
function has(options: Options, sample: Options): boolean {
  return isDeepStrictEqual({ ...options, ...sample }, options);
}

function fits(options: Options, sample: Options): boolean {
  return isDeepStrictEqual({ ...options, ...sample }, { ...sample, ...options });
}

function isDeployable(options: Options): boolean {
  try {
    resolveGatewayOptions(readDeploymentConfig(contextOf(options), {}).gateway);
    return true;
  } catch (error) {
    if (error instanceof InvalidOptionsError) return false;
    throw error;
  }
}
