/** Statements that one address may send one process per second: far above Google's rate, and each costs a signature check. */
export const SECURITY_EVENTS_PER_SEC = 50;
/** Names and identifiers in a statement: Google's are some tens of characters long. */
export const SECURITY_EVENT_ID_MAX_LENGTH = 512;
/** Events of one statement that are processed: Google sends one. */
export const SECURITY_EVENTS_PER_STATEMENT_MAX = 5;
/** Clients that one statement may be addressed to. */
export const SECURITY_EVENT_AUDIENCES_MAX = 10;
/** Statements are kept as evidence for as long as the end of a connection is likely to be investigated. */
export const EVIDENCE_RETENTION_SEC = 30 * 24 * 3600;
/** A statement may arrive this long after the refresh that the provider refused for the same reason: Google repeats undelivered ones. */
export const EVIDENCE_LATE_SEC = 3600;
/** It may also arrive this long before a refresh that the provider still granted: its services learn of it one after the other. */
export const EVIDENCE_EARLY_SEC = 3600;
/** Connections that are refreshed after one statement: the maximum that the limit of refresh tokens leaves an account under one client. */
export const STATEMENT_CONNECTIONS_MAX = 200;
/** How many of them are refreshed at the same time. */
export const STATEMENT_REFRESHES_AT_ONCE = 10;
/** The work of a statement is retried for so long; after that the ordinary refresh finds the same facts. */
export const STATEMENT_WORK_SEC = 24 * 3600;
/** Time of a wake-up for this work, within its function's five minutes. */
export const STATEMENT_BUDGET_MS = 60_000;
/** How often a registered project records that it receives statements from Google. */
export const STATEMENT_NOTE_INTERVAL_SEC = 60;
/** A stream without statements for as long as evidence is kept may be off: it could have explained no death of that time. */
export const SECURITY_EVENTS_QUIET_SEC = 30 * 24 * 3600;
/** How long a verification may take before it is reported as missing. */
export const VERIFICATION_AWAITED_SEC = 3600;
/** The discovery document contains the issuer and the address of its keys, and both hardly ever change. */
export const RISC_CONFIGURATION_MAX_AGE_MS = 60 * 60_000;
