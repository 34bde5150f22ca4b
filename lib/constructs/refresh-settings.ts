import { REFRESH_SETTINGS, type RefreshAhead } from '../../lambdas/gateway/core/contract.ts';
import type { GatewayFunction } from './function.ts';

const HOUR_SEC = 3_600;
const DAY_SEC = 24 * HOUR_SEC;

/** Which tokens the schedule renews ahead of use, and how often it refreshes the others. */
export interface RefreshPolicyProps {
  readonly refreshAhead: RefreshAhead;
  readonly activeWindowHours: number;
  readonly keepAliveDays: number;
}

/**
 * Sets a function's refresh policy. Every function that computes due times needs the same one: otherwise the later writer of a row
 * would undo the earlier one's decision.
 */
export function setRefreshPolicy(fn: GatewayFunction, props: RefreshPolicyProps): void {
  fn.setEnvironment(REFRESH_SETTINGS.ahead, props.refreshAhead);
  fn.setEnvironment(REFRESH_SETTINGS.activeWindowSec, String(props.activeWindowHours * HOUR_SEC));
  fn.setEnvironment(REFRESH_SETTINGS.keepAliveSec, String(props.keepAliveDays * DAY_SEC));
}
