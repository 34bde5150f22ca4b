/** Header that says whose share of the quota of a minute a call takes (Google Cloud, "Capping API usage"; Calendar API, "Manage quotas"). */
export const QUOTA_USER_HEADER = 'x-goog-quota-user';
