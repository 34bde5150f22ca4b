/** Reasons of Google's APIs for refusing a call whose quota is used up (Google, "Resolve errors"). */

/** One user's quota per minute is used up. */
export const USER_MINUTE_SPENT: readonly string[] = ['userRateLimitExceeded'];

/** The Cloud project's quota per minute is used up. */
export const PROJECT_MINUTE_SPENT: readonly string[] = ['rateLimitExceeded'];

/**
 * Reasons that make one user wait: the minute, a limit on sharing, and Calendar's limits on use, which last for hours ("Avoid Calendar
 * use limits").
 */
export const USER_QUOTA_SPENT: readonly string[] = [...USER_MINUTE_SPENT, 'sharingRateLimitExceeded', 'quotaExceeded'];

/** Reasons that make a whole Cloud project wait: its minute or its day. */
export const PROJECT_QUOTA_SPENT: readonly string[] = [...PROJECT_MINUTE_SPENT, 'dailyLimitExceeded'];
