/** Google's Python client sends 300 random requests that Google refuses; the answers are compared with a table of public clients. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { startSimulator } from '../../../packages/simulator/index.ts';
import { capture } from '../../tools/installed-programs.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { pythonTool } from '../tools.ts';

const TIMEOUT_MS = 600_000;
const COUNT = 300;
const ACCOUNT = 'editor@workspace.example';
const CLIENT = {
  clientId: '123456789012-opinion.apps.googleusercontent.com',
  clientSecret: 'a-client-secret',
  redirectUris: ['https://client.example/callback'],
};

const lineSchema = z.strictObject({ check: z.string(), problem: z.string().nullable() });
const tokenSchema = z.object({ access_token: z.string() });

export const errorAnswers: Opinion = {
  name: 'error-answers',
  judges: `${COUNT} refusals of the simulator`,
  async ask(say): Promise<Verdict> {
    const python = await pythonTool('python');
    const simulator = await startSimulator({ clients: [CLIENT] });
    try {
      const kinds = Object.keys(
        z
          .record(z.string(), z.unknown())
          .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'answers.json'), 'utf8'))),
      );
      say(`${COUNT} requests of ${kinds.length} kinds`);
      const body = JSON.stringify({ account: ACCOUNT });
      const minted = await fetch(`${simulator.controlUrl}/tokens`, { method: 'POST', body });
      const env = {
        PATH: process.env.PATH,
        PYTHONDONTWRITEBYTECODE: '1',
        SIMULATOR_URL: simulator.url,
        OWNER_TOKEN: tokenSchema.parse(await minted.json()).access_token,
        COUNT: String(COUNT),
      };
      const { code, out, err } = await capture(python, [join(import.meta.dirname, 'judge.py')], {
        timeoutMs: TIMEOUT_MS,
        env,
      });
      if (code !== 0) throw new Error(err.trim().split('\n').slice(-5).join('\n'));
      const lines = out
        .trim()
        .split('\n')
        .map((line) => lineSchema.parse(JSON.parse(line)));
      const failures = lines.flatMap(({ check, problem }) => (problem === null ? [] : [`${check}: ${problem}`]));
      if (lines.length !== COUNT) failures.push(`${lines.length} of ${COUNT} answers were compared`);
      return { passed: lines.filter(({ problem }) => problem === null).length, failures };
    } finally {
      await simulator.close();
    }
  },
};
