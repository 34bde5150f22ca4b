import type { TestGateway } from './gateway.ts';

type Gateway = Pick<TestGateway, 'gateway'>;

/** Lines of calls that the proxy has written, as far as they have been read. */
function linesOfCalls({ gateway }: Gateway): number {
  return gateway.logs().filter(({ functionName, text }) => functionName === 'proxy' && text.includes('"call":{'))
    .length;
}

/** Calls that the proxy was invoked for, and that are over. */
function invocations({ gateway }: Gateway): number {
  return gateway
    .measurements()
    .filter(({ metricName, dimensions }) => metricName === 'Invocations' && /Proxy/.test(dimensions.FunctionName ?? ''))
    .length;
}

/** Waits until every call of the proxy has left its line, some seconds at most: a line is written after the last byte. */
export async function linesWritten(test: Gateway): Promise<void> {
  for (let wait = 0; wait < 200 && linesOfCalls(test) < invocations(test); wait += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/**
 * Runs the roll-up minute by minute, faster than time, until all calls that have ended are counted. Lines of later calls are filed after
 * what was read, as they would be.
 *
 * @param minutes to continue after that
 * @returns how many ticks it took
 */
export async function countCalls(test: Gateway, minutes = 0): Promise<number> {
  const { logs } = test.gateway.switches;
  await linesWritten(test);
  const endedMs = Date.now() + logs.aheadMs;
  let atMs = endedMs;
  let ticks = 0;
  for (let left = minutes; ; ) {
    atMs += 60_000;
    ticks += 1;
    const report = await test.gateway.tick('roll-up', { at: new Date(atMs).toISOString() });
    if (Date.parse(String(Object(report).countedUntil)) > endedMs && left-- <= 0) break;
    if (ticks > minutes + 200) throw new Error(`The roll-up does not get there: ${JSON.stringify(report)}`);
  }
  logs.aheadMs = atMs - Date.now();
  return ticks;
}
