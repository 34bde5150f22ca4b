import { type AwsSigner, signedRequest } from './http/aws-signature.ts';
import { type BodyChunk, collected, overArrayBuffer } from './http/source-stream.ts';
import { type CallerOptions, readCaller } from './settings.ts';

/** The only hosts whose requests are redirected: where the clients of Drive, Calendar and Drive Activity send theirs. */
const API_HOSTS: ReadonlySet<string> = new Set(['www.googleapis.com', 'driveactivity.googleapis.com']);
/** Google's library wants a token; this one is replaced before anything is sent and is worth nothing elsewhere. */
const PLACEHOLDER_TOKEN = 'replaced-by-the-integration-gateway';
const UPLOAD_PATH = /^\/proxy\/(resumable\/)?upload\//;

/** The used part of a request that Google's library is about to send. */
export interface PreparedRequest {
  method?: string;
  url: URL;
  headers: Headers;
  body?: unknown;
  redirect?: RequestRedirect;
  validateStatus?: (status: number) => boolean;
}

/** The used part of `auth.OAuth2` of a Google client package. */
export interface GoogleOAuth2 {
  setCredentials(credentials: { access_token: string }): void;
  /** Absent parts are those of versions that are refused. */
  transporter: {
    interceptors?: {
      request?: { add(interceptor: { resolved: <R extends PreparedRequest>(request: R) => Promise<R> }): unknown };
    };
  };
  getRequestHeaders(url?: string | URL): Promise<Headers>;
}

/** Which connection a Google client acts through. */
export interface GoogleAuthOptions<Auth extends GoogleOAuth2> extends CallerOptions {
  /** `auth.OAuth2` of the very package whose client it is for: copies of other packages clash in types. */
  OAuth2: new () => Auth;
  /** Address of the gateway, stage path included. */
  baseUrl: string;
  /** Address of proxied calls, where the deployment has one of its own (stack output `ProxyUrl`). @default - baseUrl */
  proxyUrl?: string;
  /** Whether `baseUrl` may begin with `http://` for a host other than this computer. @default false */
  allowHttp?: boolean;
  /** Id of the integration; required unless `integrationId` names it. */
  providerConfigKey?: string;
  /** The same as `providerConfigKey`, by its earlier name. */
  integrationId?: string;
  connectionId: string;
}

/**
 * An `auth` for the clients of `@googleapis/drive` and `@googleapis/calendar` that sends every request through the gateway:
 * JSON, media, and absolute addresses of resumable uploads. Any other target is refused before anything is sent,
 * redirects are not followed, and retry settings stay the caller's. HTTP/2 (`http2: true`) goes past it and is refused.
 *
 * @throws TypeError for options that cannot work, and for client packages before `@googleapis/drive` 13 or `@googleapis/calendar` 10
 */
export function googleAuth<Auth extends GoogleOAuth2>(options: GoogleAuthOptions<Auth>): Auth {
  const { proxyUrl: baseUrl, secretKey, signer } = readCaller(options);
  const identity: readonly (readonly [string, string])[] = [
    ...(secretKey === undefined ? [] : [['authorization', `Bearer ${secretKey}`] as const]),
    ['provider-config-key', readId(options.providerConfigKey ?? options.integrationId, 'providerConfigKey')],
    ['connection-id', readId(options.connectionId, 'connectionId')],
  ];
  const auth = new options.OAuth2();
  // Before gaxios 7 the transporter has no interceptors: requests could not be redirected in one place.
  const { request: interceptors } = auth.transporter?.interceptors ?? {};
  if (typeof interceptors?.add !== 'function') {
    throw new TypeError(
      'googleAuth needs @googleapis/drive 13 or later, or @googleapis/calendar 10 or later: requests of older ones cannot be sent to a gateway as a whole. Update the package that OAuth2 comes from.',
    );
  }
  // No refresh token: the library must never try to refresh a placeholder.
  auth.setCredentials({ access_token: PLACEHOLDER_TOKEN });
  interceptors.add({
    async resolved(request) {
      const path = gatewayPath(request.url, baseUrl);
      request.url = new URL(`${baseUrl}${path}`);
      for (const [name, value] of identity) request.headers.set(name, value);
      if (isAsyncIterable(request.body)) request.body = await collected(request.body);
      if (signer !== undefined) await sign(request, signer);
      // A followed redirect would carry these headers to another host.
      request.redirect = 'manual';
      if (UPLOAD_PATH.test(path)) request.validateStatus = withUnfinishedUpload(request.validateStatus);
      return request;
    },
  });
  auth.getRequestHeaders = async () => {
    throw new Error('Only requests made through this auth reach the gateway: leave http2 out, use auth.request().');
  };
  return auth;
}

/** Puts a signature where the library's placeholder was. */
async function sign(request: PreparedRequest, signer: AwsSigner): Promise<void> {
  request.headers.delete('authorization');
  const { method = 'GET', headers } = request;
  const body = sendable(request.body);
  const signed = await signedRequest(signer, { method, url: request.url.href, headers, body });
  request.url = new URL(signed.url);
  request.headers = signed.headers;
  if (body !== undefined) request.body = signed.body;
}

/** The body to send, with streams read. @throws TypeError */
function sendable(body: unknown): BodyInit | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams || body instanceof Blob) return body;
  if (body instanceof FormData) return body;
  if (ArrayBuffer.isView(body)) return overArrayBuffer(body);
  if (body instanceof ArrayBuffer) return body;
  throw new TypeError('The body of this request cannot be signed: send text, bytes, a form or a stream.');
}

/** Path and query below the gateway's address. @throws Error for a target that is not to get the secret key */
function gatewayPath(url: URL, baseUrl: string): string {
  const gateway = new URL(baseUrl);
  const target = `${url.pathname}${url.search}`;
  if (API_HOSTS.has(url.host)) return `/proxy${target}`;
  const stage = gateway.pathname === '/' ? '' : gateway.pathname;
  if (url.origin === gateway.origin && url.pathname.startsWith(`${stage}/proxy/`)) return target.slice(stage.length);
  throw new Error(
    `${url.origin} is neither one of Google's APIs that the gateway serves nor the gateway: nothing was sent.`,
  );
}

/** Media come as a stream, which the gateway's front door takes only once its length is known. */
function isAsyncIterable(body: unknown): body is AsyncIterable<BodyChunk> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** 308 is how an upload says that more bytes are to come. */
function withUnfinishedUpload(isValid: PreparedRequest['validateStatus']): (status: number) => boolean {
  return (status) => status === 308 || (isValid === undefined ? status >= 200 && status < 300 : isValid(status));
}

function readId(id: string | undefined, name: string): string {
  if (typeof id === 'string' && /^[\x20-\x7e]+$/.test(id) && id.trim() === id) return id;
  throw new TypeError(`${name} is required: letters, digits and a few signs, as the gateway knows it.`);
}
