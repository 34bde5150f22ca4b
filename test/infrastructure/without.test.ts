import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { resourcesOf, synthesize } from '../../dev/support/synthesize.ts';
import { PROJECT_ROOT } from '../../dev/tools/run.ts';
import { FEATURE_IDS, FEATURES } from '../../lambdas/features/index.ts';
import { TABLE_WRITES, type WriteRights } from '../../lambdas/gateway/core/table-rights.ts';
import { idleMonth, millionCalls, total } from '../../packages/cli/costs/cost-model.ts';
import { LEAN_STACK } from '../../packages/cli/costs/prices.ts';

/** What policies name rows of features in the main table by. */
const ROWS = FEATURES.flatMap(({ families }) => Object.values(families)).map((family) => `${family}#*`);
const VARIABLES = FEATURES.flatMap(({ environment }) => Object.values(environment));

const ACTIONS = ['DeleteItem', 'PutItem', 'UpdateItem'] as const;

describe('rows of features in the main table', () => {
  const writes: Readonly<Record<string, WriteRights>> = TABLE_WRITES;
  const rights = FEATURES.flatMap((feature) =>
    Object.entries(feature.rights).map(([name, of]) => [feature.id, name, of] as const),
  );
  it.each(rights)(
    'rows of features in the main table of %s: %s has the rights that the feature declares',
    (_, name, of) => {
      for (const action of ACTIONS) {
        const declared = of[action] ?? [];
        expect(writes[name]?.[action] ?? []).toEqual(expect.arrayContaining([...declared]));
      }
    },
  );
});

/** Resources that cost something each month whether they are used or not. */
const PRICED = [
  'AWS::KMS::Key',
  'AWS::SecretsManager::Secret',
  ...['Alarm', 'CompositeAlarm', 'Dashboard'].map((kind) => `AWS::CloudWatch::${kind}`),
];

/** What contributing/stack-counts.md counts in a template, in its order. */
async function countsOf(without: readonly string[]): Promise<number[]> {
  const template = await synthesize({ without });
  const of = (...types: readonly string[]) => types.flatMap((type) => Object.values(resourcesOf(template, type)));
  const all: object = template.toJSON().Resources;
  const statements = of('AWS::IAM::Policy').flatMap(
    (policy) => policySchema.parse(policy).Properties.PolicyDocument.Statement,
  );
  return [
    Object.keys(all).length,
    of('AWS::Lambda::Function').length,
    of('AWS::DynamoDB::GlobalTable').length,
    statements.length,
    statements.flatMap(({ Action }) => Action).length,
    of(...PRICED).length,
  ];
}

const policySchema = z.object({
  Properties: z.object({
    PolicyDocument: z.object({ Statement: z.array(z.object({ Action: z.union([z.string(), z.array(z.string())]) })) }),
  }),
});

describe('the stack without its features', () => {
  it('the stack without its features has as many resources and permissions as contributing/stack-counts.md says', async () => {
    const text = readFileSync(join(PROJECT_ROOT, 'contributing/stack-counts.md'), 'utf8');
    const [, table = ''] = /\| In the template \|.*\n\|[-|:]+\n((?:\|.*\n)+)/.exec(text) ?? [];
    const rows = [...table.matchAll(/\| (\d+) \| (\d+) \|$/gm)];
    expect(rows.map(([, whole]) => Number(whole))).toEqual(await countsOf([]));
    expect(rows.map(([, , lean]) => Number(lean))).toEqual(await countsOf([...FEATURE_IDS]));
  });

  it('the stack without its features has the numbers and the price of docs/deploy.md, by the model of docs/costs.md', async () => {
    const [resources, functions, , , actions] = await countsOf([...FEATURE_IDS]);
    const text = readFileSync(join(PROJECT_ROOT, 'docs/deploy.md'), 'utf8');
    expect(text).toContain(`has ${functions} functions, ${resources} resources and ${actions} permitted actions`);
    expect(text).toContain(`Unused, it costs $${total(idleMonth(true, LEAN_STACK)).toFixed(2)} a month`);
    expect(text).toContain(`, $${total(millionCalls({ connections: 10_000 })).toFixed(2)}.`);
  });

  it('the stack without its features has none of their tables and settings, and no rights to them', async () => {
    const whole = await synthesize();
    const lean = await synthesize({ without: [...FEATURE_IDS] });
    const tablesOf = (template: typeof whole) => Object.keys(resourcesOf(template, 'AWS::DynamoDB::GlobalTable'));
    const gone = tablesOf(whole).filter((id) => !tablesOf(lean).includes(id));
    expect(gone).toHaveLength(FEATURES.flatMap(({ tables }) => tables).length);
    const text = JSON.stringify(lean.toJSON());
    for (const name of [...gone, ...VARIABLES, ...ROWS]) expect(text).not.toContain(name);
    for (const name of [...VARIABLES, ...ROWS]) expect(JSON.stringify(whole.toJSON())).toContain(name);
  });

  it('the stack without its features has a function and routes for messages only if a feature takes them', async () => {
    const namesOf = async (without: readonly string[]) => {
      const template = await synthesize({ without });
      return [...JSON.stringify(template.toJSON()).matchAll(/Gateway\w*[Ii]nbox\w*/g)].length;
    };
    expect(await namesOf(['feeds', 'security-events'])).toBe(0);
    for (const one of ['feeds', 'security-events']) expect(await namesOf([one])).toBeGreaterThan(0);
  });

  it('the stack without its features has functions that know what is left out, and the whole stack says nothing of it', async () => {
    const lean = await synthesize({ without: [...FEATURE_IDS] });
    for (const fn of Object.values(resourcesOf(lean, 'AWS::Lambda::Function'))) {
      expect(JSON.stringify(fn)).toContain(FEATURE_IDS.join(','));
    }
    expect(JSON.stringify((await synthesize()).toJSON())).not.toContain('WITHOUT_FEATURES');
  });
});
