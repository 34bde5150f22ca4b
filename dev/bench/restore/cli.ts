/** `npm run bench:restore`: loses connections and brings them back from a backup, by the code of `npm run restore` and the local engine. */
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { epochSecNow } from '../../../lambdas/gateway/core/clock.ts';
import { eventToItem } from '../../../lambdas/gateway/events/event.store.ts';
import { newEvent } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { integrationToItem } from '../../../lambdas/gateway/integrations/integration-item.store.ts';
import { systemClock, systemRandom } from '../../../lambdas/gateway/platform/clock.ts';
import { openTable, type Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { OPERATOR_LIMITS } from '../../../packages/cli/aws-limits.ts';
import { Resealer } from '../../../packages/cli/restore/reseal.ts';
import { restoreTable } from '../../../packages/cli/restore/restore-table.ts';
import { readArguments, runBenchmark, wholeNumber } from '../arguments.ts';
import { person } from '../lists/people.ts';
import { conditions, currentLoad, runFacts } from '../report.ts';
import { openEmulatedTable } from '../sweep/emulated-table.ts';
import { INTEGRATION } from '../sweep/fixtures.ts';

const BACKUP = 'backup';
const USAGE = `Loses connections and brings them back from a backup, by the code of npm run restore and the local engine of tables.

  npm run bench:restore -- [options]

  --connections NUMBER   default 1000
  --help                 show this text`;
const OPTIONS = { connections: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;

await runBenchmark(async () => {
  const { values } = readArguments(process.argv.slice(2), OPTIONS, 'npm run bench:restore');
  if (values.help === true) return void process.stdout.write(`${USAGE}\n`);
  const count = wholeNumber('--connections', values.connections ?? '1000');
  const loadBefore = currentLoad();
  const integration = async () => integrationToItem(INTEGRATION);
  await using emulated = await openEmulatedTable(1, integration, () => {});
  const into = openTable(emulated.table.tableName, undefined, OPERATOR_LIMITS);
  const from = openTable(BACKUP, undefined, OPERATOR_LIMITS);
  await fill(from, count);
  let requests = 0;
  for (const { client } of [into, from]) {
    const counted = (args: object) => {
      requests += 1;
      return args;
    };
    client.middlewareStack.add((next) => (args) => next({ ...args, ...counted(args) }), { step: 'initialize' });
  }
  const startedMs = performance.now();
  const cpu = process.cpuUsage();
  const { kinds, failed } = await restoreTable({
    from,
    into,
    wishes: { overwrite: false, includeDeleted: false },
    dryRun: false,
    spreadSec: 300,
    runName: `restore/${BACKUP}`,
    resealer: new Resealer({ ciphers: undefined, otherKmsKey: false }),
    only: {},
    includeKeys: false,
    stop: new AbortController().signal,
    onProgress: () => {},
  });
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  for (const { client } of [into, from]) client.destroy();
  const restored = [kinds.connections, kinds.events].map(({ restored: { missing = 0 } }) => missing);
  if (failed.length > 0 || restored.some((one) => one !== count)) throw new Error(`Restored ${restored.join()}`);
  const cells = [
    count.toLocaleString('en'),
    `${seconds.toFixed(1)} s`,
    (count / seconds).toFixed(1),
    (requests / count).toFixed(2),
    `${((user + system) / 1000 / count).toFixed(1)} ms`,
  ];
  process.stdout.write(
    `| Connections | Took | A second | Requests each | Processor time each |\n|---:|---:|---:|---:|---:|\n| ${cells.join(' | ')} |\n`,
  );
  process.stdout.write(`\n${conditions(runFacts(false, loadBefore))}\n`);
});

async function fill({ client }: Table, count: number): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: BACKUP,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
    }),
  );
  const nowSec = epochSecNow(systemClock);
  const items = Array.from({ length: count }, (_, number) => person(number, count, nowSec)).flatMap((connection) => [
    connectionToItem(connection),
    eventToItem(
      newEvent(systemClock, systemRandom, 'ConnectionCreated', {
        subject: connection,
        sequence: 1,
        endUserId: connection.endUser?.id,
        requestId: 'bench',
      }),
    ),
  ]);
  for (let at = 0; at < items.length; at += 100) {
    const puts = items.slice(at, at + 100).map((Item) => ({ Put: { TableName: BACKUP, Item } }));
    await client.send(new TransactWriteCommand({ TransactItems: puts }));
  }
}
