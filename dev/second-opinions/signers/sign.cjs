// aws4fetch signs each request of the file that is named, and prints its address and headers: one JSON object a line.
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');

const [, , file = '', folder = ''] = process.argv;
const { AwsV4Signer } = createRequire(folder)('aws4fetch');

async function main() {
  const { requests, ...credentials } = JSON.parse(readFileSync(file, 'utf8'));
  for (const { method, url, headers, body } of requests) {
    const carries = method === 'GET' || body === '' ? {} : { body };
    const signer = new AwsV4Signer({ method, url, headers, ...carries, service: 'execute-api', ...credentials });
    const signed = await signer.sign();
    console.log(JSON.stringify({ url: String(signed.url), headers: Object.fromEntries(signed.headers) }));
  }
}

void main();
