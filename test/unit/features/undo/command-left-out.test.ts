import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../../support/command-line.ts';

it('reports that a deployment has no undo before it asks for a confirmation', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(404, { 'content-type': 'application/json', 'x-gateway-error': 'not_supported' });
    const message = 'This gateway was deployed without undo: journal and undo.';
    response.end(JSON.stringify({ error: { code: 'not_supported', message, errors: [] } }));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const environment = { GATEWAY_BASE_URL: `http://127.0.0.1:${address.port}`, GATEWAY_SECRET_KEY: 'sk_test' };
  const { code, err } = await runCommand(['undo', '--key', 'sk_default_ab', '--since', '1h'], environment);
  expect(err).toContain('deployed without undo');
  expect(err).not.toContain('--yes');
  expect(code).not.toBe(0);
  expect(asked).toEqual([expect.stringContaining('GET /')]);
});
