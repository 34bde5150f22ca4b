/**
 * The code of the last version, from git: it reads what this version wrote. Its checkout is unpacked and built once, in
 * `.second-opinions/`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { anyGateway, type Checkout, checkoutAt } from '../../support/upgrade/any-gateway.ts';
import { CLAIMS } from '../../support/upgrade/claims.ts';
import { archiveNames, livedDataOf, unpack } from '../../support/upgrade/data-archive.ts';
import { type LivedData, live } from '../../support/upgrade/lived-data.ts';
import { capture, WORK_FOLDER } from '../../tools/installed-programs.ts';
import { errorMessage } from '../../tools/json.ts';
import { readCheckout } from '../../tools/release/checkout.ts';
import { releaseVersion } from '../../tools/release/pack.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import type { Opinion, Verdict } from '../opinion.ts';

const INSTALL_TIMEOUT_MS = 600_000;

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
    if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: PROJECT_ROOT }).status !== 0) {
      const { stdout } = spawnSync('git', ['rev-parse', '--is-shallow-repository'], {
        cwd: PROJECT_ROOT,
        encoding: 'utf8',
      });
      if (stdout.trim() !== 'true') throw new Error(`git does not know the commit of ${last}, ${commit}.`);
      say(`SKIPPED: this clone is shallow and has no commit ${commit} (${last}). git fetch --unshallow brings it.`);
      return { passed: 0, failures: [] };
    }
    say(`the code of ${last}, ${commit.slice(0, 8)}`);
    const before = await checkoutAt(await unpacked(commit));
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

/** The files of a commit with the packages that they name. @returns their folder @throws Error naming what failed */
async function unpacked(commit: string): Promise<string> {
  const folder = join(WORK_FOLDER, 'rollback', commit);
  const done = join(folder, '.unpacked');
  if (existsSync(done)) return folder;
  rmSync(join(WORK_FOLDER, 'rollback'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tar = `${folder}.tar`;
  await succeed('git', ['archive', '--format=tar', `--output=${tar}`, commit], PROJECT_ROOT);
  await succeed('tar', ['-xf', tar, '-C', folder], PROJECT_ROOT);
  rmSync(tar);
  if (packagesOf(folder) === packagesOf(PROJECT_ROOT))
    symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'));
  else await succeed('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
  writeFileSync(done, '');
  return folder;
}

async function succeed(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, out, err } = await capture(command, args, { timeoutMs: INSTALL_TIMEOUT_MS, cwd });
  if (code !== 0) throw new Error(`${command} ${args[0]} failed: ${out}\n${err}`);
}

/** Every package of a lockfile with its version. */
function packagesOf(root: string): string {
  const lock = z
    .object({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) })
    .parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const installed = Object.entries(lock.packages).filter(([path]) => path.startsWith('node_modules/'));
  return installed.map(([path, { version = '' }]) => `${path}@${version}`).join('\n');
}
