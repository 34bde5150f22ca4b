/** DynamoDB Local as a process of its own, with its data in memory. */
import { join } from 'node:path';
import { type ServerProcess, startServer } from '../server-process.ts';
import { dynamoDbLocalFolder } from '../tools.ts';

/** Starts it on a free port. It keeps a database for each access key and region, and checks no signatures. */
export async function startDynamoDbLocal(): Promise<ServerProcess> {
  const folder = await dynamoDbLocalFolder();
  // A process of minutes gains nothing from the second compiler and from side-by-side collection.
  const machine = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx512m', `-Djava.library.path=${folder}`];
  const main = 'software.amazon.dynamodb.services.local.main.ServerRunner';
  return startServer({
    name: 'DynamoDB Local',
    command: 'java',
    args: (port) => [
      ...machine,
      '-cp',
      join(folder, '*'),
      main,
      '-inMemory',
      '-disableTelemetry',
      '-port',
      String(port),
    ],
    readyPath: '/',
  });
}
