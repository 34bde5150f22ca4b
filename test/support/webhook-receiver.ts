import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, LOOPBACK, listen } from '../../dev/local/network.ts';

/** A message as it arrived: of the gateway, or of Google's push. */
export interface ReceivedMessage {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** The status of its response; undefined before that, and where the sender had disconnected. */
  status: number | undefined;
}

/** An endpoint of webhooks on loopback, for as many paths as a test likes. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly address: string;
  readonly messages: readonly ReceivedMessage[];
  /** Sets the response of a path from now on. @default 204 */
  answer(path: string, how: (response: ServerResponse) => void): void;
  /** Waits for a message, past ones included, a minute at most. @throws Error naming the types seen */
  waitFor(predicate: (message: ReceivedMessage) => boolean): Promise<ReceivedMessage>;
}

/** Listens on a free port. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const messages: ReceivedMessage[] = [];
  const answers = new Map<string, (response: ServerResponse) => void>();
  const looking = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const message: ReceivedMessage = {
      path,
      headers: plain(request.headers),
      body: await text(request),
      status: undefined,
    };
    messages.push(message);
    response.once('finish', () => {
      message.status = response.statusCode;
    });
    (answers.get(path) ?? ((one) => one.writeHead(204).end()))(response);
    for (const look of looking) look();
  });
  const port = await listen(server, 0, 'webhook receiver', 'start again');
  return {
    address: `http://${LOOPBACK}:${port}`,
    messages,
    answer: (path, how) => void answers.set(path, how),
    waitFor: (predicate) =>
      new Promise((resolve, reject) => {
        const end = () => {
          looking.delete(look);
          clearTimeout(timer);
        };
        const look = () => {
          const found = messages.find(predicate);
          if (found === undefined) return;
          end();
          resolve(found);
        };
        const timer = setTimeout(() => {
          end();
          reject(
            new Error(`No such message among ${messages.map(({ path, body }) => path + body.slice(0, 60)).join('; ')}`),
          );
        }, 60_000);
        looking.add(look);
        look();
      }),
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
