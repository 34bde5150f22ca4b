import { jsonAt, listAt, textAt } from '../../../lambdas/gateway/openapi/read-document.ts';

/** What a caller sees of a failed call. */
export interface Failure {
  readonly status: number | undefined;
  /** Undefined for the provider's own errors: header and envelope say the same, or the answer is not the gateway's. */
  readonly code: string | undefined;
  readonly message: string;
  readonly problems: number;
  readonly connection: unknown;
  readonly retryAfter: string | undefined;
}

/** The failure of a call of the compatible package, whose errors hold the answer. @throws Error when there is none */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) throw new Error('The call did not fail.');
  const response = jsonAt(error, 'response');
  const header = textAt(response, 'headers', 'x-gateway-error');
  const status = typeof response.status === 'number' ? response.status : undefined;
  return failure(status, header, textAt(response, 'headers', 'retry-after'), response.data);
}

/** The same of a bare request. */
export async function refusalOf(answer: Promise<Response>): Promise<Failure> {
  const { status, headers, ...rest } = await answer.then(async (one) => ({
    status: one.status,
    headers: one.headers,
    body: parsed(await one.text()),
  }));
  return failure(status, headers.get('x-gateway-error') ?? '', headers.get('retry-after') ?? '', rest.body);
}

function failure(status: number | undefined, header: string, retryAfter: string, body: unknown): Failure {
  const envelope = jsonAt(body, 'error');
  const code = header === '' ? undefined : header;
  if (
    code !== undefined &&
    (code !== envelope.code || status !== envelope.status || textAt(envelope, 'request_id') === '')
  ) {
    throw new Error(`Header and envelope differ: ${header}, ${status}, ${JSON.stringify(body)}`);
  }
  return {
    status,
    code,
    message: textAt(envelope, 'message'),
    problems: listAt(envelope, 'errors').length,
    connection: envelope.connection,
    retryAfter: retryAfter === '' ? undefined : retryAfter,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
