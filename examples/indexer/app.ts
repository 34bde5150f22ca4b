import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';
import { IndexerStack } from './indexer-stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'indexer-'));
buildSync({
  entryPoints: [join(import.meta.dirname, 'index-files.ts')],
  outfile: join(folder, 'index.cjs'),
  ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node24' },
});

const {
  CLIENT_ID: clientId,
  CLIENT_SECRET_NAME: secretName,
  CDK_DEFAULT_REGION: region = 'eu-central-1',
} = process.env;
new IndexerStack(new App(), 'Indexer', {
  region,
  code: Code.fromAsset(folder),
  ...(clientId && secretName ? { client: { clientId, secretName } } : {}),
});
