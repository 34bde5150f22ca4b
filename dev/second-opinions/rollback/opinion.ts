/** The code of the last version, from git: it reads what this version wrote. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { dynamoDbClient } from '../../local/dynamodb/client.ts';
import { startEngine } from '../../local/dynamodb/engine.ts';
import { type AnyGateway, anyGateway, type Checkout, checkoutAt } from '../../support/upgrade/any-gateway.ts';
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
    const earlier = await unpackedVersion(commit);
    const before = await checkoutAt(earlier);
    const now = await checkoutAt(PROJECT_ROOT);
    const verdict = { passed: 0, failures: [] as string[] };

    say('its own template');
    await inFolder((folder) => withGateway(before, folder, async () => {}));

    say('data that this version wrote');
    await inFolder(async (folder) => {
      const lived = await withGateway(now, folder, async (running) => {
        const data = await live(now, running, { version, commit: 'HEAD' });
        return { ...data, events: await eventsKnownTo(earlier, anyGateway(running), data.events) };
      });
      const seen = WITHOUT_PAGES.includes(last) ? { ...lived, usage: [] } : lived;
      await removeNewIndexes(folder, earlier);
      await judge(before, folder, seen, 'written by this version', verdict, sealForRollback);
    });
    say(`data of ${last}, used by this version`);
    await inFolder(async (folder) => {
      unpack(last, folder);
      // What has died is judged above; here it would be authorized again at the first turn.
      const lived = { ...livedDataOf(last), dead: [] };
      await judge(now, folder, lived, 'after the upgrade', verdict);
      await judgeCopy(before, folder, lived, verdict);
      await removeNewIndexes(folder, earlier);
      await judge(before, folder, lived, 'after going back', verdict, sealForRollback);
      await judge(now, folder, lived, 'forward again', verdict);
    });
    return verdict;
  },
};

/** Ids of events whose types an earlier version knows: its lists leave out the others, until it is updated again. */
async function eventsKnownTo(earlier: string, gateway: AnyGateway, ids: readonly string[]): Promise<string[]> {
  const rules = join(earlier, 'lambdas/gateway/events/lifecycle-event.rules.ts');
  const { LIFECYCLE_EVENT_TYPES: known }: { LIFECYCLE_EVENT_TYPES: readonly string[] } = await import(rules);
  const { body } = await gateway.ask('GET', '/events?limit=100');
  const listed: readonly { readonly event_id: string; readonly type: string }[] = body.data;
  const unknown = new Set(listed.filter(({ type }) => !known.includes(type)).map(({ event_id }) => event_id));
  return ids.filter((id) => !unknown.has(id));
}

/** Judges the copy that the upgrade kept, if it changed what the earlier version's local runtime refuses. */
async function judgeCopy(
  checkout: Checkout,
  folder: string,
  lived: LivedData,
  verdict: { passed: number; failures: string[] },
): Promise<void> {
  const copies = readdirSync(folder).filter((entry) => entry.startsWith('copy-'));
  for (const copy of copies) await judge(checkout, join(folder, copy), lived, 'in the copy', verdict);
  if (copies.length > 0) return;
  // Without a copy the earlier version must start on the folder as it is.
  await judge(checkout, folder, lived, 'in the folder itself', verdict, sealForRollback);
}

async function judge(
  checkout: Checkout,
  folder: string,
  lived: LivedData,
  when: string,
  verdict: { passed: number; failures: string[] },
  first: (folder: string) => Promise<void> = async () => {},
): Promise<void> {
  try {
    await withGateway(checkout, folder, async (running) => {
      await first(folder);
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

/** What operators do after going back to a version that reads no data keys but those of tokens, as docs/operations.md says. */
async function sealForRollback(folder: string): Promise<void> {
  const command = ['packages/cli/cli.ts', 'data-keys', 'for-rollback', '--data', folder, '--yes'];
  await promisify(execFile)(process.execPath, command, { cwd: PROJECT_ROOT });
}

/**
 * Removes the indexes that an earlier version's template does not have from the tables of a data folder, as CloudFormation does when
 * a stack goes back: the local runtime of that version refuses them.
 */
async function removeNewIndexes(folder: string, earlier: string): Promise<void> {
  const path = join(earlier, 'cdk.out.local', 'IntegrationGateway.template.json');
  const { Resources } = templateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const engine = await startEngine({ databasePath: join(folder, 'dynamodb.sqlite') });
  const credentials = { accessKeyId: engine.accessKeyId, secretAccessKey: 'local' };
  const client = dynamoDbClient(engine.endpoint, 'eu-central-1', credentials);
  try {
    for (const [logicalId, { Type, Properties }] of Object.entries(Resources)) {
      if (Type !== 'AWS::DynamoDB::GlobalTable') continue;
      const TableName = `IntegrationGateway-${logicalId}`;
      const { Table } = tableSchema.parse(await client.call('DescribeTable', { TableName }));
      const known = indexNames(Properties);
      for (const IndexName of indexNames(Table).filter((name) => !known.includes(name))) {
        await client.call('UpdateTable', { TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] });
      }
    }
  } finally {
    client.close();
    await engine.stop();
  }
}

const indexed = z.object({ GlobalSecondaryIndexes: z.array(z.object({ IndexName: z.string() })).optional() });
const templateSchema = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: indexed.optional() })),
});
const tableSchema = z.object({ Table: indexed });

function indexNames(table: z.infer<typeof indexed> | undefined): string[] {
  return (table?.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName);
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
