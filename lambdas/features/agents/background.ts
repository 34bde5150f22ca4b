import { Duration } from 'aws-cdk-lib';
import type { Background, BackgroundProps } from '../../../lib/constructs/feature.ts';
import { setSignIn } from './construct.ts';
import { feature } from './feature.ts';

/** A tool of an assistant ends within this, also where its progress is streamed: clients wait for no more than a minute. */
const TIMEOUT = Duration.seconds(29);

/** The function of assistants, and what says where they sign in. */
export function background({ config, makeFunction, setBaseUrl, addRoute }: BackgroundProps): Background {
  const mcp = makeFunction('Mcp', {
    functionName: 'mcp',
    reservedConcurrency: config.reservedConcurrency.mcp,
    description: 'Gives assistants tools of a connection',
    timeout: TIMEOUT,
    memoryMb: feature.memoryMb.mcp,
  });
  setBaseUrl(mcp);
  setSignIn(mcp, config);
  // Its own time limit ends it, as it would end a buffered one.
  addRoute('/mcp', mcp, 'streamed');
  addRoute('/mcp/{proxy+}');
  addRoute('/.well-known/{proxy+}', mcp, 'streamed');
  return { functions: [], answering: [mcp], schedules: [], listening: [] };
}
