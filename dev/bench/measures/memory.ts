/** Memory of a function process while 200 MB stream through it, and when the first byte comes. */
import { RESPONSE_BODY_MAX_BYTES } from '../../../lambdas/gateway/core/limits.ts';
import { FUNCTION_MEMORY_MB } from '../../../lib/function-memory.ts';
import {
  type CallOptions,
  type FunctionAnswer,
  type FunctionProcess,
  startFunction,
  statusOf,
} from '../function-process.ts';
import { type HttpCaller, httpCaller } from '../http-caller.ts';
import { peakBytes, residentBytes, startServer } from '../processes.ts';
import { proxyEventJson } from '../proxy-event.ts';
import { type Finding, times } from '../report.ts';
import { downloadTarget, SMALL_TARGET } from '../sample.ts';
import { openStage } from '../stage.ts';
import { interleaved, spreadOf } from '../statistics.ts';
import { uploadMany } from './uploads.ts';

const MEBIBYTE = 1024 * 1024;
/** The most one answer can carry. */
const DOWNLOAD_BYTES = RESPONSE_BODY_MAX_BYTES;
const TARGET = downloadTarget(DOWNLOAD_BYTES);
const GOAL_BYTES = 30 * MEBIBYTE;
const FIRST_BYTE_GOAL = 1.25;
const SAMPLE_EVERY_MS = 20;
const WARM_UP_CALLS = 50;

interface Download {
  readonly peakBytes: number;
}

/**
 * Streams downloads through one warm process: as fast as it goes, in turns with a bare pass-through, then to a reader
 * slower than the provider.
 */
export async function measureMemory(quick: boolean, progress: (text: string) => void): Promise<Finding[]> {
  const fastRounds = quick ? 2 : 5;
  const slowSec = quick ? 5 : 20;
  await using stage = await openStage();
  await using passThrough = await startServer('pass-through', { UPSTREAM_PORT: String(stage.upstream.port) });
  await using fn = await startFunction(stage.proxy, stage.settings);
  await using bareFn = await startFunction(stage.passThrough, stage.settings);
  using caller = httpCaller(passThrough.port);
  for (let made = 0; made < WARM_UP_CALLS; made++) {
    await fn.call(proxyEventJson(SMALL_TARGET));
    await bareFn.call(proxyEventJson(SMALL_TARGET));
    await caller.get(SMALL_TARGET);
  }
  const idleBytes = residentBytes(fn.pid);
  const idleBaseBytes = residentBytes(passThrough.pid);
  const fast: Download[] = [];
  const base: Download[] = [];
  for (let round = 0; round < fastRounds; round++) {
    progress(`download ${round + 1} of ${fastRounds}`);
    fast.push(await sampled(fn.pid, () => download(fn, TARGET)));
    base.push(await sampled(passThrough.pid, () => caller.get(TARGET)));
  }
  progress(`download to a slow reader, ${slowSec} s`);
  const slow = await sampled(fn.pid, () => download(fn, TARGET, { maxBytesPerSec: DOWNLOAD_BYTES / slowSec }));
  progress('first bytes');
  const first = await firstByte(fn, bareFn, caller, quick ? 20 : 100);
  progress('uploads');
  await using uploading = await startFunction(stage.proxy, stage.settings);
  await uploadMany(uploading);
  return [
    growth('as fast as it goes, the worst of the downloads', worst(fast), idleBytes, GOAL_BYTES),
    growth(
      `to a reader of ${Math.round(DOWNLOAD_BYTES / MEBIBYTE / slowSec)} MB/s`,
      slow.peakBytes,
      idleBytes,
      GOAL_BYTES,
    ),
    growth('for comparison: a bare pass-through', worst(base), idleBaseBytes, undefined),
    uploads(peakBytes(uploading.pid)),
    ...first,
  ];
}

/** Runs a download and looks at the memory of a process meanwhile. */
async function sampled(pid: number, work: () => Promise<{ readonly bytes: number }>): Promise<Download> {
  let peakBytes = 0;
  const sampler = setInterval(() => {
    peakBytes = Math.max(peakBytes, residentBytes(pid));
  }, SAMPLE_EVERY_MS);
  try {
    const { bytes } = await work();
    if (bytes < DOWNLOAD_BYTES) throw new Error(`A download of ${DOWNLOAD_BYTES} bytes brought ${bytes}`);
    return { peakBytes };
  } finally {
    clearInterval(sampler);
  }
}

async function download(fn: FunctionProcess, target: string, options: CallOptions = {}): Promise<FunctionAnswer> {
  const answer = await fn.call(proxyEventJson(target), options);
  if (statusOf(answer) !== 200) throw new Error(`A download answered ${answer.head}`);
  return answer;
}

/** Time to the first byte of downloads of 1 MB: function, pass-through as a function, and pass-through in turns. */
async function firstByte(
  fn: FunctionProcess,
  bareFn: FunctionProcess,
  caller: HttpCaller,
  rounds: number,
): Promise<Finding[]> {
  const target = downloadTarget(MEBIBYTE);
  const subjects = [() => download(fn, target), () => download(bareFn, target), () => caller.get(target)];
  const firstMs = subjects.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const index of interleaved(subjects.length, round)) {
      const answer = await subjects[index]?.();
      if (answer !== undefined) firstMs[index]?.push(answer.firstByteMs);
    }
  }
  const [ours = [], bare = [], base = []] = firstMs;
  const aws = "core with AWS's runtime client";
  return [
    firstByteFinding('over a bare pass-through', aws, ours, base, FIRST_BYTE_GOAL),
    firstByteFinding("over a bare pass-through with AWS's runtime client", aws, ours, bare, FIRST_BYTE_GOAL),
    firstByteFinding(
      'over a bare pass-through',
      "for comparison: a bare pass-through with AWS's runtime client",
      bare,
      base,
      undefined,
    ),
  ];
}

function firstByteFinding(
  over: string,
  subject: string,
  ours: readonly number[],
  base: readonly number[],
  goal: number | undefined,
): Finding {
  const [own, other] = [spreadOf(ours), spreadOf(base)];
  const ratio = own.median / other.median;
  return {
    measure: `Time to the first byte of a download, ${over}`,
    subject,
    value: times(ratio),
    range: `${own.median.toFixed(1)} ms over ${other.median.toFixed(1)} ms`,
    goal: goal === undefined ? '' : `at most ${times(goal)}`,
    within: goal === undefined ? undefined : ratio <= goal,
    details: { ratio, firstByteMs: own, passThroughFirstByteMs: other, rounds: ours.length },
  };
}

function uploads(bytes: number): Finding {
  const goalMb = FUNCTION_MEMORY_MB.proxy / 2;
  return {
    measure: 'Memory of a process at its highest, from its start',
    subject: '25 uploads of 4.4 MB, one after another',
    value: `${Math.ceil(bytes / MEBIBYTE)} MB`,
    range: '',
    goal: `at most ${goalMb} MB`,
    within: bytes <= goalMb * MEBIBYTE,
    details: { peakBytes: bytes },
  };
}

function worst(downloads: readonly Download[]): number {
  return Math.max(...downloads.map(({ peakBytes }) => peakBytes));
}

function growth(subject: string, peakBytes: number, idleBytes: number, goalBytes: number | undefined): Finding {
  const grown = peakBytes - idleBytes;
  return {
    measure: 'Memory above idle while 200 MB stream down',
    subject,
    value: `${Math.ceil(grown / MEBIBYTE)} MB`,
    range: '',
    goal: goalBytes === undefined ? '' : `at most ${goalBytes / MEBIBYTE} MB`,
    within: goalBytes === undefined ? undefined : grown <= goalBytes,
    details: { peakBytes, idleBytes },
  };
}
