/** Functions that are open to debuggers: their inspectors, and no time limit that a halted call would run into. */
import { FIRST_INSPECTOR_PORT, type Inspector, openInspector } from './lambda/inspector.ts';
import type { Cleanup } from './shutdown.ts';
import { withoutQualifier } from './template/functions.ts';
import type { LocalStack } from './template/read-stack.ts';

/** A day: longer than anybody looks at one call. */
const HALTED_SEC = 86_400;

/**
 * The stack without time limits for inspected functions, which a debugger may halt.
 * @throws Error naming the existing functions, for an unknown name
 */
export function withoutTimeLimits(stack: LocalStack, inspected: readonly string[]): LocalStack {
  const names = stack.functions.map(({ displayName }) => displayName);
  const unknown = inspected.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new Error(`There is no function ${unknown.join(', ')} to inspect; there are ${names.join(', ')}.`);
  }
  const isInspected = ({ displayName }: { displayName: string }) => inspected.includes(displayName);
  const arns = new Set(stack.functions.filter(isInspected).map(({ arn }) => arn));
  return {
    ...stack,
    functions: stack.functions.map((fn) => (isInspected(fn) ? { ...fn, timeoutSec: HALTED_SEC } : fn)),
    restApi: stack.restApi && {
      ...stack.restApi,
      routes: stack.restApi.routes.map((route) =>
        arns.has(withoutQualifier(route.functionArn)) ? { ...route, timeoutMs: HALTED_SEC * 1000 } : route,
      ),
    },
  };
}

/** Opens an inspector for each function. @param fixedPorts take the ports that debuggers try first, where they are free */
export async function openInspectors(
  inspected: readonly string[],
  fixedPorts: boolean,
  cleanup: Cleanup,
): Promise<Inspector[]> {
  const inspectors = await Promise.all(
    inspected.map((name, index) => openInspector(name, fixedPorts ? FIRST_INSPECTOR_PORT + index : 0)),
  );
  for (const inspector of inspectors) cleanup.add(() => inspector.close());
  return inspectors;
}
