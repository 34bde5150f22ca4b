/** Opens the template's triggers on the streams of the tables that the engine made. */
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import type { Console } from './console.ts';
import type { DataDirectory } from './data-directory.ts';
import type { DataPlane } from './data-plane.ts';
import { openStreamReader } from './events/stream-reader.ts';
import { startTrigger, type Trigger } from './events/stream-trigger.ts';
import type { FunctionPools } from './function-pools.ts';
import type { LocalStack } from './template/read-stack.ts';

/** Starts every trigger where it was when it last ran. @throws Error for one that is not supported. */
export async function openTriggers(
  stack: LocalStack,
  plane: DataPlane,
  pools: FunctionPools,
  directory: DataDirectory,
  screen: Console,
): Promise<Trigger[]> {
  const enabled = stack.triggers.filter(({ isEnabled }) => isEnabled);
  return Promise.all(
    enabled.map(async (trigger) => {
      const streamArn = plane.streamArns.get(trigger.tableArn);
      if (streamArn === undefined) throw new Error(`${trigger.logicalId}: its table has no stream.`);
      const positionPath = directory.file(`stream-${trigger.logicalId}.json`);
      takePlaceOfPipe(directory, positionPath);
      const reader = await openStreamReader({
        client: plane.client,
        streamArn,
        positionPath,
        startFromOldest: trigger.startsFromOldest,
      });
      return startTrigger({
        trigger,
        reader,
        invoke: (event) => pools.byArn(trigger.functionArn).invoke(JSON.stringify(event)),
        onGivenUp: (message) => plane.queues.put(trigger.deadLettersArn ?? '', JSON.stringify(message)),
        region: stack.region,
        log: (message) => screen.warn(message),
      });
    }),
  );
}

/**
 * In a data folder of a version that had a pipe, the trigger goes on where that one was. Read anew, the stream would bring every event
 * that the engine still has. The pipe's file stays for the version before.
 */
function takePlaceOfPipe(directory: DataDirectory, positionPath: string): void {
  if (existsSync(positionPath)) return;
  const pipes = readdirSync(directory.path).filter((name) => /^pipe-.*\.json$/.test(name));
  const [only] = pipes;
  if (only !== undefined && pipes.length === 1) copyFileSync(directory.file(only), positionPath);
}
