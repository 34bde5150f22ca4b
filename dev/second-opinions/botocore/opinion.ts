/** botocore, which signs, writes and reads for AWS's command line and for boto3, does what the lean AWS client did, and compares. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { capture, type Output, WORK_FOLDER } from '../../tools/installed-programs.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { pythonTool } from '../tools.ts';

const REQUESTS = join(WORK_FOLDER, 'botocore.jsonl');
const lineSchema = z.strictObject({ check: z.string(), problems: z.array(z.string()) });

export const botocore: Opinion = {
  name: 'botocore',
  judges: 'requests, signatures, answers and addresses of the lean AWS client',
  async ask(): Promise<Verdict> {
    const python = await pythonTool('python');
    // Nothing of the shell's: neither an account nor an address of AWS.
    const env = { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1' };
    const played = required(await capture(process.execPath, [join(import.meta.dirname, 'requests.ts')], { env }));
    mkdirSync(dirname(REQUESTS), { recursive: true });
    writeFileSync(REQUESTS, played);
    const said = required(await capture(python, [join(import.meta.dirname, 'judge.py'), REQUESTS], { env }));
    const lines = said
      .trim()
      .split('\n')
      .map((line) => lineSchema.parse(JSON.parse(line)));
    const expected = played.trim().split('\n').length;
    const failures = lines.flatMap(({ check, problems }) => problems.map((problem) => `${check} ${problem}`));
    if (lines.length !== expected) failures.push(`${lines.length} of ${expected} were judged`);
    return { passed: lines.filter(({ problems }) => problems.length === 0).length, failures };
  },
};

function required({ code, out, err }: Output): string {
  if (code !== 0) throw new Error(err.trim().split('\n').slice(-5).join('\n'));
  return out;
}
