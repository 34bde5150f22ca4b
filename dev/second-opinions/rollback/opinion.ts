/** The code of the last version, from git: it reads what this version wrote. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyGateway, type Checkout, checkoutAt } from '../../support/upgrade/any-gateway.ts';
import { CLAIMS } from '../../support/upgrade/claims.ts';
import { archiveNames, livedDataOf, unpack } from '../../support/upgrade/data-archive.ts';
import { type LivedData, live } from '../../support/upgrade/lived-data.ts';
import { errorMessage } from '../../tools/json.ts';
import { readCheckout } from '../../tools/release/checkout.ts';
import { releaseVersion } from '../../tools/release/pack.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import { hasCommit, unpackedVersion } from '../earlier-version.ts';
import type { Opinion, Verdict } from '../opinion.ts';

/** Versions that know no pages of calls: what a later one counted shows again after the next update (decision 0047). */
const WITHOUT_PAGES = ['0.1.0', '0.1.1-preview.806eab8b', '0.2.0'];

export const rollback: Opinion = {
  name: 'rollback',
  judges: 'what this version writes, read by the code of the last one',
  async ask(say): Promise<Verdict> {
    const version = releaseVersion();
    const isRelease = readCheckout(PROJECT_ROOT)?.subject === `Release ${version}`;
    // The data of a release commit are its own.
    const last = archiveNames().findLast((name) => !(isRelease && name === version));
    if (last === undefined) throw new Error('There are no data of an earlier version in test/fixtures/data/.');
    const { commit } = livedDataOf(last);
    if (!hasCommit(commit)) {
      say(`SKIPPED: this clone is shallow and has no commit ${commit} (${last}). git fetch --unshallow brings it.`);
      return { passed: 0, failures: [] };
    }
    say(`the code of ${last}, ${commit.slice(0, 8)}`);
    const before = await checkoutAt(await unpackedVersion(commit));
    const now = await checkoutAt(PROJECT_ROOT);
    const verdict = { passed: 0, failures: [] as string[] };

    say('data that this version wrote');
    await inFolder(async (folder) => {
      const lived = await withGateway(now, folder, (gateway) => live(now, gateway, { version, commit: 'HEAD' }));
      const seen = WITHOUT_PAGES.includes(last) ? { ...lived, usage: [] } : lived;
      await judge(before, folder, seen, 'written by this version', verdict);
    });
    say(`data of ${last}, used by this version`);
    await inFolder(async (folder) => {
      unpack(last, folder);
      // What has died is judged above; here it would be authorized again at the first turn.
      const lived = { ...livedDataOf(last), dead: [] };
      await judge(now, folder, lived, 'after the upgrade', verdict);
      await judge(before, folder, lived, 'after going back', verdict);
      await judge(now, folder, lived, 'forward again', verdict);
    });
    return verdict;
  },
};

async function judge(
  checkout: Checkout,
  folder: string,
  lived: LivedData,
  when: string,
  verdict: { passed: number; failures: string[] },
): Promise<void> {
  try {
    await withGateway(checkout, folder, async (running) => {
      for (const { says, isAbout, check } of CLAIMS) {
        if (!isAbout(lived)) continue;
        try {
          await check(anyGateway(running), lived);
          verdict.passed += 1;
        } catch (error) {
          verdict.failures.push(`${when}: ${says}\n  ${errorMessage(error)}`);
        }
      }
    });
  } catch (error) {
    verdict.failures.push(`${when}: the gateway does not start or end\n  ${errorMessage(error)}`);
  }
}

type Running = Awaited<ReturnType<Checkout['start']>>;

async function withGateway<T>(checkout: Checkout, folder: string, use: (running: Running) => Promise<T>): Promise<T> {
  const running = await checkout.start({ dataDir: folder, quiet: true, schedules: false, warmUp: false });
  try {
    return await use(running);
  } finally {
    await running.close();
  }
}

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-rollback-'));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
