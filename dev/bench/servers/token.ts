/** Plays the token endpoint: every refresh is answered with a new access token after `TOKEN_MS` milliseconds. */
import { createServer } from 'node:http';
import { listenAndTell } from './listen.ts';

const delayMs = Number(process.env.TOKEN_MS);
if (!(delayMs >= 0)) throw new Error('TOKEN_MS is not set: this server is started by npm run bench:sweep');

/** As long as Google's answer: an access token of about 200 characters, an hour less a second, no new refresh token. */
const ANSWER = Buffer.from(
  JSON.stringify({ access_token: `ya29.${'b'.repeat(200)}`, token_type: 'Bearer', expires_in: 3599 }),
);

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': ANSWER.length });
      response.end(ANSWER);
    }, delayMs);
  });
});
server.keepAliveTimeout = 600_000;
listenAndTell(server);
