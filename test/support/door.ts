import { ensureAssembly } from '../../dev/tools/assembly.ts';
import type { FRONT_DOORS } from '../../lambdas/gateway/core/contract.ts';

export type Door = (typeof FRONT_DOORS)[number];

/** AWS account in addition to the gateway's own whose roles that template lets in. */
export const OTHER_ACCOUNT = '444455556666';

/** Environment variable of a suite that names the door its proxied calls go through. */
const TEST_DOOR = 'GATEWAY_TEST_DOOR';

/** The door of this suite. */
export const testDoor = (): Door => (process.env[TEST_DOOR] === 'function-url' ? 'function-url' : 'rest-api');

/** The expected value for the front door of this suite, where doors differ. */
export const byDoor = <T>(ofRestApi: T, ofFunctionUrl: T): T => (testDoor() === 'rest-api' ? ofRestApi : ofFunctionUrl);

/** Folder of the template whose proxied calls have a door of their own; undefined in a suite of the usual one. */
export async function assemblyOfDoor(): Promise<string | undefined> {
  return testDoor() === 'rest-api' ? undefined : doorAssembly('reuse');
}

function doorAssembly(mode: 'auto' | 'reuse'): Promise<string> {
  return ensureAssembly({
    mode,
    // IAM callers come in by the REST API, whatever door there is alongside it.
    stackOptions: { frontDoor: 'function-url', iamCallers: true, iamCallerAccounts: [OTHER_ACCOUNT] },
    variant: 'function-url',
    step: (_name, work) => work(),
  });
}

/** Runs once before the suite of the second door: makes its template of the bundles that are there. */
export default async function prepareDoor(): Promise<void> {
  await ensureAssembly({ mode: 'auto', step: (_name, work) => work() });
  await doorAssembly('auto');
}
