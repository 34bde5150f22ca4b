/** The plain template as its README tells it, with AWS's command line alone, against moto's server in place of AWS. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { makeTemplateArchive } from '../../tools/release/template.ts';
import { capture, pythonTool } from '../tools.ts';
import { type MotoServer, startMoto } from './server.ts';

const REGION = 'eu-central-1';
const STACK = 'plain-gateway';
const BUCKET = 'code-of-the-gateway';
const COMMAND_TIMEOUT_MS = 300_000;

let moto: MotoServer;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plain-template-'));
  const archive = unzipSync(readFileSync(await makeTemplateArchive(folder)));
  for (const [name, content] of Object.entries(archive)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  moto = await startMoto(REGION);
  const configFile = join(folder, 'aws-config');
  writeFileSync(configFile, '[default]\ns3 =\n  addressing_style = path\n');
  env = {
    ...moto.environment,
    PATH: `${dirname(await pythonTool('aws'))}:${moto.environment.PATH ?? ''}`,
    // moto reads a template by its address, and takes no other host than localhost for its own.
    AWS_ENDPOINT_URL_S3: moto.environment.AWS_ENDPOINT_URL_S3_FOR_CLOUDFORMATION,
    AWS_CONFIG_FILE: configFile,
  };
  await aws('aws s3 mb s3://code-of-the-gateway');
});
afterAll(async () => {
  await moto?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command in the folder of the archive. */
async function aws(command: string): Promise<string> {
  const { code, out, err } = await capture('sh', ['-c', command], { env, cwd: folder, timeoutMs: COMMAND_TIMEOUT_MS });
  if (code !== 0) throw new Error(`${command}\n${out}\n${err}\nmoto:\n${moto.log().slice(-3000)}`);
  return out;
}

/** The commands of the README for AWS's command line, with this test's names in place of those it prints. */
function printedCommands(): string[] {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8').replaceAll(/\\\n\s*/g, '');
  return [...readme.matchAll(/^aws .+$/gm)].map(([command]) =>
    command
      .replaceAll('<bucket>', BUCKET)
      .replaceAll('<your address>', 'first.operator@example.com')
      .replaceAll('IntegrationGateway', STACK),
  );
}

const stacksSchema = z.object({
  Stacks: z.tuple([
    z.looseObject({
      StackStatus: z.string(),
      Outputs: z.array(z.looseObject({ OutputKey: z.string(), OutputValue: z.string() })),
    }),
  ]),
});

test('the printed commands make a stack of another name in another region, with the code of its functions', async () => {
  const commands = printedCommands();
  expect(commands).toHaveLength(2);
  for (const command of commands) await aws(command);
  const { Stacks } = stacksSchema.parse(
    JSON.parse(await aws(`aws cloudformation describe-stacks --stack-name ${STACK}`)),
  );
  expect(Stacks[0].StackStatus).toBe('CREATE_COMPLETE');
  const outputs = Object.fromEntries(Stacks[0].Outputs.map((one) => [one.OutputKey, one.OutputValue]));
  expect(outputs.BaseUrl).toContain(`.execute-api.${REGION}.`);
  expect(outputs.OperatorIssuer).toContain(REGION);
  const functions = z
    .object({ Functions: z.array(z.looseObject({ FunctionName: z.string(), Environment: z.looseObject({}) })) })
    .parse(JSON.parse(await aws('aws lambda list-functions'))).Functions;
  expect(functions.length).toBeGreaterThanOrEqual(5);
  expect(JSON.stringify(functions)).toContain(`"SECRET_PREFIX":"${STACK}"`);
  const users = await aws(`aws cognito-idp list-users --user-pool-id ${outputs.OperatorIssuer?.split('/').at(-1)}`);
  expect(users).toContain('first.operator@example.com');
});

test('an update without an operator is taken as well', async () => {
  const deploy = printedCommands().find((command) => command.startsWith('aws cloudformation deploy')) ?? '';
  await aws(deploy.replace(/OperatorEmail=\S+/, 'OperatorEmail='));
});
