import {
  fieldsOf,
  optionalBoolean,
  optionalFields,
  optionalNumber,
  optionalText,
  recordList,
  text,
  textList,
  type Unread,
} from '../http/fields.ts';
import type { Sent } from './manage.ts';
import type * as wire from './wire.ts';

/** Users that a service account may act for; exceptions override, and a domain does not include its subdomains. */
export interface DelegatedSubjects {
  domains?: readonly string[];
  addresses?: readonly string[];
  exceptions?: readonly string[];
}

/** A service account that acts for users of Workspace domains, of an integration to make. */
export interface NewDelegation {
  serviceAccount: string;
  /** Its numeric client id, which administrators list. */
  clientId: string;
  /** Number of its Google Cloud project. */
  projectNumber: string;
  /** `aws`: without a key, by the gateway's AWS role. */
  via: 'aws' | 'key';
  /** With `aws`: full name of the workload identity pool provider. */
  audience?: string;
  /** With `key`: the JSON file of the key. */
  key?: string | Readonly<Record<string, unknown>>;
  subjects: DelegatedSubjects;
  /** Calls may use `useDomainAdminAccess`. @default false */
  allowDomainAdminAccess?: boolean;
  /** @default 100 */
  newSubjectsPerHour?: number;
}

/** Changes of it; omitted members stay, and a new key keeps the former one for a while. */
export type DelegationChanges = Partial<Omit<NewDelegation, 'serviceAccount' | 'clientId' | 'projectNumber'>>;

/** How an integration acts for users; the key is never shown. */
export interface Delegation {
  readonly serviceAccount: string;
  readonly clientId: string;
  readonly projectNumber: string;
  readonly via: string;
  readonly audience: string | undefined;
  readonly keyId: string | undefined;
  /** ISO 8601 UTC. */
  readonly keyAddedAt: string | undefined;
  readonly subjects: Required<Readonly<DelegatedSubjects>>;
  readonly allowDomainAdminAccess: boolean;
  /** Users that it may be connected to for the first time in an hour. */
  readonly newSubjectsPerHour: number | undefined;
}

/** The values that administrators list, and the state of a service account in each domain. */
export interface DelegationState {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Fills the form of Google's Admin console. */
  readonly adminUrl: string;
  readonly domains: readonly {
    readonly domain: string;
    /** `granted`, `lost` or `unknown`. */
    readonly status: string;
    readonly since: string;
    readonly checkedAt: string | undefined;
  }[];
}

/** Whether a service account may act for a user, scope by scope. */
export interface DelegationCheck {
  readonly domain: string;
  readonly works: boolean;
  /** `status`: `listed`, `not_listed` or `unknown`. */
  readonly scopes: readonly { readonly scope: string; readonly status: string }[];
  readonly cause: string | undefined;
  readonly whatHappened: string | undefined;
  readonly who: string | undefined;
  readonly remedy: string | undefined;
}

/** As the API takes it. */
export function changesOnTheWire(
  delegation: DelegationChanges | undefined,
): Sent<wire.UpdateIntegrationBody>['delegation'] {
  return delegation === undefined ? undefined : settingsOnTheWire(delegation);
}

function settingsOnTheWire(delegation: DelegationChanges) {
  const { via, audience, key, subjects } = delegation;
  return {
    via,
    audience,
    key,
    subjects,
    allow_domain_admin_access: delegation.allowDomainAdminAccess,
    new_subjects_per_hour: delegation.newSubjectsPerHour,
  };
}

/** The same of a new one. */
export function delegationOnTheWire(
  delegation: NewDelegation | undefined,
): Sent<wire.CreateIntegrationBody>['delegation'] {
  if (delegation === undefined) return undefined;
  return {
    ...settingsOnTheWire(delegation),
    via: delegation.via,
    service_account: delegation.serviceAccount,
    client_id: delegation.clientId,
    project_number: delegation.projectNumber,
  };
}

/** How an integration acts for users; undefined where users consent. @throws UnexpectedAnswerError */
export function readDelegation(fields: Unread<wire.Delegation> | undefined): Delegation | undefined {
  if (fields === undefined) return undefined;
  const subjects = optionalFields(fields, 'subjects');
  return {
    serviceAccount: text(fields, 'service_account'),
    clientId: text(fields, 'client_id'),
    projectNumber: text(fields, 'project_number'),
    via: text(fields, 'via'),
    audience: optionalText(fields, 'audience'),
    keyId: optionalText(fields, 'key_id'),
    keyAddedAt: optionalText(fields, 'key_added_at'),
    subjects: {
      domains: textList(subjects, 'domains'),
      addresses: textList(subjects, 'addresses'),
      exceptions: textList(subjects, 'exceptions'),
    },
    allowDomainAdminAccess: optionalBoolean(fields, 'allow_domain_admin_access') === true,
    newSubjectsPerHour: optionalNumber(fields, 'new_subjects_per_hour'),
  };
}

export function readDelegationState(fields: Unread<wire.DelegationAnswer>): DelegationState {
  return {
    clientId: text(fields, 'client_id'),
    scopes: textList(fields, 'scopes'),
    adminUrl: text(fields, 'admin_url'),
    domains: recordList(fields, 'domains').map((one) => ({
      domain: text(one, 'domain'),
      status: text(one, 'status'),
      since: text(one, 'since'),
      checkedAt: optionalText(one, 'checked_at'),
    })),
  };
}

export function readDelegationCheck(answer: Unread<wire.DelegationCheckAnswer>): DelegationCheck {
  const fields = fieldsOf(answer.data, 'data');
  return {
    domain: text(fields, 'domain'),
    works: optionalBoolean(fields, 'works') === true,
    scopes: recordList(fields, 'scopes').map((one) => ({ scope: text(one, 'scope'), status: text(one, 'status') })),
    cause: optionalText(fields, 'cause'),
    whatHappened: optionalText(fields, 'what_happened'),
    who: optionalText(fields, 'who'),
    remedy: optionalText(fields, 'remedy'),
  };
}
