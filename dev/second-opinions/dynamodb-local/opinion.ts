import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINT_VARIABLE } from '../../local/dynamodb/engine.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import type { Opinion } from '../opinion.ts';
import { OWN_TESTS, verdictOfTests } from '../tests.ts';
import { bringStackUpToDate } from '../tools.ts';
import { startDynamoDbLocal } from './server.ts';

/** The files of the integration suite that tell most about the table, and none that looks into the engine's own file. */
const FILES = [
  'test/integration/local-dynamodb.test.ts',
  'test/integration/connect/sessions.test.ts',
  'test/integration/connect/confirmation.test.ts',
  'test/integration/connect/reconnect.test.ts',
  'test/integration/gateway/stored-values.test.ts',
  'test/integration/api/audit.test.ts',
  'test/integration/api/tenants.test.ts',
  'test/integration/refresh/policy.test.ts',
  'test/integration/refresh/warnings.test.ts',
  'test/integration/refresh/count-connections.test.ts',
  'test/integration/operate/restore.test.ts',
];

/** DynamoDB as AWS gives it away for tests, in the place of the engine that the local runtime brings. */
export const dynamoDb: Opinion = {
  name: 'dynamodb',
  judges: 'conditions, transactions, indexes, streams and pages of the table, on a second engine',
  async ask(say) {
    // A name that no longer fits anything would leave its file out without a word.
    const gone = FILES.filter((file) => !existsSync(join(PROJECT_ROOT, file)));
    if (gone.length > 0) throw new Error(`There is no ${gone.join(', ')}: follow them in ${import.meta.filename}.`);
    await bringStackUpToDate(say);
    say('both engines side by side');
    const side = await verdictOfTests('dynamodb-engines', [
      ...OWN_TESTS,
      'dev/second-opinions/dynamodb-local/engines.test.ts',
    ]);
    say('the gateway on DynamoDB Local');
    await using engine = await startDynamoDbLocal();
    const whole = await verdictOfTests('dynamodb', ['--project', 'integration', ...FILES], {
      [ENDPOINT_VARIABLE]: engine.endpoint,
    });
    return { passed: side.passed + whole.passed, failures: [...side.failures, ...whole.failures] };
  },
};
