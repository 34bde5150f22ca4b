/** What `npm run generate` makes from the folders below `lambdas/features/` that hold a `feature.ts`: the lists that the core reads. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Feature } from '../../lambdas/features/feature.rules.ts';

/** The first line of a list. */
export const HEAD = '/** Written by `npm run generate` from the folders of the features. */\n';

/** What only the API's document needs: objects that become one, made when they are asked for. */
const DOCUMENTED = [
  { name: 'described-events', constant: 'DESCRIBED_EVENTS', about: 'Rows of the catalogue of events.' },
  {
    name: 'described-messages',
    constant: 'DESCRIBED_MESSAGES',
    about: 'Messages to endpoints in addition to those of events.',
  },
  { name: 'described-error', constant: 'DESCRIBED_ERROR', about: 'Members of the envelope of failures.' },
  { name: 'described-key', constant: 'DESCRIBED_KEY', about: 'Members of a secret key.' },
  { name: 'key-example', constant: 'KEY_EXAMPLE', about: 'An example of each of them.' },
  { name: 'described-limits', constant: 'DESCRIBED_LIMITS', about: 'Limits of keys as an answer has them.' },
  { name: 'described-readiness', constant: 'DESCRIBED_READINESS', about: "Members of an integration's readiness." },
  { name: 'readiness-example', constant: 'READINESS_EXAMPLE', about: 'An example of each of them.' },
] as const;

/** A file that a feature may have, and the list that is made of those of all features. */
export interface Part {
  /** Name of the file in the feature's folder, without `.ts`; also the name of what it exports, in camel case. */
  readonly name: string;
  readonly list: string;
  /** Doc comment, name and type of the list. */
  readonly about: string;
  readonly constant: string;
  readonly type: string;
  /** Imports of the type, in the order of their paths. */
  readonly imports: string;
  /** Ending of the file. @default ts */
  readonly ending?: 'tsx';
}

const PARTS: readonly Part[] = [
  {
    name: 'background',
    list: 'backgrounds.ts',
    about: 'Functions of features, and what calls them.',
    constant: 'BACKGROUNDS',
    type: '(props: BackgroundProps) => Background',
    imports: "import type { Background, BackgroundProps } from '../../lib/constructs/feature.ts';",
  },
  {
    name: 'before-deletion',
    list: 'before-deletions.ts',
    about: 'Work of features before a connection is deleted.',
    constant: 'BEFORE_DELETIONS',
    type: '(parts: GrantParts) => BeforeDeletion',
    imports:
      "import type { BeforeDeletion } from '../gateway/feature-dependencies.ts';\nimport type { GrantParts } from './grant-parts.ts';",
  },
  {
    name: 'bound-callers',
    list: 'bound-callers.ts',
    about: 'Callers that act for one end user.',
    constant: 'BOUND_CALLERS',
    type: 'OpenBoundCallers',
    imports: "import type { OpenBoundCallers } from '../gateway/feature-dependencies.ts';",
  },
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
    name: 'core-operations',
    list: 'core-doors.ts',
    about: 'What other functions ask of the function `core` by its inner door.',
    constant: 'CORE_DOORS',
    type: '(deps: GrantDependencies) => Door',
    imports:
      "import type { Door } from '../gateway/forwarding/door-operations.ts';\nimport type { GrantDependencies } from '../gateway/wiring.ts';",
  },
  {
    name: 'declared-kind',
    list: 'declared-kinds.ts',
    about: 'Resources of stacks that features declare.',
    constant: 'DECLARED_KINDS',
    type: 'DeclaredKind',
    imports: "import type { DeclaredKind } from '../declared/runner.ts';",
  },
  {
    name: 'door-operations',
    list: 'doors.ts',
    about: 'What other functions ask of the proxy by its inner door.',
    constant: 'DOORS',
    type: '(deps: SharedDependencies & DoorDependencies) => Door',
    imports:
      "import type { Door, DoorDependencies } from '../gateway/forwarding/door-operations.ts';\nimport type { SharedDependencies } from '../gateway/wiring.ts';",
  },
  {
    name: 'due-work',
    list: 'due-works.ts',
    about: 'Work of features in the refresh function.',
    constant: 'DUE_WORKS',
    type: '(deps: DueWorkDependencies) => DueWork',
    imports: "import type { DueWork, DueWorkDependencies } from '../gateway/feature-dependencies.ts';",
  },
  {
    name: 'evidence',
    list: 'evidences.ts',
    about: 'What features know of the ends of grants.',
    constant: 'EVIDENCES',
    type: "(deps: Pick<FeatureDependencies, 'table'>) => EndEvidence",
    imports:
      "import type { FeatureDependencies } from '../gateway/feature-dependencies.ts';\nimport type { EndEvidence } from '../gateway/tokens/ports.ts';",
  },
  {
    name: 'hold',
    list: 'holds.ts',
    about: 'Where calls wait that limits of keys do not let pass at once.',
    constant: 'HOLDS',
    type: '(deps: SharedDependencies) => HoldCall',
    imports:
      "import type { HoldCall } from '../gateway/forwarding/call-hooks.ts';\nimport type { SharedDependencies } from '../gateway/wiring.ts';",
  },
  {
    name: 'housekeeping',
    list: 'housekeepings.ts',
    about: 'Work of features in ticks of the refresh function.',
    constant: 'HOUSEKEEPINGS',
    type: '(deps: FeatureDependencies) => Housekeeping',
    imports: "import type { FeatureDependencies, Housekeeping } from '../gateway/feature-dependencies.ts';",
  },
  {
    name: 'messages',
    list: 'messages.ts',
    about: 'Messages that the inbox takes for features.',
    constant: 'MESSAGES',
    type: '(deps: InboxDependencies) => Messages',
    imports: "import type { InboxDependencies, Messages } from '../gateway/feature-dependencies.ts';",
  },
  {
    name: 'grant-routes',
    list: 'grant-routes.ts',
    about: 'Routes of the management API that use grants, by feature.',
    constant: 'FEATURE_GRANT_ROUTES',
    type: 'readonly Route<GrantServices>[]',
    imports:
      "import type { Route } from '../management/route.ts';\nimport type { GrantServices } from '../management/services.ts';",
  },
  {
    name: 'risks',
    list: 'risks.ts',
    about: 'Risks of integrations that features know.',
    constant: 'RISKS',
    type: 'RisksOf',
    imports: "import type { RisksOf } from '../management/integrations/readiness-subject.ts';",
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
  ['functions', 'FUNCTIONS', 'Functions of their own.', 'list'],
  ['doorAliases', 'DOOR_ALIASES', 'Those of them that ask the proxy by its inner door.', 'list'],
  ['coreAliases', 'CORE_ALIASES', 'Those of them that ask the function `core` by its inner door.', 'list'],
  ['memoryMb', 'MEMORY_MB', 'Their memory in MB.', 'record'],
  ['grantPaths', 'GRANT_PATHS', 'Paths of routes that use grants.', 'list'],
  [
    'callbackStates',
    'CALLBACK_STATES',
    'Where browsers continue that return to the callback from other sign-ins.',
    'record',
  ],
  ['sweeps', 'SWEEPS', 'Functions of them that sweep, by the id of the feature.', 'record'],
  ['errors', 'ERRORS', 'Error codes, with the HTTP status.', 'record'],
  ['errorWords', 'ERROR_WORDS', 'When each error comes.', 'record'],
  ['callErrors', 'CALL_ERRORS', 'Errors that a proxied call can get.', 'list'],
  ['events', 'EVENTS', 'Types of lifecycle events.', 'list'],
  ['eventMembers', 'EVENT_MEMBERS', 'Members that only their events have.', 'list'],
  ['eventAttributes', 'EVENT_ATTRIBUTES', 'Attributes of what events are about, by member.', 'record'],
  ['metrics', 'METRICS', 'Names of metrics.', 'record'],
  ['alarms', 'ALARMS', 'Metrics that alarms watch.', 'list'],
  ['alarmMeanings', 'ALARM_MEANINGS', 'Meanings of their entries in the runbook.', 'record'],
  ['formerCauses', 'FORMER_CAUSES', 'Members that `cause` repeated until 0.4.0, by type of event.', 'record'],
  ['attention', 'ATTENTION', 'Kinds of problems in the overview.', 'list'],
  ['families', 'FAMILIES', 'Families of rows in the main table.', 'record'],
  ['duePartitions', 'DUE_PARTITIONS', 'First partitions of kinds of due work.', 'record'],
  ['environment', 'ENVIRONMENT', 'Names of environment variables, by setting.', 'record'],
  ['rateLimits', 'RATE_LIMITS', 'Names of limits of rates.', 'list'],
  ['keyLimits', 'KEY_LIMITS', 'Limits of keys.', 'record'],
  ['keyPurposes', 'KEY_PURPOSES', 'Purposes of data keys.', 'list'],
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
    'index.ts': index(features),
    'attention.ts': attention(having('attention')),
    'readiness.ts': readiness(having('readiness')),
    'grant-parts.ts': grantParts(having('grant-part')),
    'key-members.ts': keyMembers(having('key-members')),
    'limits-body.ts': limitsBody(having('limits-body')),
    ...Object.fromEntries([...lists, ...documented]),
  };
}

function index(features: readonly Feature[]): string {
  const ids = features.map(({ id }) => id);
  const names = ids.map(camelCase);
  const lists = MEMBERS.map(([member, constant, about, kind]) => {
    const having = features.filter((feature) => feature[member] !== undefined);
    const spread = having.map(({ id }) => `...${camelCase(id)}.${member}`);
    const list = (kind === 'list' ? array : declared)(`export const FEATURE_${constant} =`, spread, ' as const');
    return `/** ${about} */\n${list}\n`;
  });
  return `${HEAD}${inOrder(`import { type WholeFeature, whole } from './feature.rules.ts';\n${importsOf('feature', ids)}`)}
/** Every feature of this gateway. */
${array('export const FEATURES: readonly WholeFeature[] =', names, '.map(whole)')}
/** Ids of those that a deployment can leave out. */
${array(
  'export const FEATURE_IDS =',
  ids.map((id) => `'${id}'`),
  ' as const',
)}
${lists.join('')}`;
}

/** Imports in the order of their paths, which the linter requires. */
export function inOrder(imports: string): string {
  if (imports === '') return '';
  const path = (line: string) => line.slice(line.indexOf("'"));
  const lines = imports.trimEnd().split('\n');
  return `${lines.toSorted((a, b) => (path(a) < path(b) ? -1 : 1)).join('\n')}\n`;
}

/** Imports of a part of each feature, under the feature's name. */
export function importsOf(name: string, ids: readonly string[], ending = 'ts'): string {
  const imports = ids
    .toSorted()
    .map((id) => `import { ${camelCase(name)} as ${camelCase(id)} } from './${id}/${name}.${ending}';\n`);
  return imports.join('');
}

function documentedList({ name, constant, about }: (typeof DOCUMENTED)[number], ids: readonly string[]): string {
  return `${HEAD}import { documented } from '../gateway/openapi/documented.ts';
${importsOf(name, ids)}
/** ${about} */
${fitted(
  `export const ${constant} = documented(() => (`,
  '{}',
  ids.map((id) => `...${camelCase(id)}()`),
  '));',
)}
`;
}

function limitsBody(ids: readonly string[]): string {
  return `${HEAD}${importsOf('limits-body', ids)}
/** Limits of keys as a body has them. */
${declared(
  'export const FEATURE_LIMITS_BODY =',
  ids.map((id) => `...${camelCase(id)}`),
)}
`;
}

function attention(ids: readonly string[]): string {
  return `${HEAD}${importsOf('attention', ids)}
/** Where the rows of their kinds in the overview come from. */
${declared(
  'export const ATTENTION =',
  ids.map((id) => `...${camelCase(id)}`),
)}
`;
}

function keyMembers(ids: readonly string[]): string {
  const members = ids.map((id) => `...${camelCase(id)}(record)`);
  return `${HEAD}import type { SecretKeyRecord } from '../gateway/keys/credentials.rules.ts';
${importsOf('key-members', ids)}
/** What features add to a secret key in a response. */
${returning(`export const keyMembersOfFeatures = (${ids.length === 0 ? '_record' : 'record'}: SecretKeyRecord)`, members)}
`;
}

function grantParts(ids: readonly string[]): string {
  const members = ids.map((id) => `${memberName(id)}: ${camelCase(id)}(deps)`);
  return `${HEAD}import type { GrantDependencies } from '../gateway/wiring.ts';
${importsOf('grant-part', ids)}
/** What features open once in a process that uses grants. */
${returning(`export const openGrantParts = (${ids.length === 0 ? '_deps' : 'deps'}: GrantDependencies)`, members)}
export type GrantParts = ReturnType<typeof openGrantParts>;
`;
}

function readiness(ids: readonly string[]): string {
  const asked = ids.map((id) => `...(await ${camelCase(id)}(...of))`);
  return `${HEAD}import type { ReadinessSubject } from '../management/integrations/readiness-subject.ts';
${importsOf('readiness', ids)}
/** What features add to an integration's readiness. */
${returning(`export const readinessOfFeatures = async (${ids.length === 0 ? '..._of' : '...of'}: ReadinessSubject)`, asked)}
`;
}

/** A list of a part. @param ids of the features that have it */
export function listOf({ name, about, constant, type, imports, ending }: Part, ids: readonly string[]): string {
  const lines = imports.split('\n').map((line) => `${line}\n`);
  const above = lines.filter((line) => !line.includes("'./"));
  const here = lines.filter((line) => line.includes("'./"));
  return `${HEAD}${above.join('')}${inOrder([...here, importsOf(name, ids, ending)].join(''))}
/** ${about} */
${declared(`export const ${constant}: Readonly<Record<string, ${type}>> =`, ids.map(memberOf))}
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
    const at = left.findIndex(({ needs = [] }) => needs.every((need) => found.some(({ id }) => id === need)));
    const [next] = at < 0 ? [] : left.splice(at, 1);
    if (next === undefined)
      throw new Error(`${left.map(({ id }) => id).join(', ')}: needs a feature that is not there.`);
    found.push(next);
  }
  return found;
}

/** A declaration of a record. @param after what follows its brace */
export function declared(start: string, members: readonly string[], after = ''): string {
  return fitted(`${start} `, '{}', members, `${after};`);
}

/** The same for an array. */
export function array(start: string, members: readonly string[], after = ''): string {
  return fitted(`${start} `, '[]', members, `${after};`);
}

/** A function that returns a record. */
function returning(start: string, members: readonly string[]): string {
  return fitted(`${start} => (`, '{}', members, ');');
}

/** The formatter's. */
const LINE_MAX = 120;

/** Members in their brackets, in one line if it fits. */
function fitted(before: string, brackets: '{}' | '[]', members: readonly string[], after: string): string {
  const [open, close] = brackets;
  const space = brackets === '{}' && members.length > 0 ? ' ' : '';
  const line = `${before}${open}${space}${members.join(', ')}${space}${close}${after}`;
  return line.length <= LINE_MAX
    ? line
    : `${before}${open}\n${members.map((one) => `  ${one},\n`).join('')}${close}${after}`;
}

/** The member of a record that a feature's part is, under the feature's id. */
function memberOf(id: string): string {
  return camelCase(id) === id ? id : `'${id}': ${camelCase(id)}`;
}

/** A feature's id as the name of a member. */
function memberName(id: string): string {
  return camelCase(id) === id ? id : `'${id}'`;
}

/** `key-limits` as a name in code. */
export function camelCase(id: string): string {
  return id.replace(/-([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}
