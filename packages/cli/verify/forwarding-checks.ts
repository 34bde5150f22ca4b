/** Checks of the proxy from end to end, against a gateway whose Google is the echo. They make an integration and a connection and remove both. */
import { createHash, randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { type Check, type Finding, fails, holds, judge } from './check.ts';
import {
  descriptionSchema,
  ECHO_PATH,
  type EchoDescription,
  type EchoPlan,
  generatedPart,
  plannedPath,
} from './echo/answer.ts';
import { type Answer, exchange, type Outgoing } from './exchange.ts';
import { described, type Target } from './front-checks.ts';

/** Lifecycle events of the gateway that is verified. */
export interface EventTap {
  /** Waits for an event of a connection; undefined when none comes in time. */
  waitFor(detailType: string, connectionId: string): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** The integration and connection that the checks use. */
export interface Forwarding {
  readonly checks: readonly Check[];
  /** Removes the integration, and with it its connections. @throws Error when it is still there */
  remove(): Promise<void>;
}

const importedSchema = z.looseObject({ connection_id: z.string() });

/**
 * Creates an integration and a connection at the gateway, and the checks that use them.
 * @throws Error when the gateway refuses either, with its message
 */
export async function prepareForwarding(target: Target, events: EventTap | undefined): Promise<Forwarding> {
  const integrationId = `verify-${randomBytes(6).toString('hex')}`;
  const manage = (method: string, path: string, body?: unknown): Promise<Answer> =>
    exchange(target.baseUrl, {
      method,
      path,
      headers: [
        ['Authorization', `Bearer ${target.secretKey}`],
        ['Content-Type', 'application/json'],
      ],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const made = await manage('POST', '/integrations', {
    provider: 'google-drive',
    unique_key: integrationId,
    credentials: {
      type: 'OAUTH2',
      client_id: '100000000000-verify.apps.googleusercontent.com',
      client_secret: 'GOCSPX-verify',
    },
    scopes: ['https://www.googleapis.com/auth/drive.file'],
  });
  if (made.status >= 300)
    throw new Error(`No integration could be made: ${described(made)} ${made.start.toString('utf8').slice(0, 300)}`);
  const remove = async (): Promise<void> => {
    const removed = await manage('DELETE', `/integrations/${integrationId}`);
    if (removed.status >= 300 && removed.status !== 404) {
      throw new Error(
        `The integration ${integrationId} could not be removed: ${described(removed)}. Delete it yourself.`,
      );
    }
  };
  try {
    const imported = await manage('POST', '/connections', {
      provider_config_key: integrationId,
      credentials: { type: 'OAUTH2', refresh_token: `1//verify-${randomBytes(12).toString('hex')}` },
    });
    const connection = importedSchema.safeParse(imported.json());
    if (!connection.success) {
      throw new Error(
        `No connection could be imported: ${described(imported)} ${imported.start.toString('utf8').slice(0, 300)}`,
      );
    }
    const connectionId = connection.data.connection_id;
    return {
      checks: [...forwardingChecks(target, integrationId, connectionId), ...eventChecks(events, connectionId)],
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function eventChecks(events: EventTap | undefined, connectionId: string): Check[] {
  if (events === undefined) return [];
  return [
    {
      section: 'Events',
      claim: 'a new connection is reported on the event bus as ConnectionCreated',
      otherwise:
        'Subscribers receive no events: see the trigger of the events function and its alarms, failed-deliveries and overdue-events.',
      async run() {
        const detail = await events.waitFor('ConnectionCreated', connectionId);
        return detail === undefined
          ? fails('no event came in time')
          : judge(typeof detail.event_id === 'string', `event ${String(detail.sequence)} of the connection`);
      },
    },
  ];
}

function forwardingChecks(target: Target, integrationId: string, connectionId: string): Check[] {
  const { proxyUrl = target.baseUrl } = target;
  const identity = [
    ['Authorization', `Bearer ${target.secretKey}`],
    ['Provider-Config-Key', integrationId],
    ['Connection-Id', connectionId],
  ] as const;
  const call = ({ path, headers = [], ...rest }: Outgoing): Promise<Answer> =>
    exchange(proxyUrl, { ...rest, path: `/proxy${path}`, headers: [...identity, ...headers] });
  const plan = (asked: EchoPlan, outgoing: Partial<Outgoing> = {}): Promise<Answer> =>
    call({ ...outgoing, path: plannedPath(asked) });
  /** The request as received by the echo. @throws Error when the answer is not the echo's */
  const received = async (outgoing: Outgoing): Promise<EchoDescription> => {
    const answer = await call(outgoing);
    const description = descriptionSchema.safeParse(answer.json());
    if (!description.success) throw new Error(`the echo did not answer: ${described(answer)}`);
    return description.data;
  };
  const check =
    (section: string) =>
    (claim: string, otherwise: string, run: Check['run']): Check => ({ section, claim, otherwise, run });
  const request = check('Requests through the proxy');
  const response = check('Answers through the proxy');
  const stream = check('Streaming');

  return [
    request('every method arrives unchanged', 'Calls arrive with another method.', async () => {
      const wrong: string[] = [];
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const arrived = await received({ method, path: ECHO_PATH, ...(method === 'GET' ? {} : { body: '{}' }) });
        if (arrived.method !== method) wrong.push(`${method} as ${arrived.method}`);
      }
      return judge(wrong.length === 0, wrong.length === 0 ? 'GET, POST, PUT, PATCH, DELETE' : wrong.join(', '));
    }),
    request(
      'the path arrives byte for byte: %2F, %25, %40, %23, +, ;, :, a trailing slash',
      'API Gateway rewrites paths: calendar ids and other encoded names reach Google wrongly.',
      async () => {
        const wanted = ['a%2Fb', 'a%25b', 'a%40b', 'en.usa%23holiday%40group', 'a+b;c:d', '%e2%82%ac', 'end/'];
        const wrong: string[] = [];
        for (const part of wanted) {
          const { target: arrived } = await received({ path: `${ECHO_PATH}/${part}` });
          if (arrived !== `${ECHO_PATH}/${part}`) wrong.push(`${part} as ${arrived.slice(ECHO_PATH.length + 1)}`);
        }
        return judge(wrong.length === 0, wrong.length === 0 ? `${wanted.length} paths` : wrong.join(', '));
      },
    ),
    request(
      'query keys and values keep their meaning: %25, %2B, +, an empty value, a repeated key in order',
      'API Gateway passes queries in a form other than the documented one: searches reach Google wrongly.',
      async () => {
        const sent = 'q=50%25&plus=a%2Bb&space=a+b&empty=&multi=1&multi=2&utf=%E2%82%AC&brackets=%5B%5D';
        const { target: arrived } = await received({ path: `${ECHO_PATH}?${sent}` });
        const problems = queryDifferences(sent, arrived.split('?')[1] ?? '');
        return judge(problems.length === 0, problems.length === 0 ? '7 keys' : problems.join(', '));
      },
    ),
    request('a body of 4.4 MB arrives byte for byte', 'Uploads are damaged or truncated on the way.', async () => {
      const body = randomBytes(4_400_000);
      const { body: arrived } = await received({
        method: 'POST',
        path: '/upload/drive/v3/files?uploadType=media',
        headers: [['Content-Type', 'application/octet-stream']],
        body,
      });
      const same = arrived.sha256 === createHash('sha256').update(body).digest('hex');
      return judge(same, `${arrived.bytes} bytes, ${same ? 'the same' : 'others'}`);
    }),
    request(
      'end-to-end headers arrive; the secret key and the gateway’s own headers do not',
      'Headers are lost, or secrets of the gateway reach the provider.',
      async () => {
        const { headers } = await received({
          path: ECHO_PATH,
          headers: [
            ['If-None-Match', '"verify"'],
            ['X-Goog-Drive-Resource-Keys', 'a/b'],
            ['Accept-Language', 'de'],
          ],
        });
        const values = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
        const lost = ['if-none-match', 'x-goog-drive-resource-keys', 'accept-language'].filter(
          (name) => !values.has(name),
        );
        const leaked = headers
          .filter(
            ([name, value]) =>
              value.includes(target.secretKey) ||
              ['provider-config-key', 'connection-id', 'cookie'].includes(name.toLowerCase()),
          )
          .map(([name]) => name);
        const token = values.get('authorization')?.startsWith('Bearer ya29.verify-') === true;
        const problems = [
          ...lost.map((name) => `${name} lost`),
          ...leaked.map((name) => `${name} leaked`),
          ...(token ? [] : ['the connection’s token did not arrive']),
        ];
        return judge(
          problems.length === 0,
          problems.length === 0 ? `${headers.length} headers at the provider` : problems.join(', '),
        );
      },
    ),
    request(
      'a long read sent as a form with X-HTTP-Method-Override arrives as POST with its form',
      'Long queries of Google’s Python client fail or turn into writes.',
      async () => {
        const form = `q=${'x'.repeat(3000)}`;
        const arrived = await received({
          method: 'POST',
          path: ECHO_PATH,
          headers: [
            ['X-HTTP-Method-Override', 'GET'],
            ['Content-Type', 'application/x-www-form-urlencoded'],
          ],
          body: form,
        });
        const override = arrived.headers.find(([name]) => name.toLowerCase() === 'x-http-method-override')?.[1];
        const right = arrived.method === 'POST' && override === 'GET' && arrived.body.bytes === form.length;
        return judge(
          right,
          `${arrived.method}, override ${override ?? 'lost'}, ${arrived.body.bytes} of ${form.length} bytes`,
        );
      },
    ),
    response('every status passes unchanged', 'Callers see a different status from the one Google sent.', async () => {
      const wrong: string[] = [];
      const statuses = [200, 201, 204, 206, 304, 308, 400, 403, 404, 409, 410, 412, 429, 500, 503];
      for (const status of statuses) {
        const answer = await plan({ status, text: status === 204 || status === 304 ? '' : '{}' });
        if (answer.status !== status || !answer.complete) wrong.push(`${status} as ${described(answer)}`);
      }
      return judge(wrong.length === 0, wrong.length === 0 ? statuses.join(' ') : wrong.join('; '));
    }),
    response(
      'the provider’s headers are returned, except those that affect the gateway’s origin',
      'Paging, ranges or ETags are lost, or a provider’s page could set cookies here.',
      async () => {
        const answer = await plan({
          text: '{}',
          headers: [
            ['ETag', '"verify"'],
            ['Content-Range', 'bytes 0-1/2'],
            ['Retry-After', '7'],
            ['Set-Cookie', 'verify=1'],
            ['WWW-Authenticate', 'Bearer realm="verify"'],
          ],
        });
        const names = answer.headers.map(([name]) => name.toLowerCase());
        const problems = [
          ...['etag', 'content-range', 'retry-after', 'x-request-id']
            .filter((name) => !names.includes(name))
            .map((name) => `${name} lost`),
          ...names
            .filter((name) => /^(x-amzn-remapped-)?(set-cookie|www-authenticate)$/.test(name))
            .map((name) => `${name} passed`),
          ...(answer.header('content-security-policy')?.includes('sandbox') === true ? [] : ['no sandbox policy']),
        ];
        return judge(problems.length === 0, problems.length === 0 ? `${names.length} headers` : problems.join(', '));
      },
    ),
    response(
      'Content-Length is repeated as x-upstream-content-length',
      'Callers cannot know a length before the end: a header is dropped on the way.',
      async () => {
        const answer = await plan({ text: 'x'.repeat(1234) });
        return judge(
          answer.header('x-upstream-content-length') === '1234' && answer.bytes === 1234,
          `${answer.bytes} bytes, x-upstream-content-length ${answer.header('x-upstream-content-length') ?? 'missing'}, Content-Length ${answer.header('content-length') ?? 'none'}`,
        );
      },
    ),
    response('a HEAD answer has its headers and no body', 'HEAD is answered as GET, or fails.', async () => {
      const answer = await plan({ text: 'x'.repeat(99), headers: [['ETag', '"head"']] }, { method: 'HEAD' });
      return judge(
        answer.status === 200 && answer.bytes === 0 && answer.header('etag') === '"head"',
        described(answer),
      );
    }),
    response(
      'a compressed answer stays compressed and complete',
      'Compressed answers are damaged on the way.',
      async () => {
        const text = 'compressed '.repeat(500);
        const answer = await plan({ text, gzip: true });
        const whole =
          answer.header('content-encoding') === 'gzip' && gunzipSync(answer.start).toString('utf8') === text;
        return judge(whole, described(answer));
      },
    ),
    response(
      'the address of a resumable upload points to the gateway',
      'Clients would send their secret key and the next chunks to Google.',
      async () => {
        const answer = await plan({
          headers: [['Location', '{origin}/upload/drive/v3/files?uploadType=resumable&upload_id=verify']],
        });
        const location = answer.header('location') ?? '';
        return judge(
          location.startsWith(`${proxyUrl}/proxy/upload/drive/v3/files?`),
          location.startsWith(proxyUrl) ? 'rewritten' : 'not rewritten',
        );
      },
    ),
    stream(
      'bytes arrive while the provider is still sending',
      'Answers are held back until they are complete: the integration of /proxy does not stream.',
      async () => {
        const answer = await plan({ parts: { count: 4, bytes: 4096, pauseMs: 700 } });
        const spreadMs = answer.timesMs.last - answer.timesMs.first;
        const seen = `first byte after ${Math.round(answer.timesMs.first)} ms, last ${Math.round(spreadMs)} ms later`;
        return judge(answer.complete && answer.bytes === 4 * 4096 && spreadMs >= 1400, seen);
      },
    ),
    stream('20 MB arrive completely', 'Large answers are damaged or truncated.', async () => {
      const parts = { count: 20, bytes: 1_000_000, pauseMs: 0 };
      const answer = await plan({ parts });
      const expected = createHash('sha256');
      for (let index = 0; index < parts.count; index += 1) expected.update(generatedPart(index, parts.bytes));
      const whole = answer.complete && answer.sha256 === expected.digest('hex');
      const seconds = answer.timesMs.last / 1000;
      return judge(
        whole,
        `${answer.bytes} bytes in ${seconds.toFixed(1)} s, ${(answer.bytes / MEGABYTE / seconds).toFixed(1)} MB/s`,
      );
    }),
    stream(
      'an answer that the provider cuts off also ends as cut off for the caller',
      'Callers would mistake part of a file for the whole file: compare lengths in your code until this is fixed.',
      async () => cutIsSeen(await plan({ parts: { count: 4, bytes: 10_000, pauseMs: 100 }, cutAfterParts: 2 })),
    ),
  ];
}

const MEGABYTE = 1_000_000;

function cutIsSeen(answer: Answer): Finding {
  const seen = `${answer.bytes} bytes, ${answer.complete ? 'ended as if complete' : 'broken off'}`;
  return answer.complete && answer.status < 500 ? fails(seen) : holds(answer.complete ? described(answer) : seen);
}

/** Keys whose values differ between two queries, read as forms (application/x-www-form-urlencoded). */
function queryDifferences(sent: string, arrived: string): string[] {
  const [before, after] = [new URLSearchParams(sent), new URLSearchParams(arrived)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => JSON.stringify(before.getAll(key)) !== JSON.stringify(after.getAll(key)))
    .map((key) => `${key}: ${before.getAll(key).join(' ')} as ${after.getAll(key).join(' ')}`);
}
