/** Header with the user whose quota per minute a call uses (Google Cloud, "Capping API usage"; Calendar API, "Manage quotas"). */
export const QUOTA_USER_HEADER = 'x-goog-quota-user';
