import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';
import { AssistantStack } from './assistant-stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'assistant-'));
buildSync({
  entryPoints: [join(import.meta.dirname, 'run-tool.ts')],
  outfile: join(folder, 'index.mjs'),
  ...{ bundle: true, platform: 'node', format: 'esm', target: 'node24' },
});

const {
  CLIENT_ID: clientId,
  CLIENT_SECRET_NAME: secretName,
  CDK_DEFAULT_REGION: region = 'eu-central-1',
} = process.env;
new AssistantStack(new App(), 'Assistant', {
  region,
  code: Code.fromAsset(folder),
  ...(clientId && secretName ? { client: { clientId, secretName } } : {}),
});
