/** Memory of a function process while 200 MB stream through it, and when the first byte comes. */
import { type FunctionAnswer, type FunctionProcess, startFunction, statusOf } from '../function-process.ts';
import { residentBytes } from '../processes.ts';
import { proxyEventJson } from '../proxy-event.ts';
import type { Finding } from '../report.ts';
import { downloadTarget, SMALL_TARGET } from '../sample.ts';
import { openStage } from '../stage.ts';
import { spreadOf } from '../statistics.ts';

const MEBIBYTE = 1024 * 1024;
/** The most one answer can carry. */
const DOWNLOAD_BYTES = 200 * MEBIBYTE;
const GOAL_BYTES = 60 * MEBIBYTE;
const SAMPLE_EVERY_MS = 20;
const WARM_UP_CALLS = 50;

interface Download {
  readonly answer: FunctionAnswer;
  readonly peakBytes: number;
}

/** Streams downloads through one warm process: as fast as it goes, then to a reader slower than the provider. */
export async function measureMemory(quick: boolean, progress: (text: string) => void): Promise<Finding[]> {
  const fastRounds = quick ? 2 : 5;
  const slowSec = quick ? 5 : 20;
  await using stage = await openStage();
  await using fn = await startFunction(stage.proxy, stage.surroundings);
  for (let made = 0; made < WARM_UP_CALLS; made++) await fn.call(proxyEventJson(SMALL_TARGET));
  const idleBytes = residentBytes(fn.pid);
  const fast: Download[] = [];
  for (let round = 0; round < fastRounds; round++) {
    progress(`download ${round + 1} of ${fastRounds}`);
    fast.push(await download(fn));
  }
  progress(`download to a slow reader, ${slowSec} s`);
  const slow = await download(fn, DOWNLOAD_BYTES / slowSec);
  const firstByteMs = spreadOf(fast.map(({ answer }) => answer.firstByteMs));
  return [
    growth('as fast as it goes, the worst of the downloads', Math.max(...fast.map(({ peakBytes }) => peakBytes)), idleBytes),
    growth(`to a reader of ${DOWNLOAD_BYTES / MEBIBYTE / slowSec} MB/s`, slow.peakBytes, idleBytes),
    {
      measure: 'First byte of a 200 MB download',
      subject: 'from the call to the first byte of the answer',
      value: `${firstByteMs.median.toFixed(1)} ms`,
      range: `${firstByteMs.min.toFixed(1)} to ${firstByteMs.max.toFixed(1)} ms`,
      goal: '',
      within: undefined,
      details: { firstByteMs, rounds: fast.length },
    },
  ];
}

async function download(fn: FunctionProcess, maxBytesPerSec?: number): Promise<Download> {
  let peakBytes = 0;
  const sampler = setInterval(() => {
    peakBytes = Math.max(peakBytes, residentBytes(fn.pid));
  }, SAMPLE_EVERY_MS);
  try {
    const event = proxyEventJson(downloadTarget(DOWNLOAD_BYTES));
    const answer = await fn.call(event, maxBytesPerSec === undefined ? {} : { maxBytesPerSec });
    if (statusOf(answer) !== 200 || answer.bytes < DOWNLOAD_BYTES) {
      throw new Error(`A download of ${DOWNLOAD_BYTES} bytes brought ${answer.bytes}: ${answer.head}`);
    }
    return { answer, peakBytes };
  } finally {
    clearInterval(sampler);
  }
}

function growth(subject: string, peakBytes: number, idleBytes: number): Finding {
  const grown = peakBytes - idleBytes;
  return {
    measure: 'Memory above idle while 200 MB stream down',
    subject,
    value: `${Math.ceil(grown / MEBIBYTE)} MB`,
    range: '',
    goal: `at most ${GOAL_BYTES / MEBIBYTE} MB`,
    within: grown <= GOAL_BYTES,
    details: { peakBytes, idleBytes },
  };
}
