import { describe, expect, it } from 'vitest';
import { withoutTimeLimits } from '../../../dev/local/debugging.ts';
import { readAssembly } from '../../../dev/local/template/read-stack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { writeAssembly } from './fixtures/assembly.ts';
import { STANDARD_FIXTURE } from './fixtures/gateway.ts';

describe('a stack with inspected functions', () => {
  const stack = () => readAssembly(writeAssembly(temporaryFolder(), STANDARD_FIXTURE));

  it('cuts no call of an inspected function off while it is halted, and those of others as before', async () => {
    const before = await stack();
    const after = withoutTimeLimits(before, ['proxy']);
    const seconds = (name: string) => after.functions.find(({ displayName }) => displayName === name)?.timeoutSec;
    expect([seconds('proxy'), seconds('management')]).toEqual([86_400, 2]);
    const proxy = after.functions.find(({ displayName }) => displayName === 'proxy');
    const routes = after.restApi?.routes ?? [];
    const limits = (isProxys: boolean) =>
      new Set(
        routes.filter(({ functionArn }) => (functionArn === proxy?.arn) === isProxys).map(({ timeoutMs }) => timeoutMs),
      );
    expect([...limits(true)]).toEqual([86_400_000]);
    expect([...limits(false)]).not.toContain(86_400_000);
    expect(limits(false).size).toBeGreaterThan(0);
  });

  it('refuses a name that no function has, and says which there are', async () => {
    const given = await stack();
    expect(() => withoutTimeLimits(given, ['nobody'])).toThrow(/no function nobody to inspect; there are .*proxy/);
  });
});
