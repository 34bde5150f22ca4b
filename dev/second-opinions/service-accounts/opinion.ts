/** Google's own clients for service accounts, and its AwsClient, work on a simulator unmodified. */
import { join } from 'node:path';
import { AwsClient, JWT } from 'google-auth-library';
import * as z from 'zod';
import { type Simulator, startSimulator } from '../../../packages/simulator/index.ts';
import { capture } from '../../tools/installed-programs.ts';
import { errorMessage } from '../../tools/json.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { pythonTool } from '../tools.ts';

const SCOPES = ['https://www.googleapis.com/auth/drive'];
const SUBJECT = 'editor@workspace.example';
const ROBOT = 'robot@project.iam.gserviceaccount.com';
const POOL = '//iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/aws/providers/aws';
const AWS_KEY = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'an-aws-secret' };

const delegateSchema = z.object({ clientId: z.string(), key: z.record(z.string(), z.string()) });
const lineSchema = z.strictObject({ check: z.string(), problem: z.string().nullable() });

async function control({ controlUrl }: Simulator, path: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${controlUrl}/${path}`, { method: 'POST', body: JSON.stringify(body) });
  return answer.json();
}

/** A service account with a key, listed for the domain, that AWS identities of the pool may use. */
async function makeAccount(simulator: Simulator): Promise<Record<string, string>> {
  const body = {
    ...{ email: ROBOT, createKey: true, principals: [POOL] },
    awsSecrets: { [AWS_KEY.accessKeyId]: AWS_KEY.secretAccessKey },
  };
  const { clientId, key } = delegateSchema.parse(await control(simulator, 'delegates', body));
  await control(simulator, 'delegation', { clientId, scopes: SCOPES });
  return key;
}

type Check = readonly [name: string, run: () => Promise<unknown>];

/** The Node client posts to Google's address whatever the key's file says: its requests are led to the simulator. */
function nodeChecks(simulator: Simulator, key: Record<string, string>): Check[] {
  const origin = new URL(simulator.endpoints.token_endpoint).origin;
  const fetchImplementation: typeof fetch = (input, init) =>
    fetch(String(input instanceof Request ? input.url : input).replace('https://oauth2.googleapis.com', origin), init);
  const jwt = (subject: string | undefined) =>
    new JWT({
      email: ROBOT,
      key: key.private_key ?? '',
      scopes: SCOPES,
      transporterOptions: { fetchImplementation },
      ...(subject === undefined ? {} : { subject }),
    });
  const aws = (more: object) =>
    new AwsClient({
      ...{ type: 'external_account', audience: POOL, token_url: `${origin}/v1/token` },
      subject_token_type: 'urn:ietf:params:aws:token-type:aws4_request',
      aws_security_credentials_supplier: {
        getAwsRegion: async () => 'eu-central-1',
        getAwsSecurityCredentials: async () => ({ ...AWS_KEY, token: 'a-session-token' }),
      },
      ...more,
    });
  const impersonated = `${origin}/v1/projects/-/serviceAccounts/${ROBOT}:generateAccessToken`;
  return [
    ['google-auth-library for Node: the account itself', () => jwt(undefined).authorize()],
    ['google-auth-library for Node: a user of the domain', () => jwt(SUBJECT).authorize()],
    ['AwsClient: a federated token', () => aws({}).getAccessToken()],
    [
      'AwsClient: a token of the service account',
      () => aws({ service_account_impersonation_url: impersonated, scopes: SCOPES }).getAccessToken(),
    ],
  ];
}

export const serviceAccounts: Opinion = {
  name: 'service-accounts',
  judges: 'service accounts and AWS identities on the simulator',
  async ask(say): Promise<Verdict> {
    const python = await pythonTool('python');
    const simulator = await startSimulator();
    try {
      const key = await makeAccount(simulator);
      const lines: z.infer<typeof lineSchema>[] = [];
      for (const [check, run] of nodeChecks(simulator, key)) {
        say(check);
        const problem = await run().then(
          () => null,
          (error: unknown) => errorMessage(error),
        );
        lines.push({ check, problem });
      }
      const env = { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', KEY_FILE: JSON.stringify(key), SUBJECT };
      const { out, err } = await capture(python, [join(import.meta.dirname, 'judge.py')], { timeoutMs: 120_000, env });
      const found = out
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => lineSchema.parse(JSON.parse(line)));
      if (found.length !== 2)
        lines.push({ check: 'google-auth for Python', problem: err.trim().split('\n').slice(-3).join(' ') });
      const all = [...lines, ...found];
      const failures = all.flatMap(({ check, problem }) => (problem === null ? [] : [`${check}: ${problem}`]));
      return { passed: all.length - failures.length, failures };
    } finally {
      await simulator.close();
    }
  },
};
