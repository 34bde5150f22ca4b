import { drawn } from '../../../../support/draws.ts';

/**
 * How many random histories a test plays, and its time limit: none where `FEED_HISTORIES` asks for a number, because a busy computer needs
 * hours for the ten thousand of `npm run test:feeds`. `FEED_SEED` repeats a run; with `FEED_PATH` it begins with the history at that path.
 *
 * @param all how many `npm run test:long` plays
 */
export function historiesAsked(all: number) {
  const { FEED_HISTORIES: asked, FEED_SEED: seed, FEED_PATH: path } = process.env;
  return {
    numRuns: Number(asked ?? drawn(all)),
    timeout: asked === undefined ? 240_000 : 0,
    seed: seed === undefined ? {} : { seed: Number(seed), ...(path === undefined ? {} : { path }) },
  };
}
