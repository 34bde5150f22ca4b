const STEPS = [1, 2, 5];
/** Lines across a chart in addition to the one at the bottom. */
const LINES_MAX = 5;

/** Whole numbers for the lines of a chart, from 0 to the first one that is not below `most`. */
export function chartTicks(most: number): readonly number[] {
  let step = 1;
  for (let size = 0; Math.ceil(Math.max(1, most) / step) > LINES_MAX; size += 1) {
    step = (STEPS[size % STEPS.length] ?? 1) * 10 ** Math.floor(size / STEPS.length);
  }
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, line) => line * step);
}
