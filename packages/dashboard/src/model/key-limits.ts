import type { KeyLimits, LimitMethod } from '../gateway/library.ts';

/** Limits as a form has them. */
export interface LimitsDraft {
  readonly mode: 'observe' | 'enforce';
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly approve: readonly string[];
  /** As typed; empty = no limit. */
  readonly unitsADay: string;
  /** Whether what its writes change is kept, and whether others are refused. */
  readonly journal: 'off' | 'on' | 'required';
  /** Whether all its calls are in the background. */
  readonly isBackground: boolean;
  /** Limits that the form has no fields for, which stay as they are; an empty `allow`, which allows nothing, until something is chosen. */
  readonly others?: Omit<KeyLimits, 'mode' | 'deny' | 'approve' | 'methods' | 'journal' | 'priority'>;
}

/** A form in which nothing is limited yet: limits observe first. */
export const NO_LIMITS: LimitsDraft = {
  mode: 'observe',
  allow: [],
  deny: [],
  approve: [],
  unitsADay: '',
  journal: 'off',
  isBackground: false,
};

/** The limits that a form asks for; undefined where it asks for none. */
export function limitsOfDraft({
  mode,
  allow,
  deny,
  approve,
  unitsADay,
  journal,
  isBackground,
  others = {},
}: LimitsDraft): KeyLimits | undefined {
  const units = Math.floor(Number(unitsADay));
  const { day: otherDay, ...kept } = others;
  const day = { ...otherDay, ...(units > 0 ? { units } : {}) };
  const limits = {
    ...kept,
    ...(allow.length === 0 ? {} : { allow }),
    ...(deny.length === 0 ? {} : { deny }),
    ...(approve.length === 0 ? {} : { approve }),
    ...(Object.keys(day).length === 0 ? {} : { day }),
    ...(isBackground ? { priority: 'background' as const } : {}),
  };
  const kinds = Object.keys(limits).length;
  if (journal === 'off') return kinds === 0 ? undefined : { mode, ...limits };
  // A journal refuses and counts nothing that could be observed first.
  return { mode: kinds === 0 ? 'enforce' : mode, ...limits, journal: journal === 'required' ? 'required' : true };
}

/** The form of a key that exists. */
export function draftOfLimits(limits: KeyLimits | undefined): LimitsDraft {
  if (limits === undefined) return NO_LIMITS;
  const { mode, allow, deny = [], approve = [], methods: _, day = {}, journal, priority, ...kept } = limits;
  const { units, ...otherDay } = day;
  const others = {
    ...kept,
    ...(allow?.length === 0 ? { allow } : {}),
    ...(Object.keys(otherDay).length === 0 ? {} : { day: otherDay }),
  };
  return {
    mode,
    allow: allow ?? [],
    deny,
    approve,
    unitsADay: units === undefined ? '' : String(units),
    journal: journalOf(journal),
    isBackground: priority === 'background',
    others,
  };
}

function journalOf(journal: KeyLimits['journal']): LimitsDraft['journal'] {
  if (journal === undefined) return 'off';
  return journal === 'required' ? 'required' : 'on';
}

/** Limits of a key that the form has no fields for, in words; empty where there are none. */
export function otherLimitsInWords({ others = {} }: LimitsDraft): string {
  const { allow, ...same } = others;
  const nothing = allow === undefined ? [] : ['no method until some are chosen'];
  return [...nothing, ...[limitsInWords({ mode: 'enforce', ...same }) ?? ''].filter((text) => text !== '')].join(', ');
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
  { allow, deny, others }: Pick<LimitsDraft, 'allow' | 'deny' | 'others'>,
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
  const isAllowed = (method: LimitMethod) =>
    allow.length === 0 ? others?.allow === undefined : isNamed(allow, method);
  return all.filter((method) => isAllowed(method) && !isDenied(method));
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

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  methods: 'Methods',
  approve: 'Approval',
  integrations: 'Integrations',
  connections: 'Connections',
  end_users: 'End users',
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
