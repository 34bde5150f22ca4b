import type { Whole } from '../core/whole.ts';
import {
  bool,
  type Item,
  num,
  oneOf,
  optionalMap,
  optionalNum,
  optionalStr,
  str,
  stringMap,
  strings,
} from '../platform/dynamodb/client.ts';
import { integrationItemKey } from '../platform/dynamodb/keys.ts';
import { managedByOf } from '../platform/dynamodb/managed-by.ts';
import { PROVIDER_IDS } from '../providers/provider.rules.ts';
import type { SuspectedFault } from './client-fault.rules.ts';
import type { Delegation } from './delegation.rules.ts';
import type { ClientFaultMark, Integration } from './integration.rules.ts';

/** An integration as its item. */
export function integrationToItem(integration: Integration): Record<string, unknown> {
  return { ...integrationItemKey(integration), type: 'integration', ...integration };
}

/** An item as the integration it stores. */
export function integrationFromItem(item: Item): Whole<Integration> {
  return {
    accountId: str(item, 'accountId'),
    integrationId: str(item, 'integrationId'),
    provider: oneOf(item, 'provider', PROVIDER_IDS),
    displayName: str(item, 'displayName'),
    publicName: optionalStr(item, 'publicName'),
    publicNames: item.publicNames === undefined ? undefined : stringMap(item, 'publicNames'),
    credentialsSource: oneOf(item, 'credentialsSource', ['own', 'test'] as const),
    clientId: optionalStr(item, 'clientId'),
    secretId: optionalStr(item, 'secretId'),
    scopes: strings(item, 'scopes'),
    publishingStatus: oneOf(item, 'publishingStatus', ['testing', 'production'] as const),
    audience: oneOf(item, 'audience', ['external', 'internal'] as const),
    mode: oneOf(item, 'mode', ['test', 'live'] as const),
    includeGrantedScopes: bool(item, 'includeGrantedScopes'),
    hostedDomain: optionalStr(item, 'hostedDomain'),
    delegation: readDelegation(optionalMap(item, 'delegation')),
    agentic: item.agentic === true ? true : undefined,
    budget: optionalMap(item, 'budget'),
    quota: optionalMap(item, 'quota'),
    managedBy: item.managedBy === undefined ? undefined : managedByOf(item),
    clientFault: readFault(optionalMap(item, 'clientFault')),
    clientWorksSinceEpochSec: optionalNum(item, 'clientWorksSinceEpochSec'),
    testingSeenAtEpochSec: optionalNum(item, 'testingSeenAtEpochSec'),
    testingOverAtEpochSec: optionalNum(item, 'testingOverAtEpochSec'),
    suspectedFault: readSuspicion(optionalMap(item, 'suspectedFault')),
    sequence: num(item, 'sequence'),
    version: num(item, 'version'),
    createdAt: str(item, 'createdAt'),
    updatedAt: str(item, 'updatedAt'),
  };
}

function readDelegation(map: Item | undefined): Delegation | undefined {
  if (map === undefined) return undefined;
  const subjects = optionalMap(map, 'subjects') ?? {};
  return {
    serviceAccount: str(map, 'serviceAccount'),
    clientId: str(map, 'clientId'),
    projectNumber: str(map, 'projectNumber'),
    via: oneOf(map, 'via', ['aws', 'key'] as const),
    audience: optionalStr(map, 'audience'),
    keyId: optionalStr(map, 'keyId'),
    keyAddedAtEpochSec: optionalNum(map, 'keyAddedAtEpochSec'),
    subjects: {
      domains: strings(subjects, 'domains'),
      addresses: strings(subjects, 'addresses'),
      exceptions: strings(subjects, 'exceptions'),
    },
    allowsDomainAdmin: bool(map, 'allowsDomainAdmin'),
    newSubjectsPerHour: num(map, 'newSubjectsPerHour'),
    idSalt: str(map, 'idSalt'),
  };
}

function readSuspicion(map: Item | undefined): SuspectedFault | undefined {
  if (map === undefined) return undefined;
  return {
    error: str(map, 'error'),
    sinceEpochSec: num(map, 'sinceEpochSec'),
    connectionIds: strings(map, 'connectionIds'),
    refuted: bool(map, 'refuted'),
  };
}

function readFault(map: Item | undefined): ClientFaultMark | undefined {
  if (map === undefined) return undefined;
  return {
    error: str(map, 'error'),
    sinceEpochSec: num(map, 'sinceEpochSec'),
    retryAtEpochSec: num(map, 'retryAtEpochSec'),
  };
}
