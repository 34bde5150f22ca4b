import type { KeyLimits, LimitMethod } from '../gateway/library.ts';

/** Limits as a form has them. */
export interface LimitsDraft {
  readonly mode: 'observe' | 'enforce';
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** As typed; empty = no limit. */
  readonly unitsADay: string;
}

/** A form in which nothing is limited yet: limits observe first. */
export const NO_LIMITS: LimitsDraft = { mode: 'observe', allow: [], deny: [], unitsADay: '' };

/** The limits that a form asks for; undefined where it asks for none. */
export function limitsOfDraft({ mode, allow, deny, unitsADay }: LimitsDraft): KeyLimits | undefined {
  const units = Math.floor(Number(unitsADay));
  const limits = {
    ...(allow.length === 0 ? {} : { allow }),
    ...(deny.length === 0 ? {} : { deny }),
    ...(units > 0 ? { day: { units } } : {}),
  };
  return Object.keys(limits).length === 0 ? undefined : { mode, ...limits };
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

/** Sets and single methods that can be chosen, sets first. */
export function setOptions(
  all: readonly LimitMethod[],
): { readonly value: string; readonly label: string; readonly description: string }[] {
  const sets = [...new Set(all.map(({ set }) => set))].map((set) => {
    const [api = '', kind = ''] = set.split(':');
    return { value: set, label: `${API_WORDS[api] ?? api}: ${SET_WORDS[kind] ?? kind}`, description: set };
  });
  return [...sets, ...all.map(({ id, meaning }) => ({ value: id, label: meaning, description: id }))];
}

/** The methods that a form leaves, as the gateway works them out: what is denied wins, bytes included, and reading brings looking. */
export function methodsOfDraft(
  { allow, deny }: Pick<LimitsDraft, 'allow' | 'deny'>,
  all: readonly LimitMethod[],
): LimitMethod[] {
  const isNamed = (names: readonly string[], { id, set }: LimitMethod) =>
    names.some(
      (name) => name === id || name === set || (name.endsWith(':read') && set === name.replace(/read$/, 'metadata')),
    );
  const isDenied = (method: LimitMethod) =>
    isNamed(deny, method) || isNamed(deny, { ...method, id: method.id.replace('#media', '') });
  return all.filter((method) => (allow.length === 0 || isNamed(allow, method)) && !isDenied(method));
}

/** What a key is limited to, in a few words; undefined = nothing. */
export function limitsInWords(limits: KeyLimits | undefined): string | undefined {
  if (limits === undefined) return undefined;
  const said = [
    ...(limits.methods === undefined ? [] : [`${limits.methods.length} methods`]),
    ...(limits.connections === undefined ? [] : [`${limits.connections.length} connections`]),
    ...(limits.integrations === undefined ? [] : [`${limits.integrations.length} integrations`]),
    ...(limits.endUsers === undefined ? [] : ['some end users']),
    ...(limits.sources === undefined ? [] : ['some addresses']),
    ...(limits.minute === undefined ? [] : ['a budget a minute']),
    ...(limits.day === undefined ? [] : ['a budget a day']),
    ...(limits.expiresAt === undefined ? [] : [`until ${limits.expiresAt.slice(0, 10)}`]),
  ];
  return `${limits.mode === 'observe' ? 'Observed: ' : ''}${said.join(', ')}`;
}
