/** What a run over several memory sizes says: a table for dev/bench/README.md, and which size follows from it. */
import { millionCalls, total } from '../../../packages/cli/costs/cost-model.ts';
import { type MeasuredSize, shareOf } from './measure-sizes.ts';

/** A size counts as fast enough while its added latency stays within this many times the best. */
const TOLERANCE = 1.2;

/** And fits while its process takes this share of it at most: Lambda ends one that takes more than it was given. */
const FILLED_AT_MOST = 0.5;

const GOAL_DOLLARS = 6.75;

const MEBIBYTE = 1024 * 1024;

/** The sizes, smallest first, one line each. */
export function sizesTable(measured: readonly MeasuredSize[]): string {
  const best = Math.min(...measured.map(({ addedP50Ms }) => addedP50Ms));
  return [
    '| Memory | Of a processor | Added, p50 | Over the best | Added, p99 | Cold start to the first question | To the first answer | Peak, with uploads | A million calls |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...measured.map((one) => {
      const cells = [
        `${one.memoryMb.toLocaleString('en-US')} MB`,
        shareOf(one.memoryMb).toFixed(2),
        `${one.addedP50Ms.toFixed(2)} ms`,
        `${(one.addedP50Ms / best).toFixed(2)}x`,
        `${one.addedP99Ms.toFixed(1)} ms`,
        `${one.readyMs.toFixed(0)} ms`,
        `${one.firstAnswerMs.toFixed(0)} ms`,
        `${Math.ceil(one.peakBytes / MEBIBYTE)} MB`,
        dollars(one.memoryMb),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ].join('\n');
}

/** The cheapest size that is fast enough and large enough, and whether it meets the goal. @throws Error when nothing was measured, or nothing fits */
export function choiceOf(measured: readonly MeasuredSize[]): string {
  const best = Math.min(...measured.map(({ addedP50Ms }) => addedP50Ms));
  const [choice] = measured
    .filter(({ addedP50Ms }) => addedP50Ms <= TOLERANCE * best)
    .filter((one) => one.peakBytes <= FILLED_AT_MOST * one.memoryMb * MEBIBYTE)
    .toSorted((a, b) => a.memoryMb - b.memoryMb);
  if (choice === undefined) throw new Error('No size was measured that is fast enough and large enough');
  const price = total(millionCalls({ memoryMb: choice.memoryMb }));
  const verdict = price <= GOAL_DOLLARS ? 'within' : 'ABOVE';
  return `Cheapest within ${TOLERANCE} times the best added p50 that stays half empty: ${choice.memoryMb.toLocaleString('en-US')} MB, ${dollars(choice.memoryMb)} for a million calls of 10 KB and 300 ms, ${verdict} the goal of $${GOAL_DOLLARS.toFixed(2)}.`;
}

function dollars(memoryMb: number): string {
  return `$${total(millionCalls({ memoryMb })).toFixed(2)}`;
}
