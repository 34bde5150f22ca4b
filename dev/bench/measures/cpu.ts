/** Processor time per warm call of a process that passes calls on, over that of a bare pass-through. */

import { startFunction, statusOf } from '../function-process.ts';
import { functionVariables } from '../function-variables.ts';
import { httpCaller } from '../http-caller.ts';
import { cpuMs, startServer } from '../processes.ts';
import { proxyEventJson } from '../proxy-event.ts';
import { type Finding, range, times } from '../report.ts';
import { SMALL_TARGET } from '../sample.ts';
import { openStage } from '../stage.ts';
import { interleaved, ratioOf, spreadOf } from '../statistics.ts';

const CORE_GOAL = 1.5;
const FUNCTION_GOAL = 2.8;

/** One thing that is called: its process and one call of it, checked. */
interface Subject {
  readonly name: string;
  readonly pid: number;
  call(): Promise<void>;
}

/** Measures pass-through, core and function in turns, calls one after another as a function process gets them. */
export async function measureCpu(quick: boolean, progress: (text: string) => void): Promise<Finding[]> {
  const rounds = quick ? 3 : 9;
  const callsPerRound = quick ? 1_000 : 3_000;
  const warmUpCalls = quick ? 2_000 : 6_000;
  await using stage = await openStage();
  await using passThrough = await startServer('pass-through', { UPSTREAM_PORT: String(stage.upstream.port) });
  await using core = await startServer('core', { ...functionVariables(stage.upstream.origin), ...NO_AWS });
  await using fn = await startFunction(stage.proxy, stage.settings);
  await using bareFn = await startFunction(stage.passThrough, stage.settings);
  using passThroughCaller = httpCaller(passThrough.port);
  using coreCaller = httpCaller(core.port);
  const event = proxyEventJson(SMALL_TARGET);
  const subjects: Subject[] = [
    {
      name: 'pass-through',
      pid: passThrough.pid,
      call: async () => requireOk((await passThroughCaller.get(SMALL_TARGET)).status),
    },
    {
      name: 'core',
      pid: core.pid,
      call: async () => requireOk((await coreCaller.get(`/proxy${SMALL_TARGET}`)).status),
    },
    { name: 'function', pid: fn.pid, call: async () => requireOk(statusOf(await fn.call(event))) },
    {
      name: 'pass-through as a function',
      pid: bareFn.pid,
      call: async () => requireOk(statusOf(await bareFn.call(event))),
    },
  ];
  for (const subject of subjects) {
    progress(`warming up the ${subject.name}`);
    await callMany(subject, warmUpCalls);
  }
  const perCallUs = new Map<string, number[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}`);
    for (const index of interleaved(subjects.length, round)) {
      const subject = subjects[index];
      if (subject === undefined) continue;
      const beforeMs = cpuMs(subject.pid);
      await callMany(subject, callsPerRound);
      perCallUs.get(subject.name)?.push(((cpuMs(subject.pid) - beforeMs) * 1000) / callsPerRound);
    }
  }
  const base = perCallUs.get('pass-through') ?? [];
  return [
    finding('core alone', perCallUs.get('core') ?? [], base, CORE_GOAL),
    finding("core with AWS's runtime client", perCallUs.get('function') ?? [], base, FUNCTION_GOAL),
    finding(
      "for comparison: a bare pass-through with AWS's runtime client",
      perCallUs.get('pass-through as a function') ?? [],
      base,
      undefined,
    ),
  ];
}

/** The core reads its records from memory: an AWS client must find nothing to talk to. */
const NO_AWS = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
};

async function callMany(subject: Subject, calls: number): Promise<void> {
  for (let made = 0; made < calls; made++) await subject.call();
}

function requireOk(status: number): void {
  if (status !== 200) throw new Error(`A measured call answered ${status}`);
}

function finding(
  subject: string,
  perCallUs: readonly number[],
  base: readonly number[],
  goal: number | undefined,
): Finding {
  const ratio = ratioOf(perCallUs, base);
  return {
    measure: 'CPU per warm call, over a bare pass-through',
    subject,
    value: times(ratio.median),
    range: range(ratio, times),
    goal: goal === undefined ? '' : `at most ${times(goal)}`,
    within: goal === undefined ? undefined : ratio.median <= goal,
    details: {
      ratio,
      microsecondsPerCall: spreadOf(perCallUs),
      passThroughMicrosecondsPerCall: spreadOf(base),
      rounds: perCallUs.length,
    },
  };
}
