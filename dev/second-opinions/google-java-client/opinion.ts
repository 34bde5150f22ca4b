/** Google's Java clients work through a gateway, by the class of examples/google-clients, and as they are on the simulator. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import * as z from 'zod';
import { capture, javaLibraries } from '../../tools/installed-programs.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { type OwnGateway, openGateway } from '../own-gateway.ts';
import { bringStackUpToDate } from '../tools.ts';

const POM = join(import.meta.dirname, 'pom.xml');
const SCENARIO = join(import.meta.dirname, 'Scenario.java');
const GATEWAY_CLASS = join(PROJECT_ROOT, 'examples', 'google-clients', 'Gateway.java');
const TIMEOUT_MS = 120_000;
const ACCOUNT = 'first.user@example.com';
const CONNECTION_ID = 'java';

const lineSchema = z.strictObject({ check: z.string(), problem: z.string().nullable() });
const tokensSchema = z.object({ access_token: z.string(), refresh_token: z.string() });
const requestsSchema = z.object({ requests: z.array(z.object({ headers: z.array(z.array(z.string())) })) });

/** Connections to both providers that may do everything, and a token of the same user. */
async function connect({ ask }: OwnGateway, simulatorUrl: string): Promise<string> {
  const init = { method: 'POST', body: JSON.stringify({ account: ACCOUNT }) };
  const answer = await fetch(`${simulatorUrl}/__sim/tokens`, init);
  const tokens = tokensSchema.parse(await answer.json());
  for (const provider of ['google-drive', 'google-calendar']) {
    const credentials = { type: 'OAUTH2', refresh_token: tokens.refresh_token };
    const connection = { provider_config_key: provider, connection_id: CONNECTION_ID, credentials };
    const { status, body } = await ask('POST', '/connections', connection);
    if (status >= 300) throw new Error(`POST /connections answered ${status}: ${JSON.stringify(body)}`);
  }
  return tokens.access_token;
}

async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { timeoutMs: TIMEOUT_MS, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env } };
  const { code, out, err } = await capture(program, args, options);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${err.trim().split('\n').slice(-20).join('\n')}`);
  return out;
}

/** Runs the scenario, and looks whether a secret key reached the simulated Google. */
async function judge(test: OwnGateway, classPath: string): Promise<Verdict> {
  const { gatewayUrl, secretKey } = test.gateway;
  const simulatorUrl = z.string().parse(test.gateway.simulatorUrl);
  const out = await run('java', ['-Dfile.encoding=UTF-8', '-cp', classPath, 'Scenario'], {
    BASE_URL: gatewayUrl,
    SECRET_KEY: secretKey,
    CONNECTION_ID,
    SIMULATOR_URL: simulatorUrl,
    ACCESS_TOKEN: await connect(test, simulatorUrl),
  });
  const lines = out
    .trim()
    .split('\n')
    .map((line) => lineSchema.parse(JSON.parse(line)));
  const { requests } = requestsSchema.parse(await (await fetch(`${simulatorUrl}/__sim/requests`)).json());
  const leaks = requests.filter(({ headers }) => JSON.stringify(headers).includes(secretKey)).length;
  const failures = [
    ...lines.flatMap(({ check, problem }) => (problem === null ? [] : [`${check}: ${problem}`])),
    ...(requests.length > 0 && leaks === 0 ? [] : [`the secret key was in ${leaks} of ${requests.length} requests`]),
  ];
  return { passed: lines.length + 1 - failures.length, failures };
}

export const googleJavaClient: Opinion = {
  name: 'google-java-client',
  judges: 'Drive and Calendar through a gateway on this computer, and on the simulator',
  async ask(say): Promise<Verdict> {
    const libraries = await javaLibraries('google-java-client', POM);
    await bringStackUpToDate(say);
    const folder = mkdtempSync(join(tmpdir(), 'google-java-client-'));
    try {
      const jars = readdirSync(libraries).filter((name) => name.endsWith('.jar'));
      const classPath = [folder, ...jars.map((name) => join(libraries, name))].join(delimiter);
      say('compiles the scenario and the class of examples/google-clients');
      await run('javac', ['-encoding', 'UTF-8', '-cp', classPath, '-d', folder, GATEWAY_CLASS, SCENARIO]);
      say('works through a gateway, and on the simulator');
      await using test = await openGateway();
      return await judge(test, classPath);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
