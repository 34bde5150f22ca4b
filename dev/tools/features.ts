/** What `npm run generate` makes from the folders below `lambdas/features/` that hold a `feature.ts`: the lists that the core reads. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Feature } from '../../lambdas/features/feature.rules.ts';

const HEAD = '/** Written by `npm run generate` from the folders of the features. */\n';

/** What only the API's document needs: objects that become one, made when they are asked for. */
const DOCUMENTED = [
  { name: 'described-events', constant: 'DESCRIBED_EVENTS', about: 'Rows of the catalogue of events.' },
  { name: 'described-limits', constant: 'DESCRIBED_LIMITS', about: 'Limits of keys as an answer has them.' },
] as const;

/** A file that a feature may have, and the list that is made of those of all features. */
interface Part {
  /** Name of the file in the feature's folder, without `.ts`; also the name of what it exports, in camel case. */
  readonly name: string;
  readonly list: string;
  /** Doc comment, name and type of the list. */
  readonly about: string;
  readonly constant: string;
  readonly type: string;
  /** Imports of the type, in the order of their paths. */
  readonly imports: string;
}

const PARTS: readonly Part[] = [
  {
    name: 'call-hooks',
    list: 'call-hooks.ts',
    about: 'What features do with calls, in the order in which they wrap them.',
    constant: 'CALL_HOOKS',
    type: '(deps: FeatureDependencies) => CallHooks',
    imports:
      "import type { FeatureDependencies } from '../gateway/feature-dependencies.ts';\nimport type { CallHooks } from '../gateway/forwarding/call-hooks.ts';",
  },
  {
    name: 'clearing',
    list: 'clearings.ts',
    about: 'What deletes the rows that deleted connections leave in tables of features.',
    constant: 'CLEARINGS',
    type: '(deps: FeatureDependencies) => RowClearing',
    imports:
      "import type { RowClearing } from '../gateway/connections/ports.ts';\nimport type { FeatureDependencies } from '../gateway/feature-dependencies.ts';",
  },
  {
    name: 'construct',
    list: 'constructs.ts',
    about: 'What features add to the stack: tables, rights, schedules.',
    constant: 'CONSTRUCTS',
    type: '(gateway: Construct, props: FeatureProps) => void',
    imports:
      "import type { Construct } from 'constructs';\nimport type { FeatureProps } from '../../lib/constructs/feature.ts';",
  },
  {
    name: 'routes',
    list: 'routes.ts',
    about: 'Routes of the management API, by feature.',
    constant: 'FEATURE_ROUTES',
    type: 'readonly Route[]',
    imports: "import type { Route } from '../management/route.ts';",
  },
];

/** Members of all features as one: the member, the list's name, its doc comment, its kind. */
const MEMBERS = [
  ['errors', 'ERRORS', 'Error codes, with the HTTP status.', 'record'],
  ['errorWords', 'ERROR_WORDS', 'When each error comes.', 'record'],
  ['callErrors', 'CALL_ERRORS', 'Errors that a proxied call can get.', 'list'],
  ['events', 'EVENTS', 'Types of lifecycle events.', 'list'],
  ['eventMembers', 'EVENT_MEMBERS', 'Members that only their events have.', 'list'],
  ['metrics', 'METRICS', 'Names of metrics.', 'record'],
  ['environment', 'ENVIRONMENT', 'Names of environment variables, by setting.', 'record'],
  ['keyLimits', 'KEY_LIMITS', 'Limits of keys.', 'record'],
  ['sealedFields', 'SEALED_FIELDS', 'What is sealed.', 'record'],
  ['cursors', 'CURSORS', 'Positions in lists.', 'list'],
  ['tags', 'TAGS', "Groups of routes in the API's document.", 'record'],
  ['statements', 'STATEMENTS', 'Claims about security.', 'list'],
] as const;

/** The text of each list, by its path below the folder. @throws Error for a folder whose feature has another id, or needs one that is not there */
export async function featureLists(root: string): Promise<Readonly<Record<string, string>>> {
  const features = await featuresIn(root);
  const lists = PARTS.map((part) => {
    const ids = features.filter(({ id }) => existsSync(join(root, id, `${part.name}.ts`))).map(({ id }) => id);
    return [part.list, listOf(part, ids)] as const;
  });
  const having = (name: string) =>
    features.map(({ id }) => id).filter((id) => existsSync(join(root, id, `${name}.ts`)));
  const documented = DOCUMENTED.map((part) => [`${part.name}.ts`, documentedList(part, having(part.name))] as const);
  return {
    'index.ts': index(features.map(({ id }) => id)),
    'limits-body.ts': limitsBody(having('limits-body')),
    ...Object.fromEntries([...lists, ...documented]),
  };
}

function index(ids: readonly string[]): string {
  const names = ids.map(camelCase);
  const lists = MEMBERS.map(([member, constant, about, kind]) => {
    const spread = names.map((name) => `...${name}.${member}`);
    return `/** ${about} */\nexport const FEATURE_${constant} = ${kind === 'list' ? `[${spread.join(', ')}]` : record(spread)} as const;\n`;
  });
  return `${HEAD}import type { Feature } from './feature.rules.ts';
${importsOf('feature', ids)}
/** Every feature of this gateway. */
export const FEATURES: readonly Feature[] = [${names.join(', ')}];
/** Their ids. */
export const FEATURE_IDS = [${ids.map((id) => `'${id}'`).join(', ')}] as const;
${lists.join('')}`;
}

/** Imports of a part of each feature, under the feature's name. */
function importsOf(name: string, ids: readonly string[]): string {
  return ids.map((id) => `import { ${camelCase(name)} as ${camelCase(id)} } from './${id}/${name}.ts';\n`).join('');
}

function documentedList({ name, constant, about }: (typeof DOCUMENTED)[number], ids: readonly string[]): string {
  return `${HEAD}import { documented } from '../gateway/openapi/documented.ts';
${importsOf(name, ids)}
/** ${about} */
export const ${constant} = documented(() => (${record(ids.map((id) => `...${camelCase(id)}()`))}));
`;
}

function limitsBody(ids: readonly string[]): string {
  return `${HEAD}${importsOf('limits-body', ids)}
/** Limits of keys as a body has them. */
export const FEATURE_LIMITS_BODY = ${record(ids.map((id) => `...${camelCase(id)}`))};
`;
}

function listOf({ name, about, constant, type, imports }: Part, ids: readonly string[]): string {
  return `${HEAD}${imports}
${importsOf(name, ids)}
/** ${about} */
export const ${constant}: Readonly<Record<string, ${type}>> = ${record(ids.map(memberOf))};
`;
}

/** A feature stands below those that it needs. */
async function featuresIn(root: string): Promise<readonly Feature[]> {
  const left: Feature[] = [];
  for (const path of globSync('*/feature.ts', { cwd: root }).sort()) {
    const loaded: { readonly feature?: Feature } = await import(pathToFileURL(join(root, path)).href);
    const folder = path.slice(0, path.indexOf('/'));
    if (loaded.feature?.id !== folder) throw new Error(`${path} must export a feature whose id is ${folder}.`);
    left.push(loaded.feature);
  }
  const found: Feature[] = [];
  while (left.length > 0) {
    const at = left.findIndex(({ needs }) => needs.every((need) => found.some(({ id }) => id === need)));
    const [next] = at < 0 ? [] : left.splice(at, 1);
    if (next === undefined)
      throw new Error(`${left.map(({ id }) => id).join(', ')}: needs a feature that is not there.`);
    found.push(next);
  }
  return found;
}

function record(members: readonly string[]): string {
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The member of a record that a feature's part is, under the feature's id. */
function memberOf(id: string): string {
  return camelCase(id) === id ? id : `'${id}': ${camelCase(id)}`;
}

/** `key-limits` as a name in code. */
function camelCase(id: string): string {
  return id.replace(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}
