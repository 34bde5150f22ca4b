import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LocalGateway } from '../../dev/local/start.ts';
import { asObject, type JsonObject, parseJson } from '../../dev/tools/json.ts';
import { runs, until, type Workspace, workspace } from '../unit/local/fixtures/gateway.ts';

let space: Workspace;
let gateway: LocalGateway;

beforeAll(async () => {
  space = workspace();
  vi.stubEnv('NODE_COMPILE_CACHE', join(space.folder, 'compiled'));
  gateway = await space.start({ maxChildrenPerFunction: 3 });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await space.dispose();
});

async function echo(query = ''): Promise<JsonObject> {
  const reply = await fetch(`${gateway.gatewayUrl}/echo?${query}`);
  return asObject(parseJson(await reply.text(), 'echo'), 'echo');
}

describe('a buffered function', () => {
  it('gets its event and a context with deadline, name and request id', async () => {
    const { context } = await echo();
    expect(context).toMatchObject({ functionName: 'Fixture-ManagementFunction', memoryLimitInMB: '256' });
    expect(asObject(context, 'context').remaining).toBeGreaterThan(1000);
  });

  it('keeps its process and module state between calls', async () => {
    const first = await fetch(`${gateway.gatewayUrl}/echo`);
    const second = await fetch(`${gateway.gatewayUrl}/echo`);
    expect(second.headers.get('x-pid')).toBe(first.headers.get('x-pid'));
    expect(Number(second.headers.get('x-calls'))).toBe(Number(first.headers.get('x-calls')) + 1);
  });

  it('sees only built variables: its own with overrides, the runtime’s, nothing of the shell', async () => {
    const { env } = await echo();
    const variables = asObject(env, 'env');
    expect(variables).toMatchObject({
      BASE_URL: gateway.gatewayUrl,
      TABLE_NAME: 'Fixture-Table',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_ENDPOINT_URL: gateway.awsEndpoint,
      AWS_ENDPOINT_URL_DYNAMODB: gateway.dynamodbEndpoint,
      AWS_EC2_METADATA_DISABLED: 'true',
    });
    // A home that is nobody's: without one Node looks the user up, who may have no entry.
    expect(variables.HOME).not.toBe(process.env.HOME);
    for (const name of ['VITEST', 'NODE_COMPILE_CACHE', 'LOCAL_RUNTIME_TOKEN']) {
      expect(variables).not.toHaveProperty(name);
    }
  });

  it.each(['throw', 'rubbish', 'large'])(
    'answers 502 when the function does "%s", and its process serves on',
    async (action) => {
      const before = (await fetch(`${gateway.gatewayUrl}/echo`)).headers.get('x-pid');
      const reply = await fetch(`${gateway.gatewayUrl}/echo?do=${action}`);
      expect(reply.status).toBe(502);
      expect(await reply.text()).toBe('{"message":"Internal server error"}');
      // The answer may be here before the process has asked for its next work.
      await until('the process to be idle', () =>
        gateway.children().some((child) => String(child.pid) === before && child.state === 'idle'),
      );
      expect((await fetch(`${gateway.gatewayUrl}/echo`)).headers.get('x-pid')).toBe(before);
    },
  );

  it('answers 502 with a logged reason when the process ends, and the next call gets another process', async () => {
    const reply = await fetch(`${gateway.gatewayUrl}/echo?do=exit`);
    expect(reply.status).toBe(502);
    expect(gateway.logs().some((line) => line.text.includes('exit code 7'))).toBe(true);
    expect((await fetch(`${gateway.gatewayUrl}/echo`)).status).toBe(200);
  });

  it('a buffered function is killed at its time limit: 504, and its process is gone', async () => {
    const hanging = fetch(`${gateway.gatewayUrl}/echo?do=hang`);
    await until('a busy process', () => gateway.children().some((child) => child.state === 'busy'));
    const pid = gateway.children().find((child) => child.state === 'busy')?.pid ?? 0;
    const reply = await hanging;
    expect(reply.status).toBe(504);
    expect(await reply.text()).toBe('{"message":"Endpoint request timed out"}');
    await until('the process to end', () => !runs(pid));
  });

  it.each([
    [3, 'nothing', false],
    [4, 'what V8 compiled', true],
  ])('after %i calls leaves %s to the next process, though it is ended by a signal', async (calls, _, leaves) => {
    const elsewhere = workspace();
    try {
      vi.stubEnv('NODE_COMPILE_CACHE', elsewhere.folder);
      const other = await elsewhere.start({ maxChildrenPerFunction: 1 });
      for (let call = 0; call < calls; call++) await fetch(`${other.gatewayUrl}/echo`);
      await other.close();
      const files = readdirSync(elsewhere.folder, { recursive: true }).map(String);
      expect(files.some((name) => /^v24.*\/[0-9a-f]+$/.test(name))).toBe(leaves);
    } finally {
      await elsewhere.dispose();
    }
  });

  it('runs concurrent calls in processes of their own, and lets those above the cap wait', async () => {
    const processes = async () => {
      const calls = Array.from({ length: 6 }, () => fetch(`${gateway.gatewayUrl}/echo?do=slow&ms=150`));
      const replies = await Promise.all(calls);
      expect(replies.map((reply) => reply.status)).toEqual(Array.from({ length: 6 }, () => 200));
      return new Set(replies.map((reply) => reply.headers.get('x-pid'))).size;
    };
    // On a busy machine two processes may have done all before the third has started.
    const counts = [await processes()];
    await until('three processes', async () => counts[counts.push(await processes()) - 1] === 3);
    expect(Math.max(...counts)).toBe(3);
  });

  it('a buffered function has its lines in the log under its name', async () => {
    await echo('do=log');
    await until('the line', () =>
      gateway.logs().some((line) => line.functionName === 'management' && line.text.includes('a line of the function')),
    );
  });
});

describe('a streaming function', () => {
  it('streams its body whole, with status, cookies and chunked framing', async () => {
    const reply = await fetch(`${gateway.gatewayUrl}/proxy/x?bytes=1000000&status=206`);
    expect(reply.status).toBe(206);
    expect(reply.headers.getSetCookie()).toEqual(['c=3']);
    expect((await reply.arrayBuffer()).byteLength).toBe(1_000_000);
  });

  it('answers with an empty body when it writes none', async () => {
    const reply = await fetch(`${gateway.gatewayUrl}/proxy/x?bytes=0`);
    expect(reply.status).toBe(200);
    expect(await reply.text()).toBe('');
  });

  it.each(['throw', 'bare'])('answers 502 when it does "%s" before its head', async (action) => {
    const reply = await fetch(`${gateway.gatewayUrl}/proxy/x?do=${action}`);
    expect(reply.status).toBe(502);
  });

  it('a streaming function is read to its end after such a 502, and its process is free again', async () => {
    const processes = () => gateway.children().filter((child) => child.functionName === 'proxy');
    const allIdle = (): Promise<void> =>
      until('idle processes', () => processes().every((child) => child.state === 'idle'));
    await allIdle();
    const before = processes();
    await fetch(`${gateway.gatewayUrl}/proxy/x?do=bare`);
    await allIdle();
    expect(processes()).toEqual(before);
    expect(gateway.logs().filter((line) => /ECONNRESET|EPIPE|hang up/.test(line.text))).toEqual([]);
  });

  it.each(['throw-later', 'exit-later'])('cuts the connection when it does "%s" after its head', async (action) => {
    const reply = await fetch(`${gateway.gatewayUrl}/proxy/x?bytes=500000&do=${action}`);
    expect(reply.status).toBe(200);
    await expect(reply.arrayBuffer()).rejects.toThrow();
  });

  it('runs to its end when the client leaves', async () => {
    const controller = new AbortController();
    const reply = await fetch(`${gateway.gatewayUrl}/proxy/x?bytes=20000000`, { signal: controller.signal });
    const complete = gateway.logs().filter((line) => line.text.includes('stream complete')).length;
    expect(reply.status).toBe(200);
    controller.abort();
    await until(
      'the stream to complete',
      () => gateway.logs().filter((line) => line.text.includes('stream complete')).length > complete,
    );
  });

  it('waits for a slow client instead of filling memory', async () => {
    const reply = await fetch(`${gateway.gatewayUrl}/proxy/x?bytes=50000000`);
    const reader = reply.body?.getReader();
    await reader?.read();
    const completeBefore = gateway.logs().filter((line) => line.text.includes('stream complete')).length;
    const heapBefore = process.memoryUsage().arrayBuffers;
    await fetch(`${gateway.gatewayUrl}/echo?do=slow&ms=200`);
    expect(gateway.logs().filter((line) => line.text.includes('stream complete')).length).toBe(completeBefore);
    expect(process.memoryUsage().arrayBuffers - heapBefore).toBeLessThan(20_000_000);
    let received = 0;
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
      received += part.value.length;
    expect(received).toBeGreaterThan(49_000_000);
  });
});

describe('a function invoked by name', () => {
  it.each(['Tick', 'Fixture-Tick', 'refresh'])('gets its schedule’s input from a tick of %s', async (name) => {
    expect(await gateway.tick(name)).toMatchObject({ event: { slice: { index: 0, count: 1 } } });
  });

  it('gets the input as its event and gives its result back', async () => {
    expect(await gateway.tick('refresh', { slice: 1 })).toEqual({ event: { slice: 1 }, secretArn: null });
  });

  it('a function invoked by name is refused by a name nobody has', async () => {
    await expect(gateway.tick('nobody')).rejects.toThrow('no schedule and no function called nobody');
  });
});
