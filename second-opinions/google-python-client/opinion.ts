/** Google's own Python client, set up as `examples/google_api_client.py` says, against a gateway on this computer. */
import { join } from 'node:path';
import * as z from 'zod';
import { ensureAssembly } from '../../local/assembly.ts';
import { startWriterGateway } from '../../test/integration/clients/writers.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { capture, pythonTool } from '../tools.ts';
import { judgeSimulator } from './simulator.ts';

const TIMEOUT_MS = 300_000;
const lineSchema = z.strictObject({ check: z.string(), problem: z.string().nullable() });

export const googlePythonClient: Opinion = {
  name: 'google-python-client',
  judges:
    'lists, batches, uploads, downloads and errors through a local gateway; the written scenario on the simulator',
  async ask(say): Promise<Verdict> {
    const python = await pythonTool('python');
    say('works on a simulator');
    const simulated = await judgeSimulator(python);
    await ensureAssembly({
      mode: 'auto',
      step: (name, work) => {
        say(name);
        return work();
      },
    });
    say('calls a gateway on this computer');
    await using gateway = await startWriterGateway();
    const { code, out, err } = await capture(python, [join(import.meta.dirname, 'check.py')], {
      timeoutMs: TIMEOUT_MS,
      env: {
        PATH: process.env.PATH,
        PYTHONDONTWRITEBYTECODE: '1',
        GATEWAY_BASE_URL: gateway.baseUrl,
        GATEWAY_SECRET_KEY: gateway.secretKey,
        DRIVE_INTEGRATION: gateway.drive.integrationId,
        DRIVE_CONNECTION: gateway.drive.connectionId,
        CALENDAR_INTEGRATION: gateway.calendar.integrationId,
        CALENDAR_CONNECTION: gateway.calendar.connectionId,
      },
    });
    if (code !== 0) throw new Error(`check.py ended with ${code}: ${err.trim().split('\n').slice(-5).join('\n')}`);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => lineSchema.parse(JSON.parse(line)));
    const failures = lines.flatMap(({ check, problem }) => (problem === null ? [] : [`${check}: ${problem}`]));
    return {
      passed: simulated.passed + lines.length - failures.length,
      failures: [...simulated.failures, ...failures],
    };
  },
};
