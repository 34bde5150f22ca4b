import type { DelegationChanges, DelegationState, Integration } from '../gateway/library.ts';

/** A domain that was lost within this may only not be known to Google yet. */
const PENDING_MS = 24 * 3600 * 1000;

/** State of a service account in a Workspace domain. */
export type DomainStanding = 'listed' | 'pending' | 'lost' | 'unknown';

/** The same from the gateway's data. */
export function domainStanding(
  { status, since }: Pick<DelegationState['domains'][number], 'status' | 'since'>,
  nowMs: number,
): DomainStanding {
  if (status === 'granted') return 'listed';
  if (status !== 'lost') return 'unknown';
  return nowMs - Date.parse(since) < PENDING_MS ? 'pending' : 'lost';
}

/** The editable part of a delegation. */
export interface DelegationDraft {
  readonly via: 'aws' | 'key';
  readonly audience: string;
  /** The file of a key, if one is to be stored. */
  readonly key: string;
  /** One a line, as are addresses and exceptions. */
  readonly domains: string;
  readonly addresses: string;
  readonly exceptions: string;
  readonly newSubjectsPerHour: string;
  readonly allowDomainAdminAccess: boolean;
}

export const NEW_DELEGATION: DelegationDraft = {
  via: 'aws',
  audience: '',
  key: '',
  domains: '',
  addresses: '',
  exceptions: '',
  newSubjectsPerHour: '100',
  allowDomainAdminAccess: false,
};

/** A stored delegation, for editing. */
export function delegationDraft(delegation: NonNullable<Integration['delegation']>): DelegationDraft {
  const { via, audience, subjects, newSubjectsPerHour, allowDomainAdminAccess } = delegation;
  return {
    ...NEW_DELEGATION,
    via: via === 'key' ? 'key' : 'aws',
    audience: audience ?? '',
    domains: subjects.domains.join('\n'),
    addresses: subjects.addresses.join('\n'),
    exceptions: subjects.exceptions.join('\n'),
    newSubjectsPerHour: String(newSubjectsPerHour ?? ''),
    allowDomainAdminAccess,
  };
}

/** The entries of a field that has one a line. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((entry) => entry !== ''))];
}

/** A draft as the gateway takes it. */
export function delegationSettings(
  draft: DelegationDraft,
): DelegationChanges & { via: 'aws' | 'key' } & Required<Pick<DelegationChanges, 'subjects'>> {
  const { via, audience, key, newSubjectsPerHour, allowDomainAdminAccess } = draft;
  return {
    via,
    ...(via === 'aws' ? { audience: audience.trim() } : key.trim() === '' ? {} : { key: key.trim() }),
    subjects: {
      domains: linesOf(draft.domains),
      addresses: linesOf(draft.addresses),
      exceptions: linesOf(draft.exceptions),
    },
    allowDomainAdminAccess,
    newSubjectsPerHour: Number(newSubjectsPerHour),
  };
}

/** Why a draft cannot be sent; undefined where it can. */
export function delegationProblem(draft: DelegationDraft, hasKey: boolean): string | undefined {
  if (linesOf(draft.domains).length + linesOf(draft.addresses).length === 0) {
    return 'Name at least one domain or address: there is no default.';
  }
  if (draft.via === 'aws' && draft.audience.trim() === '') return 'Name the workload identity pool provider.';
  if (draft.via === 'key' && draft.key.trim() === '' && !hasKey) return 'Paste the key file.';
  const perHour = Number(draft.newSubjectsPerHour);
  if (!Number.isInteger(perHour) || perHour < 1 || perHour > 10_000) {
    return 'New users an hour is a whole number from 1 to 10,000.';
  }
  return undefined;
}
