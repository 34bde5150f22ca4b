import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLocalGoogle } from '../../../dev/local/local-google.ts';
import { closeServer, listen } from '../../../dev/local/network.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const openWith = (statePath: string, port = 0) =>
  openLocalGoogle({
    googleEndpoints: undefined,
    separateOrigins: false,
    datesByClock: false,
    guarded: false,
    observer: undefined,
    warn: () => {},
    print: () => {},
    ...{ port, statePath },
  });

test('a state of the simulator that cannot be taken over: what is lost with it, and --fresh as the way out', async () => {
  const statePath = join(temporaryFolder(), 'simulator.json');
  writeFileSync(statePath, JSON.stringify({ version: '9', oauth: { grants: [{}], refreshTokens: [{}, {}] } }));
  const refused = openWith(statePath);
  await expect(refused).rejects.toThrow(
    `${statePath} is not a state file that this simulator can take over: its version is 9, and this simulator reads 1 to 2. Without it the simulator forgets 1 grant, 2 refresh tokens. Start over with --fresh`,
  );
  await expect(refused).rejects.not.toThrow('--port');
});

test('a port of the simulator that is taken: --port as the way out', async () => {
  const other = createServer();
  const port = await listen(other, 0, 'test', '');
  await expect(openWith(join(temporaryFolder(), 'simulator.json'), port)).rejects.toThrow('See --port.');
  await closeServer(other);
});
