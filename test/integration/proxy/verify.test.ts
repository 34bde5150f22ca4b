import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeServer, LOOPBACK, listen } from '../../../dev/local/network.ts';
import { runChecks } from '../../../packages/cli/verify/check.ts';
import { type EchoServer, echoEndpoints, startEcho } from '../../../packages/cli/verify/echo/server.ts';
import { prepareForwarding } from '../../../packages/cli/verify/forwarding-checks.ts';
import { frontChecks, type Target } from '../../../packages/cli/verify/front-checks.ts';
import { localTap } from '../../../packages/cli/verify/local-trial.ts';
import { byDoor } from '../../support/door.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

const SECTION = 'Door of proxied calls';

let echo: EchoServer;
let test: TestGateway;
beforeAll(async () => {
  echo = await startEcho();
  test = await startTestGateway({ googleEndpoints: echoEndpoints(echo.origin) });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await echo[Symbol.asyncDispose]();
});

const target = (): Target => {
  const { gatewayUrl, proxyUrl, secretKey } = test.gateway;
  return { baseUrl: gatewayUrl, proxyUrl, secretKey };
};

/** Claims about the door that do not hold behind a server that answers instead of it. */
async function failuresBehind(status: number, body: object, headers: Record<string, string> = {}): Promise<number> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  const port = await listen(server, 0, 'the stand-in', 'start again');
  try {
    const checks = frontChecks({ ...target(), proxyUrl: `http://${LOOPBACK}:${port}` });
    const results = await runChecks(
      checks.filter(({ section }) => section === SECTION),
      () => {},
    );
    return results.filter(({ verdict }) => verdict === 'fails').length;
  } finally {
    await closeServer(server);
  }
}

describe('verifying the door of proxied calls', () => {
  // What `verify` checks at the usual door is run by the test of the command.
  it('FD-20: holds in every point against the local runtime, whichever door it is', {
    tags: byDoor(['long'], []),
  }, async () => {
    const forwarding = await prepareForwarding(target(), localTap(test.gateway));
    const results = await runChecks([...frontChecks(target()), ...forwarding.checks], () => {});
    await forwarding.remove();
    expect(results.filter(({ verdict }) => verdict === 'fails')).toEqual([]);
    const ofDoor = results.filter(({ section, verdict }) => section === SECTION && verdict === 'holds');
    expect(ofDoor).toHaveLength(byDoor(0, 6));
  });

  it('FD-22: the API’s document names the door as the server of proxied calls, and the base URL behind it', async () => {
    const document = await (await test.call('/openapi.json')).json();
    const servers: { url: string }[] | undefined = document.paths['/proxy/{path}'].servers;
    const { gatewayUrl, proxyUrl } = test.gateway;
    expect(servers?.map(({ url }) => url)).toEqual(byDoor<unknown>(undefined, [proxyUrl, gatewayUrl]));
    expect(document.servers).toEqual([{ url: gatewayUrl }]);
  });

  it('FD-22: fails for a function URL that lets nobody in, and for one that another program answers', async () => {
    // All but the version of TLS, which loopback has not, and the base URL, which is the gateway's own.
    expect(await failuresBehind(403, { Message: 'Forbidden' }, { 'x-amzn-errortype': 'AccessDeniedException' })).toBe(
      5,
    );
    expect(await failuresBehind(200, {})).toBe(5);
  });
});
