/** Opens the template's pipes on the streams of the tables that the engine made. */
import type { Console } from './console.ts';
import type { DataDirectory } from './data-directory.ts';
import type { DataPlane } from './data-plane.ts';
import { type Pipe, startPipe } from './events/pipe.ts';
import { openStreamReader } from './events/stream-reader.ts';
import type { LocalStack } from './template/read-stack.ts';

/** Starts every pipe where it was when it last ran. @throws Error for a pipe that is not supported. */
export async function openPipes(
  stack: LocalStack,
  plane: DataPlane,
  directory: DataDirectory,
  screen: Console,
): Promise<Pipe[]> {
  return Promise.all(
    stack.pipes.map(async (pipe) => {
      const streamArn = plane.streamArns.get(pipe.tableArn);
      if (streamArn === undefined) throw new Error(`${pipe.logicalId}: its table has no stream.`);
      const reader = await openStreamReader({
        client: plane.client,
        streamArn,
        positionPath: directory.file(`pipe-${pipe.logicalId}.json`),
        startFromOldest: pipe.startFromOldest,
      });
      return startPipe({ pipe, reader, bus: plane.bus, region: stack.region, log: (message) => screen.warn(message) });
    }),
  );
}
