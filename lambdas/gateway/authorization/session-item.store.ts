import { readEndUser } from '../connections/connection-item.store.ts';
import { TABLE } from '../contract.ts';
import { TTL_GRACE_SEC } from '../core/limits.ts';
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
} from '../platform/dynamodb/item-reader.ts';
import { sessionItemKey } from '../platform/dynamodb/keys.ts';
import type { ConnectSession, ConnectSessionStatus, SessionIntegrationDefaults } from './connect-session.rules.ts';

const STATUSES: readonly ConnectSessionStatus[] = [
  'pending',
  'authorizing',
  'pending_confirmation',
  'connected',
  'cancelled',
  'refused',
  'failed',
];

/** A connect session as its item. */
export function sessionToItem(session: ConnectSession): Record<string, unknown> {
  return {
    ...sessionItemKey(session.sessionHash),
    type: 'connect_session',
    ...session,
    // The table's TTL attribute carries the end of the row, not of the session.
    endsAtEpochSec: session.expiresAtEpochSec,
    [TABLE.timeToLive]: session.expiresAtEpochSec + TTL_GRACE_SEC,
  };
}

/** An item as the connect session it stores. @throws UnreadableItemError for a form this code does not know */
export function sessionFromItem(item: Item): ConnectSession {
  const reconnect = optionalMap(item, 'reconnect');
  const defaults = optionalMap(item, 'defaults') ?? {};
  return {
    sessionHash: str(item, 'sessionHash'),
    accountId: str(item, 'accountId'),
    endUser: readEndUser(optionalMap(item, 'endUser')),
    tags: stringMap(item, 'tags'),
    allowedIntegrations: strings(item, 'allowedIntegrations'),
    defaults: Object.fromEntries(
      Object.keys(defaults).map((key) => [key, readDefaults(optionalMap(defaults, key) ?? {})]),
    ),
    reconnect:
      reconnect === undefined
        ? undefined
        : { integrationId: str(reconnect, 'integrationId'), connectionId: str(reconnect, 'connectionId') },
    allowAccountChange: bool(item, 'allowAccountChange'),
    returnUrl: optionalStr(item, 'returnUrl'),
    confirm: item.confirm === true,
    pick: readPick(optionalMap(item, 'pick')),
    confirmationHash: optionalStr(item, 'confirmationHash'),
    confirmUntilEpochSec: optionalNum(item, 'confirmUntilEpochSec'),
    status: oneOf(item, 'status', STATUSES),
    outcome: readOutcome(optionalMap(item, 'outcome')),
    browserHash: optionalStr(item, 'browserHash'),
    startCount: optionalNum(item, 'startCount') ?? 0,
    authorizingUntilEpochSec: optionalNum(item, 'authorizingUntilEpochSec'),
    mayAskAgain: item.mayAskAgain === true,
    createdAtEpochSec: num(item, 'createdAtEpochSec'),
    expiresAtEpochSec: num(item, 'endsAtEpochSec'),
  };
}

function readOutcome(outcome: Item | undefined): ConnectSession['outcome'] {
  if (outcome === undefined) return undefined;
  return {
    integrationId: optionalStr(outcome, 'integrationId'),
    connectionId: optionalStr(outcome, 'connectionId'),
    errorType: optionalStr(outcome, 'errorType'),
    message: optionalStr(outcome, 'message'),
    missingScopes: outcome.missingScopes === undefined ? [] : strings(outcome, 'missingScopes'),
    pickId: optionalStr(outcome, 'pickId'),
  };
}

function readPick(pick: Item | undefined): ConnectSession['pick'] {
  if (pick === undefined) return undefined;
  return {
    multiple: bool(pick, 'multiple'),
    mimeTypes: strings(pick, 'mimeTypes'),
    fileIds: strings(pick, 'fileIds'),
    folders: bool(pick, 'folders'),
  };
}

function readDefaults(map: Item): SessionIntegrationDefaults {
  return {
    scopes: map.scopes === undefined ? undefined : strings(map, 'scopes'),
    authorizationParams: stringMap(map, 'authorizationParams'),
  };
}
