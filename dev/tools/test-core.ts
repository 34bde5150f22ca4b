/**
 * `npm run test:core [-- vitest arguments]`: runs only the core's part of `npm test`: proxied calls, the OAuth callback, refreshes,
 * connections and keys, their rules and one file or two of each over HTTP. No test of a feature.
 */
import { exitWithHelp } from './help.ts';
import { run } from './run.ts';

const UNIT = [
  ...['authorization', 'connections', 'core', 'http', 'integrations', 'keys', 'providers', 'proxy', 'proxying'],
  ...['refresh', 'tokens'],
].map((subject) => `test/unit/${subject}/`);
const OVER_HTTP = [
  ...['connect/authorization', 'connect/reconnect', 'connect/sessions', 'gateway/main-job', 'proxy/answers'],
  ...['proxy/boundaries', 'proxy/requests', 'proxy/resilience', 'refresh/policy'],
].map((file) => `test/integration/${file}.test.ts`);

exitWithHelp(import.meta.filename);
process.exitCode = await run('node', [
  'dev/tools/test.ts',
  ...['--project', 'unit', '--project', 'integration'],
  ...process.argv.slice(2),
  ...UNIT,
  ...OVER_HTTP,
]);
