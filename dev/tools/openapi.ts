/** `node dev/tools/openapi.ts`: writes the API's document to `dist/openapi.json` and lints it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiDocument } from './api-document.ts';
import { PROJECT_ROOT, run } from './run.ts';

/** The linter takes real addresses only; a deployed gateway puts its own here. */
const SAMPLE_BASE_URL = 'https://gateway.example/v1';

const file = join(PROJECT_ROOT, 'dist', 'openapi.json');
await mkdir(join(PROJECT_ROOT, 'dist'), { recursive: true });
await writeFile(file, `${JSON.stringify(apiDocument(SAMPLE_BASE_URL), undefined, 2)}\n`);
process.exitCode = await run('redocly', ['lint', '--config', 'docs/openapi/redocly.yaml', file], {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
});
