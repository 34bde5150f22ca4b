/**
 * Stands in for the runtime client's native addon, which is not built: reports results to the Lambda Runtime API over
 * plain HTTP. Loaded by `preload.mjs` inside every function process.
 */
const { Agent, request } = require('node:http');

const [hostname, port] = (process.env.AWS_LAMBDA_RUNTIME_API ?? '').split(':');
const agent = new Agent({ keepAlive: true });

function post(path, body, headers) {
  const outgoing = request({
    hostname,
    port,
    agent,
    method: 'POST',
    path: `/2018-06-01/runtime/invocation/${path}`,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
  });
  // Without a Runtime API nobody will ever ask for more: an orphan must not stay.
  outgoing.on('error', () => process.exit(1));
  outgoing.on('response', (incoming) => incoming.resume());
  outgoing.end(body);
}

exports.initializeClient = () => {};
exports.done = (requestId, body) => post(`${requestId}/response`, body, {});
exports.error = (requestId, body) => post(`${requestId}/error`, body, {});
