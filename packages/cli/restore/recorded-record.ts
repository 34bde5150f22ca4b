/** A record of the account in the audit trail. */
export interface RecordedRecord {
  /** Member of its events that has its id, and the attribute of their rows. */
  readonly member: string;
  readonly attribute: string;
  /** Types of the events of its creation and of its deletion. */
  readonly created: string;
  readonly deleted: string;
}
