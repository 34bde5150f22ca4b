import type { KeyLimits, LimitMethod } from '../gateway/library.ts';
import { hasFeature } from './features.ts';
import { absoluteTime, DAY_MS, startOfDay } from './time.ts';

/** Amounts that a budget can have, as a form names them. */
export const AMOUNTS = [
  { name: 'minute.calls', period: 'minute', kind: 'calls' },
  { name: 'minute.units', period: 'minute', kind: 'units' },
  { name: 'minute.bytes', period: 'minute', kind: 'bytes' },
  { name: 'day.calls', period: 'day', kind: 'calls' },
  { name: 'day.units', period: 'day', kind: 'units' },
  { name: 'day.bytes', period: 'day', kind: 'bytes' },
] as const;

export type AmountName = (typeof AMOUNTS)[number]['name'];

/** Limits as a form has them. */
export interface LimitsDraft {
  readonly mode: 'observe' | 'enforce';
  /** Null: every method; empty: none. */
  readonly allow: readonly string[] | null;
  readonly deny: readonly string[];
  readonly approve: readonly string[];
  /** Who asks about calls to Google's MCP servers among them. */
  readonly approval: NonNullable<KeyLimits['approval']>;
  readonly integrations: readonly string[];
  readonly connections: readonly string[];
  /** As typed: a line for each calendar, file or folder. */
  readonly resources: string;
  /** As typed: a line for each tag, `team = finance`. */
  readonly tags: string;
  /** Tags that are saved: they stay as they are until somebody types, whatever characters they have. */
  readonly savedTags?: Readonly<Record<string, string>>;
  /** As typed: a line for each address or network. */
  readonly sources: string;
  /** As typed; absent or empty = no limit. */
  readonly amounts: Readonly<Partial<Record<AmountName, string>>>;
  /** Whether what its writes change is kept, and whether others are refused. */
  readonly journal: 'off' | 'on' | 'required';
  /** Whether all its calls are in the background. */
  readonly isBackground: boolean;
  /** ISO 8601; empty = it does not end. */
  readonly endsAt: string;
}

/** A form in which nothing is limited yet: limits observe first. */
export const NO_LIMITS: LimitsDraft = {
  mode: 'observe',
  allow: null,
  deny: [],
  approve: [],
  approval: 'gateway',
  integrations: [],
  connections: [],
  resources: '',
  tags: '',
  sources: '',
  amounts: {},
  journal: 'off',
  isBackground: false,
  endsAt: '',
};

const READS = ['drive:read', 'calendar:read'];
const WRITES = ['drive:write', 'calendar:write'];
/** Days until a preset for an agent ends, as of keys made for agents. */
const AGENT_DAYS = 30;

/** A beginning for common callers. */
export interface LimitsPreset {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** Features without which its limits would be refused. */
  readonly needs?: readonly string[];
}

export const LIMIT_PRESETS: readonly LimitsPreset[] = [
  { id: 'reads', label: 'Reads', description: 'Reads files and events, and changes nothing.' },
  {
    id: 'agent',
    label: 'Agent',
    description:
      'Reads and writes for 30 days, at most 60 calls a minute and 500 a day. Deleting is not included; a person approves what shares, invites, replaces or goes to the trash. Its writes can be undone.',
    needs: ['approvals', 'undo'],
  },
  {
    id: 'nightly',
    label: 'Nightly job',
    description: 'Reads files and events in the background, so that calls for which somebody waits go first.',
  },
];

/** The presets of a deployment. @param without features that it leaves out */
export function limitPresets(without: ReadonlySet<string>): readonly LimitsPreset[] {
  return LIMIT_PRESETS.filter(({ needs = [] }) => needs.every((one) => hasFeature(one, without)));
}

/** The form of a preset, which only observes; a preset that is not known changes nothing. @param nowMs for its end */
export function draftOfPreset(id: string, before: LimitsDraft, nowMs: number): LimitsDraft {
  const { integrations, connections, resources, tags, savedTags, sources } = before;
  // A preset chooses methods and amounts, not connections or addresses.
  const reach = {
    integrations,
    connections,
    resources,
    tags,
    sources,
    ...(savedTags === undefined ? {} : { savedTags }),
  };
  const start = { ...NO_LIMITS, ...reach, allow: READS };
  switch (id) {
    case 'reads':
      return start;
    case 'agent':
      return {
        ...start,
        allow: [...READS, ...WRITES],
        approve: ['share', 'invite', 'replace', 'delete'],
        amounts: { 'minute.calls': '60', 'day.calls': '500' },
        journal: 'on',
        endsAt: new Date(startOfDay(nowMs) + (AGENT_DAYS + 1) * DAY_MS).toISOString(),
      };
    case 'nightly':
      return { ...start, isBackground: true };
    default:
      return before;
  }
}

/** The limits that a form asks for; undefined where it asks for none. */
export function limitsOfDraft(draft: LimitsDraft): KeyLimits | undefined {
  const { mode, allow, journal, endsAt } = draft;
  const some = <T extends string>(name: T, names: readonly string[]) => (names.length === 0 ? {} : { [name]: names });
  const endUsers = hasSavedTags(draft) ? (draft.savedTags ?? {}) : tagsOf(draft.tags);
  const limits = {
    ...(allow === null ? {} : { allow }),
    ...some('deny', draft.deny),
    ...some('approve', draft.approve),
    ...(draft.approve.length === 0 || draft.approval === 'gateway' ? {} : { approval: draft.approval }),
    ...some('integrations', draft.integrations),
    ...some('connections', draft.connections),
    ...some('resources', linesOf(draft.resources)),
    ...(Object.keys(endUsers).length === 0 ? {} : { endUsers }),
    ...some('sources', linesOf(draft.sources)),
    ...budgetOf('minute', draft),
    ...budgetOf('day', draft),
    ...(draft.isBackground ? { priority: 'background' as const } : {}),
    ...(endsAt === '' ? {} : { expiresAt: endsAt }),
  };
  const kinds = Object.keys(limits).length;
  if (journal === 'off') return kinds === 0 ? undefined : { mode, ...limits };
  // A journal refuses and counts nothing that could be observed first.
  return { mode: kinds === 0 ? 'enforce' : mode, ...limits, journal: journal === 'required' ? 'required' : true };
}

function linesOf(typed: string): string[] {
  return typed
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function hasSavedTags({ tags, savedTags }: LimitsDraft): boolean {
  return savedTags !== undefined && tags === tagText(savedTags);
}

function tagText(tags: Readonly<Record<string, string>>): string {
  return Object.entries(tags)
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n');
}

function tagsOf(typed: string): Record<string, string> {
  return Object.fromEntries(
    typed
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => {
        const at = line.indexOf('=');
        return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      }),
  );
}

function budgetOf(period: 'minute' | 'day', { amounts }: LimitsDraft): Partial<KeyLimits> {
  const budget = Object.fromEntries(
    AMOUNTS.flatMap((one) => {
      const most = amountOf(amounts[one.name] ?? '');
      return one.period === period && most !== undefined && most > 0 ? [[one.kind, most]] : [];
    }),
  );
  return Object.keys(budget).length === 0 ? {} : { [period]: budget };
}

/** The number that is typed; 0 for none, undefined for something that is no amount. */
function amountOf(typed: string): number | undefined {
  const plain = typed.replaceAll(',', '').trim();
  if (plain === '') return 0;
  const amount = Number(plain);
  return Number.isSafeInteger(amount) && amount > 0 ? amount : undefined;
}

/** Problems of what is typed, by field; empty where there are none. */
export function limitsProblems(draft: LimitsDraft): Readonly<Record<string, string>> {
  const { amounts, tags } = draft;
  const wrong = AMOUNTS.filter(({ name }) => amountOf(amounts[name] ?? '') === undefined);
  const isNoTag = (line: string) => line.trim() !== '' && !/^\s*[^\s=][^=]*=/.test(line);
  return {
    ...Object.fromEntries(wrong.map(({ name }) => [name, 'Enter a whole number.'])),
    ...(draft.endsAt !== '' && Number.isNaN(Date.parse(draft.endsAt)) ? { endsAt: 'Choose a day.' } : {}),
    ...(!hasSavedTags(draft) && tags.split('\n').some(isNoTag) ? { tags: 'Write each tag as name = value.' } : {}),
  };
}

/** The form of a key that exists. */
export function draftOfLimits(limits: KeyLimits | undefined): LimitsDraft {
  if (limits === undefined) return NO_LIMITS;
  return {
    mode: limits.mode,
    allow: limits.allow ?? null,
    deny: limits.deny ?? [],
    approve: limits.approve ?? [],
    approval: limits.approval ?? 'gateway',
    integrations: limits.integrations ?? [],
    connections: limits.connections ?? [],
    resources: (limits.resources ?? []).join('\n'),
    tags: tagText(limits.endUsers ?? {}),
    ...(limits.endUsers === undefined ? {} : { savedTags: limits.endUsers }),
    sources: (limits.sources ?? []).join('\n'),
    amounts: Object.fromEntries(
      AMOUNTS.flatMap(({ name, period, kind }) => {
        const most = limits[period]?.[kind];
        return most === undefined ? [] : [[name, String(most)]];
      }),
    ),
    journal: journalOf(limits.journal),
    isBackground: limits.priority === 'background',
    endsAt: limits.expiresAt ?? '',
  };
}

function journalOf(journal: KeyLimits['journal']): LimitsDraft['journal'] {
  if (journal === undefined) return 'off';
  return journal === 'required' ? 'required' : 'on';
}

const SET_WORDS: Readonly<Record<string, string>> = {
  metadata: 'see names, lists and settings',
  read: 'read and download, and see names, lists and settings',
  write: 'create and change',
  share: 'share',
  delete: 'delete for good',
  admin: 'manage drives, calendars and push channels',
};
const API_WORDS: Readonly<Record<string, string>> = {
  drive: 'Drive',
  driveactivity: 'Drive activity',
  calendar: 'Calendar',
};

/** Sets and single methods to choose from, sets first; then other chosen names, such as `drive.files.*`. */
export function setOptions(
  all: readonly LimitMethod[],
  chosen: readonly string[] = [],
): { readonly value: string; readonly label: string; readonly description?: string }[] {
  const sets = [...new Set(all.map(({ set }) => set))].map((set) => {
    const [api = '', kind = ''] = set.split(':');
    return { value: set, label: `${API_WORDS[api] ?? api}: ${SET_WORDS[kind] ?? kind}`, description: set };
  });
  const options = [...sets, ...all.map(({ id, meaning }) => ({ value: id, label: meaning, description: id }))];
  const others = chosen.filter((name) => !options.some(({ value }) => value === name));
  return [...options, ...others.map((name) => ({ value: name, label: name }))];
}

const CLASS_WORDS: Readonly<Record<string, string>> = {
  delete: 'Whatever deletes or moves to the trash',
  share: 'Whatever changes who has access',
  invite: 'Whatever invites people or mails them',
  replace: 'Whatever replaces content as a whole',
  write: 'Every change',
};

/** Who asks about calls to Google's MCP servers that need approval. */
export const ASKERS: Readonly<
  Record<LimitsDraft['approval'], { readonly label: string; readonly description: string }>
> = {
  gateway: { label: 'The gateway', description: 'On its own page, as for other calls.' },
  google: { label: 'Google', description: 'By its own forms; the gateway lets these calls pass.' },
  both: { label: 'Both', description: 'Google asks after a person has approved the call here.' },
};

/** Choices of calls that need approval: classes of changes first, then sets and methods. */
export function approvalOptions(
  all: readonly LimitMethod[],
  chosen: readonly string[],
): { readonly value: string; readonly label: string; readonly description?: string }[] {
  const classes = Object.entries(CLASS_WORDS).map(([value, label]) => ({ value, label, description: value }));
  const others = setOptions(
    all,
    chosen.filter((name) => !Object.hasOwn(CLASS_WORDS, name)),
  );
  return [...classes, ...others];
}

/** The methods that a form leaves, as the gateway computes them: denials override, including bytes, and reading includes metadata. */
export function methodsOfDraft(
  { allow, deny }: Pick<LimitsDraft, 'allow' | 'deny'>,
  all: readonly LimitMethod[],
): LimitMethod[] {
  const isNamed = (names: readonly string[], { id, set }: LimitMethod) =>
    names.some(
      (name) =>
        name === id ||
        name === set ||
        (name.endsWith('.*') && id.startsWith(name.slice(0, -1))) ||
        (name.endsWith(':read') && set === name.replace(/read$/, 'metadata')),
    );
  const isDenied = (method: LimitMethod) =>
    isNamed(deny, method) || isNamed(deny, { ...method, id: method.id.replace('#media', '') });
  return all.filter((method) => (allow === null || isNamed(allow, method)) && !isDenied(method));
}

function counted({ length }: readonly unknown[], what: string): string {
  return `${length} ${what}${length === 1 ? '' : 's'}`;
}

/** A key's limits, in a few words; undefined = none. */
export function limitsInWords(limits: KeyLimits | undefined): string | undefined {
  if (limits === undefined) return undefined;
  const said = [
    ...(limits.methods === undefined ? [] : [counted(limits.methods, 'method')]),
    ...(limits.approve === undefined ? [] : ['asks for approval']),
    ...(limits.connections === undefined ? [] : [counted(limits.connections, 'connection')]),
    ...(limits.integrations === undefined ? [] : [counted(limits.integrations, 'integration')]),
    ...(limits.resources === undefined ? [] : [counted(limits.resources, 'calendar or file')]),
    ...(limits.endUsers === undefined ? [] : ['some end users']),
    ...(limits.sources === undefined ? [] : ['some addresses']),
    ...(limits.minute === undefined ? [] : ['a budget a minute']),
    ...(limits.day === undefined ? [] : ['a budget a day']),
    ...(limits.priority === undefined ? [] : ['calls in the background']),
    ...(limits.expiresAt === undefined ? [] : [`until ${limits.expiresAt.slice(0, 10)}`]),
    ...(limits.journal === undefined
      ? []
      : [limits.journal === 'required' ? 'undoable writes only' : 'undoable writes']),
  ];
  return `${limits.mode === 'observe' ? 'Observed: ' : ''}${said.join(', ')}`;
}

/** A line of a key's limits: what is limited, and to what. */
export interface LimitRow {
  readonly label: string;
  readonly text: string;
}

/** Every limit of a key in words, those of methods first. */
export function limitRows(limits: KeyLimits): readonly LimitRow[] {
  const list = (label: string, names: readonly string[] | undefined, none = '') =>
    names === undefined ? [] : [{ label, text: names.length === 0 ? none : names.join(', ') }];
  const { endUsers, expiresAt, journal } = limits;
  return [
    {
      label: 'Effect',
      text: limits.mode === 'observe' ? 'Observes: every call passes' : 'Enforced: calls outside are refused',
    },
    ...list('May call', limits.allow, 'Nothing'),
    ...list('May never call', limits.deny),
    ...list('Waits for approval', limits.approve),
    ...(limits.approval === undefined
      ? []
      : [{ label: 'Who asks about Google’s MCP tools', text: ASKERS[limits.approval].label }]),
    ...list('Integrations', limits.integrations),
    ...list('Connections', limits.connections),
    ...list('Calendars, files and folders', limits.resources),
    ...list('End users with the tags', endUsers && Object.entries(endUsers).map(([tag, value]) => `${tag} = ${value}`)),
    ...list('Addresses', limits.sources),
    ...budgetRows('minute', limits.minute),
    ...budgetRows('day', limits.day),
    ...(limits.priority === undefined ? [] : [{ label: 'Priority', text: 'All calls are in the background' }]),
    ...(expiresAt === undefined ? [] : [{ label: 'Ends', text: absoluteTime(expiresAt) }]),
    ...(journal === undefined
      ? []
      : [
          {
            label: 'Undo',
            text: journal === 'required' ? 'Refuses writes that cannot be undone' : 'Keeps what its writes change',
          },
        ]),
  ];
}

function budgetRows(period: string, budget: KeyLimits['day']): readonly LimitRow[] {
  return Object.entries(budget ?? {}).map(([kind, most]) => ({
    label: limitWords(`${period}.${kind}`),
    text: `At most ${most.toLocaleString('en')}`,
  }));
}

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  methods: 'Methods',
  approve: 'Approval',
  integrations: 'Integrations',
  connections: 'Connections',
  end_users: 'End users',
  resources: 'Calendars and files',
  sources: 'Addresses',
  priority: 'Calls in the background',
  expires_at: 'End of the key',
};

/** A limit as a refusal names it, in words: `day.units` is “Units a day”. */
export function limitWords(limit: string): string {
  const [period = '', kind = ''] = limit.split('.');
  if (kind === '') return LIMIT_WORDS[limit] ?? limit;
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} a ${period}`;
}
