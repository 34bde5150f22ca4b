import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { METRICS } from '../../lambdas/gateway/core/contract.ts';

const LAMBDAS = join(import.meta.dirname, '..', '..', 'lambdas');

it('the metrics that functions count are exactly those that alarms and dashboards know', () => {
  const counted = readdirSync(LAMBDAS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [
      ...readFileSync(join(LAMBDAS, path), 'utf8').matchAll(
        /metrics\s*\.count\(\s*(?:'(\w+)'|METRICS\.(\w+)|([^)]*))/g,
      ),
    ])
    .map(
      ([call, name, key, other]) =>
        name ?? Object.entries(METRICS).find(([known]) => known === key)?.[1] ?? `${call}${other}`,
    );
  expect([...new Set(counted)].toSorted()).toEqual(Object.values(METRICS).toSorted());
});
