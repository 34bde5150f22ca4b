import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { BookingStack } from './booking-stack.ts';

const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'booking-'));
cpSync(join(here, 'booking.py'), join(folder, 'booking.py'));
cpSync(join(here, '../../packages/python/src/integration_gateway'), join(folder, 'integration_gateway'), {
  recursive: true,
  filter: (path) => !path.includes('__pycache__'),
});
execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', folder, 'httpx>=0.27,<1'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});

const {
  CLIENT_ID: clientId,
  CLIENT_SECRET_NAME: secretName,
  CONNECTION_ID: connectionId,
  CDK_DEFAULT_REGION: region = 'eu-central-1',
} = process.env;
new BookingStack(new App(), 'Booking', {
  region,
  code: Code.fromAsset(folder),
  ...(clientId && secretName ? { client: { clientId, secretName } } : {}),
  ...(connectionId ? { connectionId } : {}),
});
