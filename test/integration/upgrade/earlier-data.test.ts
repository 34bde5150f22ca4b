import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type LocalGateway, startLocal } from '../../../dev/local/start.ts';
import { type AnyGateway, anyGateway } from '../../../dev/support/upgrade/any-gateway.ts';
import { CLAIMS } from '../../../dev/support/upgrade/claims.ts';
import { archiveNames, livedDataOf, unpack } from '../../../dev/support/upgrade/data-archive.ts';

const NAMES = archiveNames();

test('there are data of every version since 0.1.0, oldest first', () => {
  expect(NAMES.slice(0, 2)).toEqual(['0.1.0', '0.1.1-preview.806eab8b']);
});

// The newest is what deployments come from; the others are for who passes over versions.
describe.each(NAMES)('a data folder of %s, under this version', (name) => {
  const tags = name === NAMES.at(-1) ? [] : ['long'];
  const lived = livedDataOf(name);
  let folder: string | undefined;
  let running: LocalGateway | undefined;
  let gateway: AnyGateway;
  /** With the first test that is run: those of older versions may be left out. */
  const start = async () => {
    if (running !== undefined) return;
    folder = mkdtempSync(join(tmpdir(), 'gateway-earlier-'));
    unpack(name, folder);
    running = await startLocal({
      ...{ dataDir: folder, quiet: true, synth: 'reuse', schedules: false, warmUp: false },
    });
    gateway = anyGateway(running);
  };
  afterAll(async () => {
    await running?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  for (const { says, check } of CLAIMS.filter((claim) => claim.isAbout(lived))) {
    test(says, { tags }, async () => {
      await start();
      await check(gateway, lived);
    });
  }
});
