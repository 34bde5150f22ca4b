/** Header fields in order, names as sent, repeats kept. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** A request as the core sees it, whatever front door it came through. */
export interface GatewayRequest {
  readonly method: string;
  /** Path as sent, percent-encoding untouched, without query and without a stage. */
  readonly rawPath: string;
  /** Decoded; values of one key in order. */
  readonly query: readonly (readonly [key: string, value: string])[];
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
  readonly requestId: string;
  readonly sourceIp: string;
}

/** An answer of the core: bytes, a stream of bytes, or no body at all. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

/** All values of a header, name compared without case. */
export function headerValues(headers: HeaderPairs, name: string): string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  for (const [key, value] of headers) if (key.toLowerCase() === wanted) values.push(value);
  return values;
}

/** The last value of a header, or undefined. */
export function headerValue(headers: HeaderPairs, name: string): string | undefined {
  return headerValues(headers, name).at(-1);
}
