import { describe, expect, it } from 'vitest';
import { resourcesOf, synthesize } from '../../dev/support/synthesize.ts';
import { FEATURE_IDS, FEATURES } from '../../lambdas/features/index.ts';

const VARIABLES = FEATURES.flatMap(({ environment }) => Object.values(environment));

describe('the stack without its features', () => {
  it('has none of their tables and settings, and no rights to them', async () => {
    const whole = await synthesize();
    const lean = await synthesize({ without: [...FEATURE_IDS] });
    const tablesOf = (template: typeof whole) => Object.keys(resourcesOf(template, 'AWS::DynamoDB::GlobalTable'));
    const gone = tablesOf(whole).filter((id) => !tablesOf(lean).includes(id));
    expect(gone).toHaveLength(FEATURES.flatMap(({ tables }) => tables).length);
    const text = JSON.stringify(lean.toJSON());
    for (const name of [...gone, ...VARIABLES]) expect(text).not.toContain(name);
    expect(JSON.stringify(whole.toJSON())).toContain(VARIABLES[0]);
  });

  it('has functions that know what is left out, and the whole stack says nothing of it', async () => {
    const lean = await synthesize({ without: [...FEATURE_IDS] });
    for (const fn of Object.values(resourcesOf(lean, 'AWS::Lambda::Function'))) {
      expect(JSON.stringify(fn)).toContain(FEATURE_IDS.join(','));
    }
    expect(JSON.stringify((await synthesize()).toJSON())).not.toContain('WITHOUT_FEATURES');
  });
});
