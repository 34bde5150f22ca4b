/** The proxy's bundle under the processor shares of several memory sizes: added latency of warm calls, and cold starts. */
import { type FunctionProcess, startFunction, statusOf } from '../function-process.ts';
import { uploadMany } from '../measures/uploads.ts';
import { peakBytes } from '../processes.ts';
import { proxyEventJson } from '../proxy-event.ts';
import { downloadTarget } from '../sample.ts';
import { openStage, type Stage } from '../stage.ts';
import { interleaved, quantile, spreadOf } from '../statistics.ts';
import { type CpuShare, cpuShare } from './cpu-share.ts';

/** Memory at which a function has one whole processor. */
const WHOLE_PROCESSOR_MB = 1_769;

const ANSWER_BYTES = 10_000;

/** Longer than two periods of the quota: between calls it fills up, as in calls of 300 ms. */
const PROVIDER_MS = 50;

/** Back to back, so that the code is compiled as in a process that has served for a while. */
const WARM_UP_CALLS = 1_000;
const CALLS_PER_ROUND = 50;

/** What one size came to. Latencies are milliseconds on top of the provider's own time. */
export interface MeasuredSize {
  readonly memoryMb: number;
  readonly addedP50Ms: number;
  readonly addedP99Ms: number;
  /** From the start of a process to its first question for work, and to the end of its first answer: medians. */
  readonly readyMs: number;
  readonly firstAnswerMs: number;
  /** The most memory that the process has taken, with 25 of the largest uploads after its calls. */
  readonly peakBytes: number;
  readonly calls: number;
  readonly starts: number;
}

interface Warm {
  readonly memoryMb: number;
  readonly fn: FunctionProcess;
  readonly share: CpuShare;
  readonly addedMs: number[];
}

/** Measures all sizes in turns, one call at a time as a function gets them. */
export async function measureSizes(
  { sizes, quick }: { readonly sizes: readonly number[]; readonly quick: boolean },
  progress: (text: string) => void,
): Promise<MeasuredSize[]> {
  const [rounds, coldRounds] = quick ? [2, 3] : [8, 9];
  await using stage = await openStage();
  const starts = await coldStarts(stage, sizes, coldRounds, progress);
  await using stack = new AsyncDisposableStack();
  const warm: Warm[] = [];
  for (const memoryMb of sizes) {
    progress(`warming up ${memoryMb} MB`);
    const share = stack.adopt(cpuShare(shareOf(memoryMb)), (one) => one[Symbol.dispose]());
    const fn = stack.use(await startFunction(stage.proxy, stage.settings, share.start));
    for (let made = 0; made < WARM_UP_CALLS; made++) await addedMs(fn, downloadTarget(ANSWER_BYTES));
    warm.push({ memoryMb, fn, share, addedMs: [] });
  }
  for (let round = 0; round < rounds; round++) {
    progress(`calls, round ${round + 1} of ${rounds}`);
    for (const index of interleaved(warm.length, round)) {
      const one = warm[index];
      for (let made = 0; one !== undefined && made < CALLS_PER_ROUND; made++) {
        one.addedMs.push(await addedMs(one.fn, downloadTarget(ANSWER_BYTES, PROVIDER_MS)));
      }
    }
  }
  for (const { memoryMb, fn } of warm) {
    progress(`uploads, ${memoryMb} MB`);
    await uploadMany(fn);
  }
  return warm.map(({ memoryMb, fn, addedMs: added }, index) => ({
    memoryMb,
    addedP50Ms: quantile(added, 0.5),
    addedP99Ms: quantile(added, 0.99),
    readyMs: spreadOf((starts[index] ?? []).map(({ readyMs }) => readyMs)).median,
    firstAnswerMs: spreadOf((starts[index] ?? []).map(({ firstAnswerMs }) => firstAnswerMs)).median,
    peakBytes: peakBytes(fn.pid),
    calls: added.length,
    starts: coldRounds,
  }));
}

/** Share of one processor that a function of this memory has; more than one is more than a single thread can use. */
export function shareOf(memoryMb: number): number {
  return Math.min(1, memoryMb / WHOLE_PROCESSOR_MB);
}

/** One call, in milliseconds on top of what the provider says it took. */
async function addedMs(fn: FunctionProcess, target: string): Promise<number> {
  const answer = await fn.call(proxyEventJson(target));
  const tookMs = Number(/"x-goog-took-ms":\[?"([\d.]+)"/.exec(answer.head)?.[1]);
  if (statusOf(answer) !== 200 || !(tookMs >= 0)) throw new Error(`A measured call answered ${answer.head}`);
  return answer.endMs - tookMs;
}

interface Start {
  readonly readyMs: number;
  readonly firstAnswerMs: number;
}

/** Starts of each size, in the order of the sizes, files in the page cache. */
async function coldStarts(
  stage: Stage,
  sizes: readonly number[],
  rounds: number,
  progress: (text: string) => void,
): Promise<Start[][]> {
  const starts: Start[][] = sizes.map(() => []);
  // The first start reads its files from the disk.
  await coldStart(stage, 1);
  for (let round = 0; round < rounds; round++) {
    progress(`cold starts, round ${round + 1} of ${rounds}`);
    for (const index of interleaved(sizes.length, round)) {
      starts[index]?.push(await coldStart(stage, shareOf(sizes[index] ?? WHOLE_PROCESSOR_MB)));
    }
  }
  return starts;
}

async function coldStart(stage: Stage, ofProcessor: number): Promise<Start> {
  using share = cpuShare(ofProcessor);
  await using fn = await startFunction(stage.proxy, stage.settings, share.start);
  const beforeMs = performance.now();
  await addedMs(fn, downloadTarget(ANSWER_BYTES));
  const firstAnswerMs = fn.startMs + performance.now() - beforeMs;
  if (ofProcessor < 0.5 && share.heldBackMs() === 0) throw new Error('The quota of the group held nothing back.');
  return { readyMs: fn.startMs, firstAnswerMs };
}
