import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { waitingClient } from '../../../dev/tools/waiting-client.ts';

const SOURCE = readFileSync(
  join(PROJECT_ROOT, 'packages', 'python', 'src', 'integration_gateway', '_async_client.py'),
  'utf8',
);

describe('the Python client that waits, made from the one for asyncio', () => {
  it('the Python client that waits, made from the one for asyncio has every method of it, and nothing of asyncio', () => {
    const methods = (text: string) => [...text.matchAll(/^\s*(?:async )?def (\w+)/gm)].map(([, name]) => name);
    const waiting = waitingClient(SOURCE);
    const renamed = methods(SOURCE).map((name) => name?.replace('__a', '__').replace('aclose', 'close'));
    expect(methods(waiting)).toEqual(renamed);
    expect(waiting.replace(/^#.*\n/, '')).not.toMatch(/async|await/i);
  });

  it('the Python client that waits, made from the one for asyncio is not made where a rule finds nothing any more', () => {
    expect(() => waitingClient(SOURCE.replaceAll('asyncio.to_thread', 'in_thread'))).toThrow(/holds nothing that/);
  });

  it('the Python client that waits, made from the one for asyncio is not made where no rule knows a word of asyncio', () => {
    expect(() => waitingClient(`${SOURCE}\nqueue = asyncio.Queue()\n`)).toThrow(
      'No rule of dev/tools/waiting-client.ts knows "asyncio"',
    );
  });
});
