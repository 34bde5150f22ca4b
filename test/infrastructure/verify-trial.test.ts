// @module-tag long
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import * as z from 'zod';
import { temporaryFolder } from '../../dev/support/synthesize.ts';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';
import { ECHO_BUNDLE, TRIAL_VARIABLE, type Trial } from '../../packages/cli/verify/echo/trial-app.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const templateSchema = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), DeletionPolicy: z.string().optional(), Properties: z.unknown() }),
  ),
  Outputs: z.record(z.string(), z.unknown()),
});

async function synthesize(trial: Trial): Promise<z.output<typeof templateSchema>> {
  mkdirSync(ECHO_BUNDLE, { recursive: true });
  writeFileSync(join(ECHO_BUNDLE, 'index.mjs'), '', { flag: 'a' });
  const outdir = join(folder.path, trial.stackName);
  await promisify(execFile)(process.execPath, ['packages/cli/verify/echo/trial-app.ts'], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, CDK_OUTDIR: outdir, CDK_VALIDATION: 'false', [TRIAL_VARIABLE]: JSON.stringify(trial) },
  });
  return templateSchema.parse(JSON.parse(readFileSync(join(outdir, `${trial.stackName}.template.json`), 'utf8')));
}

it('a trial consists of an echo with an event queue and a gateway that has no other Google, and leaves nothing behind', async () => {
  const echo = await synthesize({ stackName: 'Gateway-Verify-Echo', region: 'eu-central-1' });
  expect(Object.keys(echo.Outputs).toSorted()).toEqual(['EchoUrl', 'EventBusArn', 'QueueUrl']);
  const eventBusArn = 'arn:aws:events:eu-central-1:123456789012:event-bus/trial';
  const gateway = await synthesize({
    stackName: 'Gateway-Verify',
    region: 'eu-central-1',
    echo: { url: 'https://abc.lambda-url.eu-central-1.on.aws/', eventBusArn },
  });
  for (const template of [echo, gateway]) {
    const kept = Object.entries(template.Resources).filter(([, { DeletionPolicy }]) =>
      DeletionPolicy?.startsWith('Retain'),
    );
    expect(kept.map(([id]) => id)).toEqual([]);
  }
  const text = JSON.stringify(gateway);
  expect(text).not.toMatch(/googleapis\.com|accounts\.google\.com/);
  expect(text).toContain(eventBusArn);
  expect(Object.values(gateway.Resources).filter(({ Type }) => /Cognito|CloudFront/.test(Type))).toEqual([]);
});
