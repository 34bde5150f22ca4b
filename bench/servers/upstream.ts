/** Plays the provider: a small JSON answer with the headers Google sends, or as many bytes as `?bytes=` asks for. */
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
  request.resume();
  const asked = /[?&]bytes=(\d+)/.exec(request.url ?? '')?.[1];
  if (asked === undefined) {
    response.writeHead(200, { ...HEADERS, 'content-length': FILES.length }).end(FILES);
  } else {
    response.writeHead(200, { ...HEADERS, 'content-type': 'application/octet-stream', 'content-length': asked });
    sendBytes(response, Number(asked));
  }
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
