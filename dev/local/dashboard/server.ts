/** The dashboard's port: its files with the deployed site's headers, `/config.json`, and the issuer below `/issuer`. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { dashboardContentSecurityPolicy } from '../../../lambdas/gateway/core/contract.ts';
import { errorMessage } from '../../tools/json.ts';
import { ADMISSION_PATH, type Admission } from '../issuer/admission.ts';
import { ISSUER_PATH, issuerEndpoints, LOCAL_CLIENT_ID, type LocalIssuer } from '../issuer/issuer.ts';
import { siteFile } from './site.ts';

export interface DashboardServerOptions {
  /** Known once the port is bound. */
  issuer: () => LocalIssuer;
  gatewayUrl: string;
  /** Where proxied calls go. @default - the gateway's address */
  proxyUrl?: string;
  /** Features that the stack leaves out. @default - none */
  without?: readonly string[];
  /** Folder of the built files. */
  files: string;
  /** Why there may be no files; undefined when nothing is being done about it. */
  buildProblem: () => string | undefined;
  warn: (message: string) => void;
  /** Undefined where every browser may sign in. */
  admission?: () => Admission | undefined;
}

const MAX_FORM_BYTES = 64 * 1024;
const COMPRESSED_FROM_BYTES = 1_000;
const PLAIN_TEXT = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
const USED_UP =
  'This address was opened before, or it is of an earlier start. The terminal of npm start shows the next one.';
const NOT_BUILT = 'The dashboard is not built. Run npm run build -w @integration-gateway/dashboard.';

/** Makes the server; the caller binds and closes it. */
export function dashboardServer(options: DashboardServerOptions): Server {
  const policy = dashboardContentSecurityPolicy(options.gatewayUrl, []);
  return createServer((request, response) => {
    response.on('error', () => {});
    answer(request, response).catch((error: unknown) => {
      options.warn(`The dashboard's port failed: ${errorMessage(error)}`);
      send(response, 500, { 'content-type': 'text/plain' }, 'The dashboard’s port failed. The console says why.');
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { issuer } = options.issuer();
    const { origin, host } = new URL(issuer);
    const target = request.url ?? '/';
    if (request.headers.host !== host) {
      // The other name of this computer is redirected to the one that the issuer uses; a foreign name is refused.
      const local = request.headers.host === host.replace('127.0.0.1', 'localhost') && request.method === 'GET';
      const location = local && target.startsWith('/') && !target.startsWith('//') ? origin + target : undefined;
      if (location !== undefined) return send(response, 307, { location }, '');
      return send(response, 421, { 'content-type': 'text/plain' }, `Open ${origin} instead.`);
    }
    const queryAt = target.indexOf('?');
    const path = queryAt < 0 ? target : target.slice(0, queryAt);
    const query = new URLSearchParams(queryAt < 0 ? '' : target.slice(queryAt + 1));
    if (path.startsWith(`${ISSUER_PATH}/`)) return answerAsIssuer(request, response, path, query);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return send(response, 405, { allow: 'GET, HEAD', 'content-type': 'text/plain' }, 'Only GET and HEAD.');
    }
    const admission = options.admission?.();
    if (admission !== undefined && path.startsWith(ADMISSION_PATH)) {
      const cookie = request.method === 'GET' ? admission.admit(path.slice(ADMISSION_PATH.length)) : undefined;
      if (cookie === undefined) return send(response, 403, PLAIN_TEXT, USED_UP);
      const headers = {
        location: '/',
        'set-cookie': cookie,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      };
      return send(response, 303, headers, '');
    }
    if (path === '/config.json') {
      const { proxyUrl = options.gatewayUrl } = options;
      const config = {
        api_base_url: options.gatewayUrl,
        ...(proxyUrl === options.gatewayUrl ? {} : { proxy_url: proxyUrl }),
        issuer,
        client_id: LOCAL_CLIENT_ID,
        ...(options.without?.length ? { without: options.without } : {}),
        issuer_endpoints: issuerEndpoints(issuer),
      };
      return sendSite(response, 200, 'application/json', 'no-store', JSON.stringify(config));
    }
    const file = await siteFile(options.files, path);
    if (file === 'missing') {
      return sendSite(response, 404, 'text/plain; charset=utf-8', 'no-store', 'The dashboard has no such file.');
    }
    if (file !== undefined) return sendSite(response, 200, file.contentType, file.cacheControl, file.body);
    response.setHeader('retry-after', '2');
    response.setHeader('refresh', '2');
    sendSite(response, 503, 'text/plain; charset=utf-8', 'no-store', options.buildProblem() ?? NOT_BUILT);
  }

  async function answerAsIssuer(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: URLSearchParams,
  ): Promise<void> {
    const text = request.method === 'POST' ? await readForm(request) : '';
    if (text === undefined) return send(response, 413, { connection: 'close' }, '');
    const reply = await options.issuer().answer({
      method: request.method ?? 'GET',
      path: path.slice(ISSUER_PATH.length),
      query,
      header: (name) => [request.headers[name]].flat()[0],
      form: new URLSearchParams(text),
    });
    send(response, reply.status, reply.headers, reply.body);
  }

  /** Headers as the deployed site's; HSTS means nothing over plain http. */
  function sendSite(
    response: ServerResponse,
    status: number,
    contentType: string,
    cacheControl: string,
    body: string | Buffer,
  ): void {
    const headers = {
      'content-type': contentType,
      'cache-control': cacheControl,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    };
    // As the deployed site's distribution does; small or compressed files stay unchanged.
    const isPacked = Buffer.byteLength(body) > COMPRESSED_FROM_BYTES && /text|javascript|json|svg/.test(contentType);
    const vary = isPacked ? { vary: 'accept-encoding' } : {};
    const packing = isPacked ? packingFor(String(response.req.headers['accept-encoding'] ?? '')) : undefined;
    if (packing === undefined) send(response, status, { ...headers, ...vary }, body);
    else send(response, status, { ...headers, ...vary, 'content-encoding': packing.name }, packedOnce(packing, body));
  }
}

/** How CloudFront packs for a browser that takes it; the quality of its Brotli is not documented, and 5 is what costs little. */
const PACKINGS = [
  {
    name: 'br',
    pack: (body: string | Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  },
  { name: 'gzip', pack: (body: string | Buffer) => gzipSync(body) },
] as const;

function packingFor(accepted: string): (typeof PACKINGS)[number] | undefined {
  return PACKINGS.find(({ name }) => new RegExp(`\\b${name}\\b`).test(accepted));
}

/** Compressed files by their source, because compressing the start of the dashboard takes longer than sending it. */
const packedFiles = new Map(PACKINGS.map(({ name }) => [name, new WeakMap<Buffer, Buffer>()]));

function packedOnce({ name, pack }: (typeof PACKINGS)[number], body: string | Buffer): Buffer {
  if (typeof body === 'string') return pack(body);
  const before = packedFiles.get(name)?.get(body);
  if (before !== undefined) return before;
  const packed = pack(body);
  packedFiles.get(name)?.set(body, packed);
  return packed;
}

function send(response: ServerResponse, status: number, headers: Record<string, string>, body: string | Buffer): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

async function readForm(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_FORM_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
