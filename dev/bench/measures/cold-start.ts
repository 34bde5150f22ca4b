/** Time from the start of a process to its first question for work and to its first answer, over an empty function. */
import { type FunctionProcess, startFunction, statusOf } from '../function-process.ts';
import { exactCpuMs } from '../processes.ts';
import { proxyEventJson } from '../proxy-event.ts';
import { type Finding, range, times } from '../report.ts';
import { SMALL_TARGET } from '../sample.ts';
import { openStage, type Stage } from '../stage.ts';
import { interleaved, ratioOf, spreadOf } from '../statistics.ts';

const READY_GOAL = 1.5;
const ANSWERED_GOAL = 2;
const BUNDLE_GOAL_BYTES = 220 * 1024;

interface Start {
  /** To the first question for work, in ms. */
  readonly readyMs: number;
  /** To the end of the first answer, in ms. */
  readonly answeredMs: number;
  /** Processor time up to the first question, in ms. */
  readonly readyCpuMs: number;
  /** Processor time up to the end of the first answer, in ms. */
  readonly answeredCpuMs: number;
}

/** A goal counts as met when each of so many series of starts meets it. */
const SERIES = 3;

/** Starts proxy and empty function in turns, files in the page cache, and compares the medians of each series. */
export async function measureColdStart(quick: boolean, progress: (text: string) => void): Promise<Finding[]> {
  const rounds = quick ? 5 : 25;
  await using stage = await openStage();
  const event = proxyEventJson(SMALL_TARGET);
  const functions = [stage.empty, stage.proxy, stage.proxyWithSdk];
  // The first start of each reads its files from the disk.
  for (const fn of functions) await startOnce(fn, stage, event);
  const series: Series[] = [];
  for (let count = 0; count < (quick ? 1 : SERIES); count++) {
    const starts: Start[][] = functions.map(() => []);
    for (let round = 0; round < rounds; round++) {
      progress(`series ${count + 1}, round ${round + 1} of ${rounds}`);
      for (const index of interleaved(functions.length, round)) {
        const fn = functions[index];
        if (fn !== undefined) starts[index]?.push(await startOnce(fn, stage, event));
      }
    }
    const [empty = [], lean = [], sdk = []] = starts;
    series.push({ empty, lean, sdk });
  }
  const kinds = [
    ['to the first question for work', ({ readyMs }: Start) => readyMs, READY_GOAL],
    ['to the end of the first answer', ({ answeredMs }: Start) => answeredMs, ANSWERED_GOAL],
    ['to the first question for work, processor time', ({ readyCpuMs }: Start) => readyCpuMs, READY_GOAL],
    ['to the end of the first answer, processor time', ({ answeredCpuMs }: Start) => answeredCpuMs, ANSWERED_GOAL],
  ] as const;
  return [
    ...kinds.map(([subject, pick, goal]) => finding(subject, series, 'lean', pick, goal)),
    ...kinds.map(([subject, pick]) => finding(`${subject}, with the AWS SDK`, series, 'sdk', pick, undefined)),
    bundleFinding(stage),
  ];
}

async function startOnce(fn: Stage['proxy'], stage: Stage, event: string): Promise<Start> {
  await using started: FunctionProcess = await startFunction(fn, stage.settings);
  const readyCpuMs = exactCpuMs(started.pid);
  const beforeMs = performance.now();
  const answer = await started.call(event);
  if (statusOf(answer) !== 200) throw new Error(`The first call of ${fn.name} answered ${answer.head}`);
  const answeredMs = started.startMs + performance.now() - beforeMs;
  return { readyMs: started.startMs, answeredMs, readyCpuMs, answeredCpuMs: exactCpuMs(started.pid) };
}

/** Starts in turns of the empty function and of the proxy with either AWS client. */
interface Series {
  readonly empty: readonly Start[];
  readonly lean: readonly Start[];
  readonly sdk: readonly Start[];
}

function finding(
  subject: string,
  series: readonly Series[],
  client: 'lean' | 'sdk',
  pick: (start: Start) => number,
  goal: number | undefined,
): Finding {
  // The medians' ratio: one disturbed start of 60 ms would make the ratio of its round meaningless.
  const medianOf = (starts: readonly Start[]) => spreadOf(starts.map(pick)).median;
  const ratios = series.map((one) => medianOf(one[client]) / medianOf(one.empty));
  const rounds = series.map((one) => ratioOf(one[client].map(pick), one.empty.map(pick)));
  const whole = { min: Math.min(...rounds.map(({ min }) => min)), max: Math.max(...rounds.map(({ max }) => max)) };
  return {
    measure: 'Cold start, over an empty function',
    subject,
    value: ratios.map(times).join(', '),
    range: range(whole, times),
    goal: goal === undefined ? '' : `at most ${times(goal)}, in each series`,
    within: goal === undefined ? undefined : ratios.every((ratio) => ratio <= goal),
    details: {
      ratios,
      proxyMs: series.map((one) => spreadOf(one[client].map(pick))),
      emptyMs: series.map(({ empty }) => spreadOf(empty.map(pick))),
      rounds: series[0]?.lean.length,
    },
  };
}

function bundleFinding({ bundle }: Stage): Finding {
  const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`;
  return {
    measure: 'Bundle of the proxy',
    subject: 'minified, without source map',
    value: kilobytes(bundle.sizeBytes),
    range: '',
    goal: `at most ${kilobytes(BUNDLE_GOAL_BYTES)}`,
    within: bundle.sizeBytes <= BUNDLE_GOAL_BYTES,
    details: { bytes: bundle.sizeBytes },
  };
}
