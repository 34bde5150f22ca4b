import { join } from 'node:path';
import * as z from 'zod';
import { startSimulator } from '../../../packages/simulator/index.ts';
import { capture, pythonEnvironment } from '../../tools/installed-programs.ts';
import type { Verdict } from '../opinion.ts';
import { conformance } from './conformance.ts';

const AGENT = {
  clientId: '123456789012-agent.apps.googleusercontent.com',
  clientSecret: 'a-client-secret',
  redirectUris: [],
  agentic: true,
};
const SCOPES = [...['drive.readonly', 'drive.file', 'calendar.calendarlist.readonly', 'calendar.events']].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
);
const ACCOUNT = 'first.user@example.com';

/** The suite calls without a token, and its tools are not Google's. What Google answers to pages of other origins is not known. */
const SUITE = {
  name: 'google-drive',
  withoutScenarios: ['tools-call-simple-text', 'tools-call-error', 'dns-rebinding-protection'],
  withoutChecks: ['sep-2243-server-accepts-whitespace-header-value'],
};

const lineSchema = z.strictObject({ check: z.string(), problem: z.string().nullable() });
const tokenSchema = z.object({ access_token: z.string() });

/**
 * Official clients at Google's simulated servers (GA-27): Python's in each of its modes, the first generation of TypeScript's, and the
 * conformance suite as far as it asks for no tools of its own.
 *
 * @param installed folder of the installed npm packages
 */
export async function googleServers(installed: string, say: (progress: string) => void): Promise<Verdict> {
  const python = await pythonEnvironment('python-mcp', join(import.meta.dirname, 'requirements.txt'));
  const simulator = await startSimulator({ clients: [AGENT] });
  try {
    const control = async (path: string, body: unknown): Promise<unknown> =>
      (await fetch(`${simulator.controlUrl}/${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
    const reporting = { server: 'calendarmcp.googleapis.com', name: 'list_events', progress: 2 };
    await control('mcp', { approvals: { account: ACCOUNT, policy: 'changes' }, tools: [reporting] });
    const minted = await control('tokens', { account: ACCOUNT, clientId: AGENT.clientId, scopes: SCOPES });
    const env = {
      PATH: process.env.PATH,
      PYTHONDONTWRITEBYTECODE: '1',
      DRIVE_ENDPOINT: simulator.endpoints.drive_mcp_endpoint,
      CALENDAR_ENDPOINT: simulator.endpoints.calendar_mcp_endpoint,
      TOKEN: tokenSchema.parse(minted).access_token,
    };
    const here = (name: string) => join(import.meta.dirname, name);
    const verdicts = [
      await ask(join(python, 'bin', 'python'), [here('google_servers.py')], env),
      await ask(process.execPath, [here('google-servers.mjs'), join(installed, 'package.json')], env),
      await conformance(installed, { ...SUITE, address: simulator.endpoints.drive_mcp_endpoint }, say),
    ];
    return {
      passed: verdicts.reduce((sum, { passed }) => sum + passed, 0),
      failures: verdicts.flatMap(({ failures }) => failures),
    };
  } finally {
    await simulator.close();
  }
}

/** Runs a program that prints a line for each of its checks. */
async function ask(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<Verdict> {
  const { code, out, err } = await capture(program, args, { env });
  const lines = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => lineSchema.parse(JSON.parse(line)));
  const wrong = lines.filter(({ problem }) => problem !== null);
  const failures = wrong.map(({ check, problem }) => `Google's simulated server, ${args[0]}: ${check}: ${problem}`);
  if (code !== 0) failures.push(`${args[0]} ended with ${code}: ${err.slice(-2_000)}`);
  return { passed: lines.length - wrong.length, failures };
}
