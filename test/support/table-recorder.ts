import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, LOOPBACK, listen } from '../../dev/local/network.ts';

/** One call of a function to the table that succeeded. */
export interface TableCall {
  readonly operation: string;
  /** The request as sent, values typed as DynamoDB types them. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** Stands between the functions and the table and notes every call that was applied. */
export interface TableRecorder extends AsyncDisposable {
  readonly calls: readonly TableCall[];
  /** Handed to a gateway as its table's address: `endpointOverrides.dynamodb`. */
  inFrontOf(realEndpoint: string): string;
}

/** Starts a recorder on a free loopback port. */
export async function startTableRecorder(): Promise<TableRecorder> {
  const calls: TableCall[] = [];
  let target = new URL('http://unset.invalid');
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const { hostname, port } = target;
    const onward = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers },
      async (answer) => {
        const text = await buffer(answer);
        // Before the response, so that its caller finds the call recorded.
        if (answer.statusCode === 200) calls.push(callOf(incoming.headers, body));
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(text);
      },
    );
    onward.once('error', () => outgoing.destroy());
    onward.end(body);
  });
  const port = await listen(server, 0, 'table recorder', 'start again');
  return {
    calls,
    inFrontOf(realEndpoint) {
      target = new URL(realEndpoint);
      return `http://${LOOPBACK}:${port}`;
    },
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

function callOf(headers: IncomingHttpHeaders, body: Buffer): TableCall {
  const operation = String(headers['x-amz-target']).split('.').at(-1) ?? '';
  return { operation, request: JSON.parse(body.toString('utf8')) };
}
