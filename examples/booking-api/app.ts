import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotations, App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { BookingStack } from './booking-stack.ts';

const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'booking-'));
cpSync(join(here, 'booking.py'), join(folder, 'booking.py'));
cpSync(join(here, '../../packages/python/src/integration_gateway'), join(folder, 'integration_gateway'), {
  recursive: true,
  filter: (path) => !path.includes('__pycache__'),
});
const pip = ['-m', 'pip', 'install', '--quiet', '--target', folder, 'httpx>=0.27,<1'];
const { status } = spawnSync('python3', pip, { stdio: ['ignore', 'ignore', 'inherit'] });

const {
  CLIENT_ID: clientId,
  CLIENT_SECRET_NAME: secretName,
  CONNECTION_ID: connectionId,
  CDK_DEFAULT_REGION: region = 'eu-central-1',
} = process.env;
const stack = new BookingStack(new App(), 'Booking', {
  region,
  code: Code.fromAsset(folder),
  ...(clientId && secretName ? { client: { clientId, secretName } } : {}),
  ...(connectionId ? { connectionId } : {}),
});
// `cdk deploy` refuses a stack with an error; `npm start -- --app` runs the rest of it.
if (status !== 0) Annotations.of(stack).addError('python3 with pip is needed to install httpx next to the function.');
