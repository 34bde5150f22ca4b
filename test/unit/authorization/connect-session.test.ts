import { describe, expect, it } from 'vitest';
import {
  type ConnectSession,
  reconnectTarget,
  startObstacle,
  visibleStatus,
} from '../../../lambdas/gateway/authorization/connect-session.rules.ts';
import { CONNECT_STARTS_MAX } from '../../../lambdas/gateway/core/limits.ts';
import { NOW_SEC, session } from './support.ts';

describe('how a session is seen', () => {
  it.each<[Partial<ConnectSession>, number, string]>([
    [{}, 59, 'pending'],
    [{}, 60, 'expired'],
    [{ status: 'connected' }, 9999, 'connected'],
    [{ status: 'refused' }, 59, 'refused'],
    [{ status: 'failed' }, 60, 'expired'],
    [{ status: 'authorizing' }, 59, 'authorizing'],
    [{ status: 'authorizing' }, 60, 'expired'],
    [{ status: 'authorizing', authorizingUntilEpochSec: NOW_SEC + 30 }, 29, 'authorizing'],
    [{ status: 'authorizing', authorizingUntilEpochSec: NOW_SEC + 30 }, 30, 'timed_out'],
    // A flow under way may end after its session's time.
    [{ status: 'authorizing', authorizingUntilEpochSec: NOW_SEC + 90 }, 89, 'authorizing'],
    [{ status: 'authorizing', authorizingUntilEpochSec: NOW_SEC + 90 }, 90, 'expired'],
    [{ status: 'pending', authorizingUntilEpochSec: NOW_SEC + 90 }, 60, 'expired'],
    [{ status: 'pending_confirmation', confirmUntilEpochSec: NOW_SEC + 90 }, 89, 'pending_confirmation'],
    [{ status: 'pending_confirmation', confirmUntilEpochSec: NOW_SEC + 90 }, 90, 'not_confirmed'],
    [{ status: 'pending_confirmation' }, 0, 'not_confirmed'],
  ])('%j, %i seconds on, is %s', (changes, afterSec, status) => {
    expect(visibleStatus(session({ expiresAtEpochSec: NOW_SEC + 60, ...changes }), NOW_SEC + afterSec)).toBe(status);
  });
});

describe('the connection a session authorizes again', () => {
  const reconnect = { integrationId: 'drive', connectionId: 'given' };
  const outcome = { integrationId: 'drive', connectionId: 'made', errorType: undefined, message: undefined };
  const again = { status: 'connected', mayAskAgain: true, reconnect } as const;

  it.each<[string, Partial<ConnectSession>, string | undefined]>([
    ['the one it is for', { reconnect }, 'given'],
    ['none for a new one', {}, undefined],
    ['the one it made that lacks scopes', { ...again, outcome }, 'made'],
    ['not the one it made in full', { status: 'connected', outcome, reconnect }, 'given'],
    ['not the one of a flow under way', { status: 'authorizing', mayAskAgain: true, outcome, reconnect }, 'given'],
    ['the one it is for where none was made', again, 'given'],
    [
      'the one it is for where no integration is named',
      { ...again, outcome: { ...outcome, integrationId: undefined } },
      'given',
    ],
    [
      'the one it is for where no connection is named',
      { ...again, outcome: { ...outcome, connectionId: undefined } },
      'given',
    ],
  ])('the connection a session authorizes again is %s', (_, changes, connectionId) => {
    expect(reconnectTarget(session(changes))?.connectionId).toBe(connectionId);
  });
});

describe('startObstacle', () => {
  it.each([
    ['a session that nobody has started', {}, undefined, undefined],
    ['the browser that has started it', { browserHash: 'mine', startCount: 1 }, 'mine', undefined],
    ['another browser', { browserHash: 'mine', startCount: 1 }, 'other', 'link_started_elsewhere'],
    ['a browser without the cookie', { browserHash: 'mine', startCount: 1 }, undefined, 'link_started_elsewhere'],
    ['the last start', { startCount: CONNECT_STARTS_MAX - 1 }, undefined, undefined],
    ['one more', { startCount: CONNECT_STARTS_MAX }, undefined, 'link_started_too_often'],
  ])('judges %s', (_, fields, browserHash, expected) => {
    expect(startObstacle(session(fields), browserHash)).toBe(expected);
  });
});
