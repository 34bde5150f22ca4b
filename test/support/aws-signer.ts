import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentials } from '../../dev/local/aws/credentials.ts';
import type { RawRequest } from './raw-http.ts';

/** SHA-256 in the form that AWS's signer asks for. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {}
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** What a signature may say in addition to what a caller usually means. */
export interface SigningOptions {
  readonly region?: string;
  readonly service?: string;
  /** @default now */
  readonly date?: Date;
}

/**
 * A request with the headers that AWS's signer adds.
 *
 * @param origin where it will be sent
 */
export async function signedByAws(
  credentials: AwsCredentials,
  origin: string,
  request: RawRequest,
  { region = 'us-east-1', service = 'execute-api', date = new Date() }: SigningOptions = {},
): Promise<RawRequest> {
  const { host, hostname, protocol } = new URL(origin);
  const [path = '', query = ''] = request.path.split('?', 2);
  const signer = new SignatureV4({ credentials, region, service, sha256: Sha256 });
  const unsigned = {
    method: request.method ?? 'GET',
    protocol,
    hostname,
    path,
    query: queryOf(query),
    headers: { host, ...Object.fromEntries(request.headers ?? []) },
    body: request.body === undefined ? undefined : Buffer.from(request.body),
  };
  const { headers } = await signer.sign(unsigned, { signingDate: date });
  return { ...request, headers: Object.entries(headers).map(([name, value]) => [name, String(value)]) };
}

/** Names and values as the signer takes them: decoded, repeated ones in a list. */
function queryOf(query: string): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const pair of query.split('&').filter((one) => one !== '')) {
    const at = pair.indexOf('=');
    const [name = '', value = ''] = (at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]).map(
      decodeURIComponent,
    );
    values[name] = [...(values[name] ?? []), value];
  }
  return values;
}
