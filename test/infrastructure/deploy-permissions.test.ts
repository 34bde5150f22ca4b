import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPTION_SAMPLES } from '../../dev/support/option-samples.ts';
import { resourcesOf, synthesize } from '../../dev/support/synthesize.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8');
const [, SECTION = ''] = PAGE.split('### Permissions that a deploy needs\n');

/** Types of resources that the page lists, and the services whose actions stand alongside them. */
const LISTED = [...(SECTION.split('\n## ')[0] ?? '').matchAll(/^\| (?<actions>`.*`) \| (?<types>[A-Z].*) \|$/gm)].map(
  ({ groups = {} }) => ({
    services: [...(groups.actions ?? '').matchAll(/`([a-z0-9-]+):/g)].map(([, service]) => service),
    types: (groups.types ?? '').split(', ').map((type) => `AWS::${type}`),
  }),
);

/** Prefix of a service's actions, where it is not the type's own name in lower case. */
const PREFIXES: Readonly<Record<string, string>> = { Cognito: 'cognito-idp' };

/** Types that no service of AWS makes. */
const OF_THE_CDK = ['AWS::CDK::Metadata'];

async function typesOf(options: Record<string, unknown>): Promise<string[]> {
  return Object.values(resourcesOf(await synthesize(options))).map(({ Type }) => Type);
}

describe('the permissions that a deploy needs, in docs/deploy.md', () => {
  it('the permissions that a deploy needs in docs/deploy.md name every type of resource that the stack has by default', async () => {
    const listed = LISTED.flatMap(({ types }) => types);
    const missing = (await typesOf({})).filter((type) => !listed.includes(type) && !OF_THE_CDK.includes(type));
    expect([...new Set(missing)]).toEqual([]);
  });

  it('the permissions that a deploy needs in docs/deploy.md name every type that it has with some option, and no other', {
    tags: ['long'],
    timeout: 240_000,
  }, async () => {
    const templates = [{}, ...Object.values(OPTION_SAMPLES).flat()];
    const used = new Set<string>();
    for (const options of templates) for (const type of await typesOf({ ...options })) used.add(type);
    const listed = LISTED.flatMap(({ types }) => types);
    expect(listed.toSorted()).toEqual([...used].filter((type) => !OF_THE_CDK.includes(type)).toSorted());
  });

  it('the permissions that a deploy needs in docs/deploy.md have alongside each type the actions of its own service', () => {
    for (const { services, types } of LISTED) {
      const own = types.map((type) => type.split('::')[1] ?? '').map((name) => PREFIXES[name] ?? name.toLowerCase());
      expect(new Set(services), types.join()).toEqual(new Set(own));
    }
  });
});
