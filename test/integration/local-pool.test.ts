import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCredentialBook } from '../../dev/local/aws/credentials.ts';
import { logSink } from '../../dev/local/lambda/log-lines.ts';
import { type FunctionPool, invokeForResult, openPool, type PoolOptions } from '../../dev/local/lambda/pool.ts';
import { findPython } from '../../dev/local/lambda/python.ts';
import { until } from '../unit/local/fixtures/gateway.ts';

const SOURCE = `
export async function handler({ ms = 0, fail, shift }) {
  await new Promise((resolve) => setTimeout(resolve, ms));
  if (fail) throw new RangeError('on purpose');
  return { pid: process.pid, now: Date.now() };
}`;

let folder: string;
let pool: FunctionPool;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-pool-'));
});
afterEach(async () => {
  await pool.stop();
  rmSync(folder, { recursive: true, force: true });
});

const PYTHON_SOURCE = `
import os

def handler(event, context):
    if event.get("fail"):
        raise LookupError("on purpose")
    print("called with", event)
    seen = {"id": context.aws_request_id, "left": context.get_remaining_time_in_millis()}
    return {**seen, "text": event["text"], "pid": os.getpid(), "token": os.environ.get("LOCAL_RUNTIME_TOKEN")}
`;

function open(more: Partial<PoolOptions> = {}, runtime = 'nodejs24.x'): FunctionPool {
  mkdirSync(join(folder, 'code'), { recursive: true });
  writeFileSync(join(folder, 'code', 'index.mjs'), SOURCE);
  writeFileSync(join(folder, 'code', 'index.py'), PYTHON_SOURCE);
  pool = openPool({
    fn: {
      logicalId: 'Fn',
      name: 'Stack-Fn',
      arn: 'arn:aws:lambda:eu-west-1:000000000000:function:Stack-Fn',
      roleArn: 'arn:aws:iam::000000000000:role/Stack-Fn',
      logGroup: '/aws/lambda/Stack-Fn',
      isTraced: false,
      displayName: 'fn',
      runtime,
      handler: 'index.handler',
      codeFolder: join(folder, 'code'),
      timeoutSec: 5,
      memoryMb: 128,
      logFormat: 'JSON',
      environment: {},
    },
    settings: {
      region: 'eu-west-1',
      awsEndpoint: 'http://127.0.0.1:1',
      dynamoDbEndpoint: 'http://127.0.0.1:1',
      credentials: openCredentialBook(),
      emptyConfigFile: '/dev/null',
      overrides: {},
    },
    preloads: [],
    logs: logSink(() => {}),
    maxChildren: 2,
    ...more,
  });
  return pool;
}

describe('a pool', () => {
  it('starts nothing before it is needed, and one process to warm up', async () => {
    open();
    expect(pool.children()).toEqual([]);
    pool.warmUp();
    pool.warmUp();
    await until('an idle process', () => pool.children()[0]?.state === 'idle');
    expect(pool.children()).toHaveLength(1);
  });

  it('starts another only for a call that has waited for the one at work', async () => {
    open({ startAfterMs: 60_000 });
    await pool.invoke('{}');
    const calls = await Promise.all([pool.invoke('{"ms":50}'), pool.invoke('{}')]);
    expect(calls.map(({ kind }) => kind)).toEqual(['buffered', 'buffered']);
    expect(pool.children()).toHaveLength(1);
    await pool.stop();
    open({ startAfterMs: 0 });
    await pool.invoke('{}');
    await Promise.all([pool.invoke('{"ms":2000}'), pool.invoke('{}')]);
    expect(pool.children()).toHaveLength(2);
  });

  it('throttles the call that finds the queue full', async () => {
    open({ maxChildren: 1, maxQueue: 2 });
    const calls = [1, 2, 3].map(() => pool.invoke('{"ms":100}'));
    expect((await Promise.all(calls)).map((outcome) => outcome.kind)).toEqual(['buffered', 'buffered', 'throttled']);
  });

  it('ends idle processes above one after their time', async () => {
    open({ idleLifetimeMs: 200 });
    await Promise.all([pool.invoke('{"ms":100}'), pool.invoke('{"ms":100}')]);
    expect(pool.children()).toHaveLength(2);
    await until('one process to be left', () => pool.children().length === 1);
    expect((await pool.invoke('{}')).kind).toBe('buffered');
  });

  it('runs extra modules in its processes before the bundle', async () => {
    const preload = join(folder, 'shift.mjs');
    writeFileSync(preload, 'const now = Date.now; Date.now = () => now() + 3_600_000;');
    open({ preloads: [preload] });
    const result = await invokeForResult(pool, {});
    expect(result).toMatchObject({ now: expect.any(Number) });
    expect(Number(Object(result).now) - Date.now()).toBeGreaterThan(3_500_000);
  });

  it('gives the error of a function to anyone who wants its result', async () => {
    open();
    await expect(invokeForResult(pool, { fail: true })).rejects.toThrow('fn failed: RangeError: on purpose');
  });

  it('answers calls that still wait when it stops', async () => {
    open({ maxChildren: 1 });
    const first = pool.invoke('{"ms":50}');
    const second = pool.invoke('{"ms":50}');
    await until('a busy process', () => pool.children()[0]?.state === 'busy');
    await pool.stop();
    expect([(await first).kind, (await second).kind]).toEqual(['crashed', 'crashed']);
    expect(pool.children()).toEqual([]);
  });
});

describe.skipIf(findPython() === undefined)('a function in Python', () => {
  it('gets its event and context, returns JSON, and serves the next call in the same process', async () => {
    const lines: string[] = [];
    open({ logs: logSink(({ text }) => lines.push(text)) }, 'python3.13');
    const first = Object(await invokeForResult(pool, { text: 'Übung' }));
    expect(first).toMatchObject({ text: 'Übung', id: expect.any(String), token: null });
    expect(first.left).toBeGreaterThan(0);
    expect(first.left).toBeLessThanOrEqual(5_000);
    await until('its line in the log', () => lines.some((line) => line.includes("called with {'text': 'Übung'}")));
    expect(await invokeForResult(pool, { text: '2' })).toMatchObject({ pid: first.pid });
  });

  it('fails with the error of its code, and its process serves on', async () => {
    open({ maxChildren: 1 }, 'python3.13');
    await expect(invokeForResult(pool, { fail: true })).rejects.toThrow('fn failed: LookupError: on purpose');
    await expect(invokeForResult(pool, {})).rejects.toThrow("fn failed: KeyError: 'text'");
    expect(await invokeForResult(pool, { text: 'x' })).toMatchObject({ text: 'x' });
  });

  it('a Python function whose module cannot be loaded fails with the reason', async () => {
    open({}, 'python3.13');
    writeFileSync(join(folder, 'code', 'index.py'), 'import a_module_that_nobody_has');
    await expect(invokeForResult(pool, {})).rejects.toThrow(
      /could not start: ModuleNotFoundError: .*a_module_that_nobody_has/,
    );
  });
});
