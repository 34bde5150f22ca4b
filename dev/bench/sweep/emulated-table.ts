/** The local runtime's DynamoDB engine with the template's table, filled with rows, and the gateway's own stores on it. */

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connectionStore } from '../../../lambdas/gateway/connections/connection.store.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { epochSecNow } from '../../../lambdas/gateway/core/clock.ts';
import { integrationStore } from '../../../lambdas/gateway/integrations/integration.store.ts';
import { integrationToItem } from '../../../lambdas/gateway/integrations/integration-item.store.ts';
import { systemClock } from '../../../lambdas/gateway/platform/clock.ts';
import { openTable, type Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { consentLog } from '../../../lambdas/gateway/tokens/consent-log.store.ts';
import { refreshStores } from '../../../lambdas/gateway/wiring.ts';
import { dynamoDbClient } from '../../local/dynamodb/client.ts';
import { startEngine } from '../../local/dynamodb/engine.ts';
import { ensureTable } from '../../local/dynamodb/tables.ts';
import { readAssembly } from '../../local/template/read-stack.ts';
import { ensureAssembly } from '../../tools/assembly.ts';
import { exportRows, type TableExport } from './export-rows.ts';
import { dueConnection, INTEGRATION, idleConnection } from './fixtures.ts';
import type { SweepStores } from './run-sweep.ts';

const DAY_SEC = 86_400;

/** A filled table. */
export interface EmulatedTable extends AsyncDisposable {
  readonly table: Table;
  /** Size of the engine's file. */
  readonly megabytes: number;
}

/** A table of connections, with the stores of a sweep. */
export interface FilledTable extends EmulatedTable {
  readonly stores: SweepStores;
}

/** Makes a table of `rows` connections, the first `due` of them due by now, the others over the coming month. */
export async function openFilledTable(
  rows: number,
  due: number,
  progress: (text: string) => void,
): Promise<FilledTable> {
  const nowSec = epochSecNow(systemClock);
  const itemOf = async (number: number): Promise<Record<string, unknown>> => {
    if (number === rows) return integrationToItem(INTEGRATION);
    if (number < due) return connectionToItem(await dueConnection(number, nowSec - 60));
    const spreadSec = DAY_SEC + ((number * 7_919) % (29 * DAY_SEC));
    return connectionToItem(idleConnection(number, nowSec + spreadSec));
  };
  const filled = await openEmulatedTable(rows + 1, itemOf, progress);
  const { table } = filled;
  const stores = {
    ...refreshStores({ table }),
    connections: connectionStore(table),
    integrations: integrationStore(table),
    consents: consentLog(table),
  };
  return { ...filled, stores, [Symbol.asyncDispose]: () => filled[Symbol.asyncDispose]() };
}

/**
 * Makes the template's table with `count` items.
 *
 * @param itemOf makes each when its turn comes
 *
 * @param progress receives the current step
 * @throws Error with the engine's words when it does not take the rows
 */
export async function openEmulatedTable(
  count: number,
  itemOf: (number: number) => Promise<Record<string, unknown>>,
  progress: (text: string) => void,
): Promise<EmulatedTable> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gateway-sweep-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  opened.defer(remove);
  // Gigabytes must not stay behind a run that was interrupted.
  process.once('exit', remove);
  const assembly = await ensureAssembly({
    mode: 'auto',
    step: (name, work) => {
      progress(name);
      return work();
    },
  });
  const stack = await readAssembly(assembly);
  const [described] = stack.tables;
  if (described === undefined) throw new Error('The template has no table');
  const written = await exportRows(join(folder, 'export'), described, count, itemOf, (done) =>
    progress(`${done} of ${count} rows written`),
  );
  const databasePath = join(folder, 'dynamodb.sqlite');
  progress('the engine takes them in');
  await importRows(written, databasePath);
  await rm(written.sourceFolder, { recursive: true });
  const engine = await startEngine({ databasePath });
  opened.defer(() => engine.stop());
  const client = dynamoDbClient(engine.endpoint, stack.region, CREDENTIALS);
  // Refuses a table that came out of the import other than the template describes it.
  await ensureTable(client, described, true).finally(() => client.close());
  const table = openTableAt(engine.endpoint, stack.region, described.name);
  opened.defer(() => table.client.destroy());
  const { size } = await stat(databasePath);
  const kept = opened.move();
  return {
    table,
    megabytes: size / 1e6,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The engine itself checks none. */
const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

/** The gateway's own client, which finds its endpoint where Lambda or the local runtime would put it. */
function openTableAt(endpoint: string, region: string, tableName: string): Table {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  });
  return openTable(tableName);
}

/** Makes a database file of an export. @throws Error with the engine's words when it does not take the rows */
export async function importRows({ sourceFolder, schemaFile }: TableExport, databasePath: string): Promise<void> {
  const require = createRequire(import.meta.url);
  const packageFile = require.resolve(`@dynoxide/${process.platform}-${process.arch}/package.json`);
  const binary = join(dirname(packageFile), 'dynoxide');
  const args = ['import', '--source', sourceFolder, '--schema', schemaFile, '--output', databasePath];
  const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => {
    words += chunk.toString('utf8');
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once('error', reject);
  child.once('exit', (code) => {
    if (code === 0) resolve();
    else reject(new Error(`The engine took no rows (${code}): ${words.trim().slice(-500)}`));
  });
  await promise;
}
