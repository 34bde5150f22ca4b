// @module-tag long
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboardServer } from '../../../dev/local/dashboard/server.ts';
import { type LocalIssuer, localIssuer } from '../../../dev/local/issuer/issuer.ts';
import { closeServer, listen } from '../../../dev/local/network.ts';
import { runChecks } from '../../../packages/cli/verify/check.ts';
import { dashboardChecks } from '../../../packages/cli/verify/dashboard-checks.ts';
import { type EchoServer, echoEndpoints, startEcho } from '../../../packages/cli/verify/echo/server.ts';
import { prepareForwarding } from '../../../packages/cli/verify/forwarding-checks.ts';
import { frontChecks } from '../../../packages/cli/verify/front-checks.ts';
import { localTap } from '../../../packages/cli/verify/local-trial.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

/** What a proxy between the verification and the gateway does wrongly. */
interface Distortion {
  readonly target?: (target: string) => string;
  readonly method?: (method: string) => string;
  readonly requestHeaders?: (headers: string[]) => string[];
  readonly status?: (status: number) => number;
  readonly responseHeaders?: (headers: string[]) => string[];
  /** Hands the body on when it is complete, or ends it cleanly where it broke. */
  readonly holdBack?: boolean;
}

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

async function integrationIds(): Promise<string[]> {
  const answer = await (await test.call('/integrations')).json();
  return answer.data.map((one: { unique_key: string }) => one.unique_key);
}

/** Claims of these sections that do not hold when the verification reaches the gateway through such a proxy. */
async function failuresThrough(distortion: Distortion, sections: readonly string[]): Promise<string[]> {
  const server = createServer((incoming, response) => forward(incoming, response, distortion));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const target = { baseUrl: `http://127.0.0.1:${port}`, secretKey: test.gateway.secretKey };
  try {
    const forwarding = await prepareForwarding(target, undefined);
    const checks = [...frontChecks(target), ...forwarding.checks].filter(({ section }) => sections.includes(section));
    const results = await runChecks(checks, () => {});
    await forwarding.remove();
    return results.filter(({ verdict }) => verdict === 'fails').map(({ claim }) => claim);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function forward(incoming: IncomingMessage, response: ServerResponse, distortion: Distortion): void {
  const keep = <T>(value: T): T => value;
  const { target = keep, method = keep, requestHeaders = keep, status = keep, responseHeaders = keep } = distortion;
  const { hostname, port, host } = new URL(test.gateway.gatewayUrl);
  const headers = requestHeaders(withoutPairs(incoming.rawHeaders, ['host']));
  let answered = false;
  const onward = request(
    {
      hostname,
      port,
      path: target(incoming.url ?? ''),
      method: method(incoming.method ?? ''),
      headers: ['Host', host, ...headers],
      agent: false,
    },
    (answer) => {
      answered = true;
      const head = responseHeaders(withoutPairs(answer.rawHeaders, ['transfer-encoding']));
      const chunks: Buffer[] = [];
      if (distortion.holdBack !== true) response.writeHead(status(answer.statusCode ?? 0), head);
      const finish = (): void => {
        if (distortion.holdBack === true) response.writeHead(status(answer.statusCode ?? 0), head);
        response.end(Buffer.concat(chunks));
      };
      answer.on('data', (chunk: Buffer) => {
        if (distortion.holdBack === true) chunks.push(chunk);
        else response.write(chunk);
      });
      answer.on('end', finish);
      answer.on('error', () => (distortion.holdBack === true ? finish() : response.destroy()));
    },
  );
  // The gateway refuses a large body before it has all of it: the answer counts, not the upload that breaks.
  onward.on('error', () => {
    if (!answered) response.destroy();
  });
  incoming.pipe(onward);
}

function withoutPairs(raw: readonly string[], names: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    if (!names.includes((raw[i] ?? '').toLowerCase())) kept.push(raw[i] ?? '', raw[i + 1] ?? '');
  }
  return kept;
}

describe('verifying a gateway', () => {
  it('holds in every point against the local runtime, and leaves nothing behind', async () => {
    const target = { baseUrl: test.gateway.gatewayUrl, secretKey: test.gateway.secretKey };
    const before = await integrationIds();
    const forwarding = await prepareForwarding(target, localTap(test.gateway));
    const results = await runChecks([...frontChecks(target), ...forwarding.checks], () => {});
    await forwarding.remove();
    expect(results.filter(({ verdict }) => verdict === 'fails')).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'not checked').map(({ claim }) => claim)).toEqual([
      'only TLS 1.2 and later are spoken',
    ]);
    expect(await integrationIds()).toEqual(before);
  });

  // A proxy has an address of its own, so the gateway's upload addresses do not lead to it.
  const REQUESTS = 'Requests through the proxy';
  const ANSWERS = 'Answers through the proxy';
  const OTHER_ADDRESS = 'the address of a resumable upload points to the gateway';

  it.each<[string, readonly string[], Distortion, string[]]>([
    [
      'paths are decoded',
      ['Routes', REQUESTS],
      { target: (target) => target.replaceAll('%2F', '/').replaceAll('%2B', '+') },
      [
        'a path segment with %2F, %25 and %40 reaches the management function as one id',
        'the path arrives byte for byte: %2F, %25, %40, %23, +, ;, :, a trailing slash',
        'query keys and values keep their meaning: %25, %2B, +, an empty value, a repeated key in order',
      ],
    ],
    [
      'answers are held back until they are complete',
      ['Streaming'],
      { holdBack: true },
      [
        'bytes arrive while the provider is still sending',
        'an answer that the provider cuts off also ends as cut off for the caller',
      ],
    ],
    [
      'headers of the gateway are dropped',
      ['Routes', ANSWERS],
      { responseHeaders: (headers) => withoutPairs(headers, ['x-gateway-error', 'x-upstream-content-length', 'etag']) },
      [
        'an unknown route answers 404 in the gateway’s own form',
        'a path segment with %2F, %25 and %40 reaches the management function as one id',
        'a call without a key and a call with a wrong key get 401 and go no further',
        'a proxied call returns its error code and its request id in headers',
        'the provider’s headers are returned, except those that affect the gateway’s origin',
        'Content-Length is repeated as x-upstream-content-length',
        'a HEAD answer has its headers and no body',
      ],
    ],
    [
      'statuses, methods and overrides are changed',
      [REQUESTS, ANSWERS],
      {
        status: (status) => (status === 308 ? 200 : status),
        method: (method) => (method === 'PATCH' ? 'POST' : method),
        requestHeaders: (headers) => withoutPairs(headers, ['x-http-method-override', 'if-none-match']),
      },
      [
        'every method arrives unchanged',
        'end-to-end headers arrive; the secret key and the gateway’s own headers do not',
        'a long read sent as a form with X-HTTP-Method-Override arrives as POST with its form',
        'every status passes unchanged',
      ],
    ],
  ])('notices that %s', async (_what, sections, distortion, expected) => {
    const always = sections.includes(ANSWERS) ? [OTHER_ADDRESS] : [];
    expect((await failuresThrough(distortion, sections)).toSorted()).toEqual([...expected, ...always].toSorted());
  });
});

describe('the checks of the dashboard', () => {
  const GATEWAY = 'https://gateway.example.com/v1';
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Gateway</title>');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Claims that do not hold for the local runtime's dashboard, or for what stands in its place. */
  async function failures(given: {
    files?: string;
    gatewayUrl?: string;
    instead?: RequestListener;
  }): Promise<string[]> {
    let issuer: LocalIssuer | undefined;
    const site = dashboardServer({
      issuer: () => issuer ?? failure('The site is still starting.'),
      gatewayUrl: given.gatewayUrl ?? GATEWAY,
      files: given.files ?? folder,
      buildProblem: () => undefined,
      warn: failure,
    });
    const server = given.instead === undefined ? site : createServer(given.instead);
    const origin = `http://127.0.0.1:${await listen(server, 0, 'the dashboard', 'try again')}`;
    issuer = localIssuer({ origin, keyPath: join(folder, '.issuer-key.json') });
    try {
      const results = await runChecks(dashboardChecks(origin, issuer.issuer, GATEWAY), () => {});
      return results.filter(({ verdict }) => verdict === 'fails').map(({ claim }) => claim);
    } finally {
      await closeServer(server);
    }
  }

  function failure(message: string): never {
    throw new Error(message);
  }

  const [served, known, missing, signIn] = [
    'the dashboard is served with its security headers',
    'the dashboard is configured for this gateway',
    'a missing file of the dashboard answers 404',
    'operators’ sign-in can be reached',
  ];

  it('the checks of the dashboard hold for the dashboard of the local runtime', async () => {
    expect(await failures({})).toEqual([]);
  });

  it('notice files that were not uploaded, and the config of another gateway', async () => {
    expect(await failures({ files: join(folder, 'nothing') })).toEqual([served, missing]);
    expect(await failures({ gatewayUrl: `${GATEWAY}2` })).toEqual([known]);
  });

  it('notice a site that answers everything with its page, without headers and sign-in', async () => {
    const everywhere: RequestListener = (_, response) => response.end('<!doctype html>');
    expect(await failures({ instead: everywhere })).toEqual([served, known, missing, signIn]);
  });
});
