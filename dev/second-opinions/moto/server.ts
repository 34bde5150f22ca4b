/** moto's server as a process of its own, and the environment in which the AWS tools take it for AWS. */
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../tools/run.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { pythonTool } from '../tools.ts';

/** A running server. */
export interface MotoServer extends ServerProcess {
  /** Everything a tool needs to take the server for AWS, and nothing of this shell's AWS settings. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Starts the server on a free port. @throws Error with its output when it ends or does not answer within a minute */
export async function startMoto(region: string): Promise<MotoServer> {
  const server = await startServer({
    name: "moto's server",
    command: await pythonTool('python'),
    args: (port) => [join(import.meta.dirname, 'server.py'), '--port', String(port)],
    readyPath: '/moto-api/data.json',
  });
  return {
    ...server,
    environment: {
      PATH: `${join(PROJECT_ROOT, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`,
      HOME: process.env.HOME ?? '',
      CI: 'true',
      AWS_ENDPOINT_URL: server.endpoint,
      // moto reads a template by its address, and takes no other host than this for its own.
      AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION: `http://localhost:${server.port}`,
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  };
}
