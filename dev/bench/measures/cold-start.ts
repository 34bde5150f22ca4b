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

/** Starts proxy and empty function in turns, files in the page cache, and compares them round by round. */
export async function measureColdStart(quick: boolean, progress: (text: string) => void): Promise<Finding[]> {
  const rounds = quick ? 5 : 25;
  await using stage = await openStage();
  const event = proxyEventJson(SMALL_TARGET);
  const functions = [stage.empty, stage.proxy, stage.proxyWithSdk];
  const starts: Start[][] = functions.map(() => []);
  // The first start of each reads its files from the disk.
  for (const fn of functions) await startOnce(fn, stage, event);
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}`);
    for (const index of interleaved(functions.length, round)) {
      const fn = functions[index];
      if (fn !== undefined) starts[index]?.push(await startOnce(fn, stage, event));
    }
  }
  const [empty = [], proxy = [], proxyWithSdk = []] = starts;
  const ready = ({ readyMs }: Start) => readyMs;
  const answered = ({ answeredMs }: Start) => answeredMs;
  const readyCpu = ({ readyCpuMs }: Start) => readyCpuMs;
  const answeredCpu = ({ answeredCpuMs }: Start) => answeredCpuMs;
  return [
    finding('to the first question for work', empty, proxy, ready, READY_GOAL),
    finding('to the end of the first answer', empty, proxy, answered, ANSWERED_GOAL),
    finding('to the first question for work, processor time', empty, proxy, readyCpu, READY_GOAL),
    finding('to the end of the first answer, processor time', empty, proxy, answeredCpu, ANSWERED_GOAL),
    finding('to the first question for work, with the AWS SDK', empty, proxyWithSdk, ready, undefined),
    finding('to the end of the first answer, with the AWS SDK', empty, proxyWithSdk, answered, undefined),
    finding('to the first question, processor time, with the AWS SDK', empty, proxyWithSdk, readyCpu, undefined),
    finding(
      'to the end of the first answer, processor time, with the AWS SDK',
      empty,
      proxyWithSdk,
      answeredCpu,
      undefined,
    ),
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

function finding(
  subject: string,
  empty: readonly Start[],
  proxy: readonly Start[],
  pick: (start: Start) => number,
  goal: number | undefined,
): Finding {
  // The medians' ratio: one disturbed start of 60 ms would make the ratio of its round meaningless.
  const ratio = spreadOf(proxy.map(pick)).median / spreadOf(empty.map(pick)).median;
  return {
    measure: 'Cold start, over an empty function',
    subject,
    value: times(ratio),
    range: range(ratioOf(proxy.map(pick), empty.map(pick)), times),
    goal: goal === undefined ? '' : `at most ${times(goal)}`,
    within: goal === undefined ? undefined : ratio <= goal,
    details: {
      ratio,
      proxyMs: spreadOf(proxy.map(pick)),
      emptyMs: spreadOf(empty.map(pick)),
      rounds: proxy.length,
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
