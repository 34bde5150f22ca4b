/**
 * Plays the provider: a small JSON answer with the headers Google sends, or as many bytes as `?bytes=` asks for, begun
 * `&delayMs=` after the request has come. Every answer says in `x-goog-took-ms` how long it was in coming.
 */
import { createServer, type ServerResponse } from 'node:http';
import { listenAndTell } from './listen.ts';

const FILES = Buffer.from(
  JSON.stringify({
    kind: 'drive#fileList',
    incompleteSearch: false,
    files: Array.from({ length: 10 }, (_, index) => ({
      kind: 'drive#file',
      mimeType: 'text/plain',
      id: `1A2b3C4d5E6f7G8h9I0j${index}`,
      name: `Report ${index}.txt`,
    })),
  }),
);
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const HEADERS = {
  'content-type': 'application/json; charset=UTF-8',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  expires: 'Mon, 01 Jan 1990 00:00:00 GMT',
  vary: 'Origin, X-Origin, Referer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  server: 'ESF',
};

const server = createServer((request, response) => {
  const cameMs = performance.now();
  request.resume();
  const target = request.url ?? '';
  const asked = /[?&]bytes=(\d+)/.exec(target)?.[1];
  const delayMs = Number(/[?&]delayMs=(\d+)/.exec(target)?.[1] ?? 0);
  const answer = (): void => {
    const headers = { ...HEADERS, 'x-goog-took-ms': String(performance.now() - cameMs) };
    if (asked === undefined) {
      response.writeHead(200, { ...headers, 'content-length': FILES.length }).end(FILES);
    } else {
      response.writeHead(200, { ...headers, 'content-type': 'application/octet-stream', 'content-length': asked });
      sendBytes(response, Number(asked));
    }
  };
  if (delayMs === 0) answer();
  else setTimeout(answer, delayMs);
});
// Longer than any round of another subject: no measured call pays for a new connection.
server.keepAliveTimeout = 600_000;
listenAndTell(server);

function sendBytes(response: ServerResponse, bytes: number): void {
  let left = bytes;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      const chunk = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
      left -= chunk.length;
      if (!response.write(chunk)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
}
