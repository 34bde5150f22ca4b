/** python-dateutil, which reads recurrence rules for much of Python, expands the same series as the simulator's Calendar. */
import { join } from 'node:path';
import * as z from 'zod';
import { startSimulator } from '../../../packages/simulator/index.ts';
import { capture } from '../../tools/installed-programs.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { pythonTool } from '../tools.ts';

const TIMEOUT_MS = 1_200_000;
/** Series of the seeded set: each frequency, zone and form of a date comes up many times. */
const SERIES = 300;

const CLIENT = {
  clientId: '123456789012-opinion.apps.googleusercontent.com',
  clientSecret: 'a-client-secret',
  redirectUris: ['https://client.example/callback'],
};

const lineSchema = z.strictObject({
  check: z.string(),
  /** Instances that were compared. */
  instances: z.number(),
  problem: z.string().nullable(),
});

export const dateutil: Opinion = {
  name: 'dateutil',
  judges: 'instances of recurring events on the simulator',
  async ask(say): Promise<Verdict> {
    const python = await pythonTool('python');
    say(`expands ${SERIES} series`);
    const simulator = await startSimulator({ clients: [CLIENT] });
    try {
      const env = {
        PATH: process.env.PATH,
        PYTHONDONTWRITEBYTECODE: '1',
        SIMULATOR_URL: simulator.url,
        SERIES: String(SERIES),
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
      say(`${lines.reduce((sum, { instances }) => sum + instances, 0)} instances compared`);
      const failures = lines.flatMap(({ check, problem }) => (problem === null ? [] : [`${check}: ${problem}`]));
      if (lines.length !== SERIES) failures.push(`${lines.length} of ${SERIES} series were compared`);
      return { passed: lines.filter(({ problem }) => problem === null).length, failures };
    } finally {
      await simulator.close();
    }
  },
};
