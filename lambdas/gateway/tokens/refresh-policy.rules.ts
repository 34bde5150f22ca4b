import type { RefreshAhead } from '../contract.ts';
import { ACTIVE_WINDOW_SEC, KEEP_ALIVE_SEC } from '../core/limits.ts';

/** What the schedule does for connections: which it keeps fresh ahead of use, and how often it keeps the others alive. */
export interface RefreshPolicy {
  readonly ahead: RefreshAhead;
  /** With `recently-used`: a connection used within this time is kept fresh. */
  readonly activeWindowSec: number;
  /** A connection that is not kept fresh is refreshed this often. */
  readonly keepAliveSec: number;
}

/** Where a deployment says nothing. */
export const DEFAULT_REFRESH_POLICY: RefreshPolicy = {
  ahead: 'recently-used',
  activeWindowSec: ACTIVE_WINDOW_SEC,
  keepAliveSec: KEEP_ALIVE_SEC,
};

/** Whether the schedule renews this connection's token before it ends, so that no caller has to wait for it. */
export function isKeptFresh(
  policy: RefreshPolicy,
  lastUsedAtEpochSec: number | undefined,
  nowEpochSec: number,
): boolean {
  switch (policy.ahead) {
    case 'always':
      return true;
    case 'on-use':
      return false;
    case 'recently-used':
      return lastUsedAtEpochSec !== undefined && nowEpochSec - lastUsedAtEpochSec < policy.activeWindowSec;
  }
}
