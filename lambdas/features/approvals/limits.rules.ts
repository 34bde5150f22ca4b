/** How long a call waits for approval: a day, so that every approver is awake once. */
export const APPROVAL_LIFETIME_SEC = 24 * 3600;
/** Rows of an approval are kept this long after the call would have expired, so that its outcome can be reported. */
export const APPROVAL_KEPT_SEC = 24 * 3600;
/** How long a link with which an end user decides works, and a sign-in counts on the page: long enough to read, too short to keep. */
export const APPROVAL_LINK_SEC = 600;
/** Due approvals that one tick ends, and approvals of a deleted connection that it deletes at a time. */
export const APPROVALS_AT_ONCE = 25;
/** Concurrently waiting calls of one key: as many as one person can review. */
export const APPROVALS_PENDING_MAX = 20;
/** Calls of one key that may ask for approval in a day: beyond this, approvers no longer read what they approve. */
export const APPROVALS_PER_DAY_MAX = 200;
/** An approved call runs within seconds; one that could not for so long must not run unexpectedly later. */
export const APPROVED_RUN_WITHIN_SEC = 3600;
/** An approved call that has not begun after this needs attention: the bus has tried it several times. */
export const APPROVED_LATE_SEC = 300;
/** How long a run may take: the provider's answer, with a refresh before it and readings around it. */
export const APPROVAL_RUN_MS = 60_000;
/** Bytes of an answer that are stored for the caller: an item of the table has at most 400 KB, and answers to changes are small. */
export const APPROVAL_RESULT_MAX_BYTES = 64 * 1024;
/** Size of the pieces in which a waiting body is encrypted: encoding twice adds a third each time, and an item has at most 400 KB. */
export const APPROVAL_PIECE_BYTES = 128 * 1024;
/** Seconds after which a caller may ask again about its call. */
export const APPROVAL_RETRY_AFTER_SEC = 10;
