/** Signers of AWS requests that callers have in addition to AWS's SDK: what they sign, the local front takes as API Gateway would. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { openAwsCallers } from '../../local/front/aws-callers.ts';
import { judgeSignature } from '../../local/front/check-signature.ts';
import { SIGNABLE_REQUESTS } from '../../support/signable-requests.ts';
import { capture, type Output, WORK_FOLDER } from '../../tools/installed-programs.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { pythonTool } from '../tools.ts';

const AWS4FETCH = 'aws4fetch@1.0.20';
const FOLDER = join(WORK_FOLDER, 'signers');
const REGION = 'eu-central-1';
const BASE_URL = 'https://abc.execute-api.eu-central-1.amazonaws.com/v1/iam/proxy';
const IDENTITY = { 'Provider-Config-Key': 'google-drive', 'Connection-Id': 'user-1' };
const signedSchema = z.object({ url: z.string(), headers: z.record(z.string(), z.string()) });

export const signers: Opinion = {
  name: 'signers',
  judges: 'what the local front takes as the signature of an IAM role, over every method of Google’s APIs',
  async ask(say): Promise<Verdict> {
    const callers = openAwsCallers();
    const { credentials, identity } = callers.issue({ role: 'nightly-export' });
    mkdirSync(FOLDER, { recursive: true });
    const file = join(FOLDER, 'requests.json');
    const requests = SIGNABLE_REQUESTS.map(({ method, path, body = '' }) => {
      return { method, url: BASE_URL + path, headers: IDENTITY, body };
    });
    writeFileSync(file, JSON.stringify({ ...credentials, region: REGION, requests }), { mode: 0o600 });
    const failures: string[] = [];
    let passed = 0;
    for (const [name, lines] of [
      ['botocore', await botocoreSigns(file)],
      ['aws4fetch', await aws4fetchSigns(file, say)],
    ] as const) {
      if (lines.length !== requests.length) failures.push(`${name} signed ${lines.length} of ${requests.length}`);
      for (const [at, line] of lines.entries()) {
        const { url, headers } = signedSchema.parse(JSON.parse(line));
        const { method = '', body = '' } = requests[at] ?? {};
        const { host, pathname, search } = new URL(url);
        const sent = { method, target: pathname + search, headers: Object.entries({ host, ...headers }), body };
        const judge = { callers, region: REGION, otherAccounts: [], nowMs: Date.now() };
        const judgement = judgeSignature({ ...sent, body: Buffer.from(body) }, judge);
        if ('identity' in judgement && judgement.identity.userArn === identity.userArn) passed++;
        else failures.push(`${name} signs ${method} ${pathname}${search} otherwise: ${JSON.stringify(judgement)}`);
      }
    }
    return { passed, failures };
  },
};

async function botocoreSigns(file: string): Promise<string[]> {
  const env = { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1' };
  return linesOf(await capture(await pythonTool('python'), [join(import.meta.dirname, 'sign.py'), file], { env }));
}

async function aws4fetchSigns(file: string, say: (progress: string) => void): Promise<string[]> {
  const manifest = join(FOLDER, 'package.json');
  if (!existsSync(join(FOLDER, 'node_modules', 'aws4fetch'))) {
    say(`installs ${AWS4FETCH}`);
    writeFileSync(manifest, '{"private":true}');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
    const { code, err } = await capture('npm', ['install', ...options, AWS4FETCH], { cwd: FOLDER });
    if (code !== 0) throw new Error(`${AWS4FETCH} cannot be installed: ${err.trim().split('\n').at(-1)}`);
  }
  return linesOf(await capture(process.execPath, [join(import.meta.dirname, 'sign.cjs'), file, manifest]));
}

function linesOf({ code, out, err }: Output): string[] {
  if (code !== 0) throw new Error(err.trim().split('\n').slice(-5).join('\n'));
  return out.trim().split('\n');
}
