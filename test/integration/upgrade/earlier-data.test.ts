// @module-tag long
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { silentConsole } from '../../../dev/local/console.ts';
import { type LocalGateway, startLocal } from '../../../dev/local/start.ts';
import { type AnyGateway, anyGateway } from '../../../dev/support/upgrade/any-gateway.ts';
import { CLAIMS } from '../../../dev/support/upgrade/claims.ts';
import { archiveNames, livedDataOf, unpack } from '../../../dev/support/upgrade/data-archive.ts';

const NAMES = archiveNames();

/** Versions whose tables get other indexes before this version starts on them. Add the last one when you change indexes. */
const WITH_OTHER_INDEXES: readonly string[] = ['0.1.1-preview.806eab8b', '0.2.0'];

test('there are data of every version since 0.1.0, oldest first', () => {
  expect(NAMES.slice(0, 2)).toEqual(['0.1.0', '0.1.1-preview.806eab8b']);
});

describe.each(NAMES)('a data folder of %s, under this version', (name) => {
  const lived = livedDataOf(name);
  let folder: string | undefined;
  let running: LocalGateway | undefined;
  let gateway: AnyGateway;
  const messages: string[] = [];
  const launch = (dataDir: string) =>
    startLocal({
      ...{ dataDir, console: { ...silentConsole(), warn: (message) => messages.push(message) } },
      ...{ synth: 'reuse', schedules: false, warmUp: false },
    });
  const copiesIn = (path: string) => readdirSync(path).filter((entry) => entry.startsWith('copy-'));
  /** With the first test that is run: those of older versions may be left out. */
  const start = async () => {
    if (running !== undefined) return;
    folder = mkdtempSync(join(tmpdir(), 'gateway-earlier-'));
    unpack(name, folder);
    running = await launch(folder);
    gateway = anyGateway(running);
  };
  afterAll(async () => {
    await running?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  for (const { says, check } of CLAIMS.filter((claim) => claim.isAbout(lived))) {
    test(says, async () => {
      await start();
      await check(gateway, lived);
    });
  }

  // Only one of the two holds for a version: the other must not stand among its tests.
  if (!WITH_OTHER_INDEXES.includes(name)) {
    test('a data folder of %s, under this version is not copied, since its indexes stay as they are', async () => {
      await start();
      expect([copiesIn(folder ?? ''), messages]).toEqual([[], []]);
    });
    return;
  }

  test('a data folder of %s, under this version is copied before its indexes change, the start names the copy, and the next start makes none', async () => {
    await start();
    const used = folder ?? '';
    const [copy = '', ...others] = copiesIn(used);
    expect(others).toEqual([]);
    expect(messages.filter((message) => message.includes(`--data ${join(used, copy)}`))).toHaveLength(1);
    await running?.close();
    running = undefined;
    const again = await launch(used);
    await again.close();
    expect(copiesIn(used)).toEqual([copy]);
    // The copy is what it was: this version changes its indexes, too, and finds the same data.
    const copied = await launch(join(used, copy));
    try {
      expect(copiesIn(join(used, copy))).toHaveLength(1);
      for (const { isAbout, check } of CLAIMS.filter((claim) => /keys|connections/.test(claim.says))) {
        if (isAbout(lived)) await check(anyGateway(copied), lived);
      }
    } finally {
      await copied.close();
    }
  });
});
