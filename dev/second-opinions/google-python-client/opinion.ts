/**
 * Google's Python client works on a simulator: every step of the written scenario, every answer by the schemas of the
 * discovery documents that the package carries.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { walkConsent } from '../../../packages/simulator/consent.ts';
import { type Simulator, startSimulator } from '../../../packages/simulator/index.ts';
import { judgeAnswer } from '../../support/judge-answers.ts';
import { isCurrent } from '../../tools/generated-files.ts';
import { compactSchemas, installedDocuments, SCHEMAS_FILE } from '../../tools/google-schemas.ts';
import { capture } from '../../tools/installed-programs.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { pythonTool } from '../tools.ts';

const TIMEOUT_MS = 120_000;
/** Calendar's last: it starts from an empty world and sets the clock. */
const SCENARIOS = ['drive_scenario.py', 'calendar_scenario.py'];
const PEOPLE = {
  OWNER: 'editor@workspace.example',
  COLLEAGUE: 'viewer@workspace.example',
  OUTSIDER: 'first.user@example.com',
} as const;
const CLIENT = {
  clientId: '123456789012-opinion.apps.googleusercontent.com',
  clientSecret: 'a-client-secret',
  redirectUris: ['https://client.example/callback'],
};
const SCOPES = ['drive', 'drive.appdata', 'drive.apps.readonly', 'calendar'].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
);

const lineSchema = z.strictObject({ check: z.string(), problem: z.string().nullable() });
const tokenSchema = z.object({ access_token: z.string() });

async function signIn({ endpoints }: Simulator, account: string): Promise<string> {
  const [redirectUri = ''] = CLIENT.redirectUris;
  const query = new URLSearchParams({
    client_id: CLIENT.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: SCOPES.join(' '),
    state: 'opinion',
  });
  const { location } = await walkConsent(`${endpoints.authorization_endpoint}?${query}`, { account, scopes: 'all' });
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: new URL(location).searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    client_id: CLIENT.clientId,
    client_secret: CLIENT.clientSecret,
  });
  const answer = await fetch(endpoints.token_endpoint, { method: 'POST', body });
  return tokenSchema.parse(await answer.json()).access_token;
}

/** Runs what the simulator's README shows of uploads, at this simulator. */
async function readmeProblems(python: string, url: string): Promise<string[]> {
  const readme = readFileSync(join(PROJECT_ROOT, 'packages/simulator/README.md'), 'utf8');
  const code = /^```python uploads\n(?<code>[\s\S]*?)^```/m.exec(readme)?.groups?.code ?? '';
  const here = code.replaceAll('http://127.0.0.1:3002', url);
  const env = { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1' };
  const { out, err } = await capture(python, ['-c', here], { timeoutMs: TIMEOUT_MS, env });
  const expected = "10\n614400\nb'What to do'\n";
  return out === expected ? [] : [`packages/simulator/README.md, uploads: ${out}${err.trim()}`];
}

/** Runs the scenarios and compares the simulator's schemas with the package's. */
async function judgeSimulator(python: string): Promise<Verdict> {
  const problems: string[] = [];
  const simulator = await startSimulator({
    clients: [CLIENT],
    observer: {
      onRequest: () => undefined,
      onAnswer: () => undefined,
      onIssued: () => undefined,
      onResource: (resource) => problems.push(...judgeAnswer(resource)),
    },
  });
  const lines: z.infer<typeof lineSchema>[] = [];
  try {
    const people = Object.entries(PEOPLE);
    const signedIn = people.map(async ([name, account]) => [`${name}_TOKEN`, await signIn(simulator, account)]);
    const tokens = Object.fromEntries(await Promise.all(signedIn));
    const env = {
      PATH: process.env.PATH,
      PYTHONDONTWRITEBYTECODE: '1',
      SIMULATOR_URL: simulator.url,
      ...PEOPLE,
      ...tokens,
    };
    problems.push(...(await readmeProblems(python, simulator.url)));
    for (const scenario of SCENARIOS) {
      const path = join(import.meta.dirname, scenario);
      const { code, out, err } = await capture(python, [path], { timeoutMs: TIMEOUT_MS, env });
      if (code !== 0) throw new Error(`${scenario} ended with ${code}: ${err.trim().split('\n').slice(-5).join('\n')}`);
      lines.push(
        ...out
          .trim()
          .split('\n')
          .map((line) => lineSchema.parse(JSON.parse(line))),
      );
    }
  } finally {
    await simulator.close();
  }
  const read = installedDocuments();
  const hasSchemas = read !== undefined && isCurrent(SCHEMAS_FILE, compactSchemas(read));
  const outdated = `${SCHEMAS_FILE} is not made from the installed package: run npm run generate`;
  const failures = lines.flatMap(({ check, problem }) => (problem === null ? [] : [`${check}: ${problem}`]));
  return {
    passed: lines.length - failures.length + Number(hasSchemas),
    failures: [...failures, ...problems, ...(hasSchemas ? [] : [outdated])],
  };
}

export const googlePythonClient: Opinion = {
  name: 'google-python-client',
  judges: 'the written scenarios on the simulator',
  async ask(say): Promise<Verdict> {
    const python = await pythonTool('python');
    say('works on a simulator');
    return judgeSimulator(python);
  },
};
