/** Checks of the front door: routes, refusals, browser headers and limits. They reach no provider. */
import { connect } from 'node:tls';
import { type Check, fails, judge, notChecked } from './check.ts';
import { type Answer, exchange, type Outgoing } from './exchange.ts';

/** A gateway and a key that opens it. */
export interface Target {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Where proxied calls go. @default - the gateway's address */
  readonly proxyUrl?: string | undefined;
  readonly secretKey: string;
}

/** Whether proxied calls have a front door of their own. */
export function hasOwnDoor({ baseUrl, proxyUrl = baseUrl }: Target): boolean {
  return proxyUrl !== baseUrl;
}

const MB = 1_000_000;

/** An integration that no gateway has: calls that name it end at the gateway with 404. */
const NO_INTEGRATION = 'verify-no-such-integration';

/** Checks that need nothing but the gateway's address and a secret key. */
export function frontChecks(target: Target): Check[] {
  const { baseUrl, proxyUrl = baseUrl, secretKey } = target;
  const ask = (outgoing: Outgoing): Promise<Answer> =>
    exchange(outgoing.path.startsWith('/proxy/') ? proxyUrl : baseUrl, outgoing);
  const authorized = [['Authorization', `Bearer ${secretKey}`]] as const;
  const identified = [...authorized, ['Provider-Config-Key', NO_INTEGRATION], ['Connection-Id', 'verify']] as const;
  const route = (claim: string, otherwise: string, run: Check['run']): Check => ({
    section: 'Routes',
    claim,
    otherwise,
    run,
  });
  const limit = (claim: string, otherwise: string, run: Check['run']): Check => ({
    section: 'Limits',
    claim,
    otherwise,
    run,
  });
  const upload = (bytes: number): Promise<Answer> =>
    ask({
      method: 'POST',
      path: '/proxy/upload/drive/v3/files?uploadType=media',
      headers: [...identified, ['Content-Type', 'application/octet-stream']],
      body: Buffer.alloc(bytes, 'x'),
    });

  return [
    route(
      'GET /healthz answers 200 without a key',
      'The stage or its management function does not answer.',
      async () => {
        const answer = await ask({ path: '/healthz' });
        return judge(answer.status === 200, described(answer));
      },
    ),
    route(
      'only TLS 1.2 and later are spoken',
      'Set a custom domain with a TLS 1.2 policy, or raise the policy of the API.',
      () => oldTlsIsRefused(baseUrl),
    ),
    route(
      'GET /openapi.json returns the document of the HTTP API',
      'The management function runs code from another version, or fails.',
      async () => {
        const answer = await ask({ path: '/openapi.json' });
        const isDocument = answer.start.toString('utf8').includes('"openapi"');
        return judge(answer.status === 200 && isDocument, described(answer));
      },
    ),
    route(
      'an unknown route answers 404 in the gateway’s own form',
      'A route of the API is missing: redeploy, then compare with lib/constructs/api-routes.ts.',
      async () => {
        const answer = await ask({ path: '/verify/no/such/route', headers: authorized });
        return judge(answer.status === 404 && codeOf(answer) === 'not_found', described(answer));
      },
    ),
    route(
      'a path segment with %2F, %25 and %40 reaches the management function as one id',
      'API Gateway decodes paths before it routes them: connection ids with such characters cannot be managed.',
      async () => {
        const answer = await ask({
          path: `/connections/a%2Fb%25c%40d?provider_config_key=${NO_INTEGRATION}`,
          headers: authorized,
        });
        return judge(answer.status === 404 && codeOf(answer) === 'unknown_integration', described(answer));
      },
    ),
    route(
      'the management API accepts the secret key',
      'The key is not this gateway’s, or its function cannot read the table: see its log.',
      async () => {
        const answer = await ask({ path: '/integrations', headers: authorized });
        return judge(answer.status === 200, described(answer));
      },
    ),
    route(
      'a call without a key and a call with a wrong key get 401 and go no further',
      'Calls are allowed, or refused by something in front of the gateway.',
      async () => {
        const none = await ask({ path: '/proxy/drive/v3/about?fields=user' });
        const wrong = await ask({
          path: '/proxy/drive/v3/about?fields=user',
          headers: [
            ['Authorization', `Bearer ${secretKey.slice(0, -4)}AAAA`],
            ['Provider-Config-Key', NO_INTEGRATION],
            ['Connection-Id', 'verify'],
          ],
        });
        const right = codeOf(none) === 'missing_auth_header' && codeOf(wrong) === 'invalid_secret_key';
        return judge(none.status === 401 && wrong.status === 401 && right, `${described(none)}; ${described(wrong)}`);
      },
    ),
    route(
      'a proxied call returns its error code and its request id in headers',
      'Client libraries cannot tell the gateway’s errors from Google’s: a header is dropped on the way.',
      async () => {
        const answer = await ask({ path: '/proxy/drive/v3/files', headers: identified });
        const marked =
          answer.header('x-gateway-error') === 'unknown_integration' && answer.header('x-request-id') !== undefined;
        return judge(answer.status === 404 && marked, described(answer));
      },
    ),
    route(
      'browsers get no CORS permission for /proxy',
      'Something in front of the gateway adds CORS headers: secret keys must not be used in browsers.',
      async () => {
        const answer = await ask({
          method: 'OPTIONS',
          path: '/proxy/drive/v3/files',
          headers: [
            ['Origin', 'https://app.example.com'],
            ['Access-Control-Request-Method', 'GET'],
          ],
        });
        const allowed = answer.headers.filter(([name]) => name.toLowerCase().startsWith('access-control-allow'));
        return judge(allowed.length === 0 && answer.status >= 400, described(answer));
      },
    ),
    route(
      'the connect page is HTML that runs only its own scripts',
      'End users see no page, or one without its Content-Security-Policy.',
      async () => {
        const answer = await ask({ path: '/connect' });
        const policy = answer.header('content-security-policy') ?? '';
        const isPage = answer.header('content-type')?.startsWith('text/html') === true;
        return judge(answer.status === 200 && isPage && policy.includes('frame-ancestors'), described(answer));
      },
    ),
    route(
      'a callback that does not belong to any flow is refused with a page',
      'The redirect URI does not reach the callback function: authorizations cannot finish.',
      async () => {
        const answer = await ask({ path: '/oauth/callback?state=verify&code=verify' });
        const isPage = answer.header('content-type')?.startsWith('text/html') === true;
        return judge(answer.status >= 400 && answer.status < 500 && isPage, described(answer));
      },
    ),
    limit(
      'a body of 4.4 MB reaches the proxy function',
      'Uploads end below the documented 4.5 MB: something in front of the API limits bodies.',
      async () => {
        const answer = await upload(4.4 * MB);
        return judge(answer.status === 404 && codeOf(answer) === 'unknown_integration', described(answer));
      },
    ),
    ...[6, 10.5].map((megabytes) =>
      limit(
        `a body of ${megabytes} MB is refused with 413`,
        'Client libraries recognise a body that is too large by its 413; note the status that came instead.',
        async () => {
          const answer = await upload(megabytes * MB);
          return judge(answer.status === 413, described(answer));
        },
      ),
    ),
    ...(hasOwnDoor(target) ? ownDoorChecks(target, identified) : []),
    limit(
      'a URL above 10,240 characters is refused with a 4xx',
      'Long queries do not fail as documented; note what came instead.',
      async () => {
        const answer = await ask({ path: `/proxy/drive/v3/files?q=${'x'.repeat(11_000)}`, headers: identified });
        if (hasOwnDoor(target)) return notChecked(`not documented for this door: ${described(answer)}`);
        return judge(answer.status >= 400 && answer.status < 500, described(answer));
      },
    ),
    limit(
      'headers above 10,240 bytes are refused with a 4xx',
      'Large headers do not fail as documented; note what came instead.',
      async () => {
        const large: [string, string][] = [['X-Verify', 'x'.repeat(11_000)]];
        const answer = await ask({ path: '/proxy/drive/v3/files', headers: [...identified, ...large] });
        if (hasOwnDoor(target)) return notChecked(`not documented for this door: ${described(answer)}`);
        return judge(answer.status >= 400 && answer.status < 500, described(answer));
      },
    ),
  ];
}

/** Checks of the proxied calls' own front door: its callers, and the properties in docs/front-doors.md. */
function ownDoorChecks(target: Target, identified: NonNullable<Outgoing['headers']>): Check[] {
  const { baseUrl, proxyUrl = baseUrl } = target;
  const ask = (outgoing: Outgoing): Promise<Answer> => exchange(proxyUrl, outgoing);
  const path = '/proxy/drive/v3/files';
  const door = (claim: string, otherwise: string, run: Check['run']): Check => ({
    section: 'Door of proxied calls',
    claim,
    otherwise,
    run,
  });
  return [
    door(
      'anyone reaches the gateway through it, and the gateway asks for a key',
      'A 403 with `Message` is Lambda’s: the function’s policy needs lambda:InvokeFunctionUrl and, since October 2025, lambda:InvokeFunction for everyone.',
      async () => {
        const answer = await ask({ path });
        return judge(answer.status === 401 && codeOf(answer) === 'missing_auth_header', described(answer));
      },
    ),
    door('only TLS 1.2 and later are spoken there', 'Something in front of the door speaks older versions.', () =>
      oldTlsIsRefused(proxyUrl),
    ),
    door(
      'every path leads to the proxy, and none to the management API',
      'The address leads to another function, or to the API.',
      async () => {
        const answer = await ask({ path: '/integrations', headers: identified });
        return judge(answer.status === 404 && codeOf(answer) === 'unknown_integration', described(answer));
      },
    ),
    door(
      'the base URL takes proxied calls, too',
      'Callers who do not know the other address are refused: compare the routes with lib/constructs/api-routes.ts.',
      async () => {
        const answer = await exchange(baseUrl, { path, headers: identified });
        return judge(codeOf(answer) === 'unknown_integration', described(answer));
      },
    ),
    door(
      'a header that counts once is refused when it comes twice',
      'The door joins lines of one header in another way than with a comma: an identity could be read in two ways.',
      async () => {
        const twice = [...identified, ['Connection-Id', 'other']] as const;
        const answer = await ask({ path, headers: twice });
        return judge(answer.status === 400 && codeOf(answer) === 'invalid_headers', described(answer));
      },
    ),
    door(
      'a text that is no UTF-8 is refused, and text that is passes',
      'The door changes bodies of text types, and the gateway does not see it: send them as application/octet-stream, and report this.',
      async () => {
        const send = (body: Uint8Array): Promise<Answer> =>
          ask({ method: 'POST', path, headers: [...identified, ['Content-Type', 'text/plain']], body });
        const [latin, utf8] = [await send(Buffer.from('caf\u00e9', 'latin1')), await send(Buffer.from('caf\u00e9'))];
        const right = codeOf(latin) === 'invalid_body' && codeOf(utf8) === 'unknown_integration';
        return judge(right, `${described(latin)}; ${described(utf8)}`);
      },
    ),
    door(
      'a query that is no UTF-8 is refused by the gateway',
      'The door decodes queries before it hands them on: keys and values may change on their way.',
      async () => {
        const answer = await ask({ path: `${path}?q=%c3%28`, headers: identified });
        return judge(codeOf(answer) === 'invalid_query_params', described(answer));
      },
    ),
  ];
}

/** Status and, for the gateway's own answers, the code: enough for a report, and never a secret. */
export function described(answer: Answer): string {
  const code = answer.header('x-gateway-error');
  const type = answer.header('content-type')?.split(';', 1)[0];
  return [answer.status, code, type, `${answer.bytes} bytes`, answer.complete ? undefined : 'broken off']
    .filter((part) => part !== undefined)
    .join(', ');
}

function codeOf(answer: Answer): string | undefined {
  return answer.header('x-gateway-error');
}

/** TLS 1.0 and 1.1 are deprecated (RFC 8996); offering nothing later must end the handshake. */
function oldTlsIsRefused(baseUrl: string): ReturnType<Check['run']> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'https:') return Promise.resolve(notChecked('plain HTTP on loopback'));
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      port: port === '' ? 443 : Number(port),
      servername: hostname,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      // Old versions need old ciphers on the asking side, or the refusal would be our own.
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    socket.once('secureConnect', () => {
      resolve(fails(`${socket.getProtocol() ?? 'an old version'} was accepted`));
      socket.destroy();
    });
    socket.once('error', (error) => resolve(judge(true, `handshake refused: ${error.message.split('\n', 1)[0]}`)));
  });
}
