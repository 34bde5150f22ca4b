/** One event as the command line shows it. */
export interface ShownEvent {
  readonly eventId: string;
  /** ISO 8601 UTC. */
  readonly time: string;
  readonly type: string;
  /** Empty for events of the account. */
  readonly integration: string;
  /** Empty for events of an integration or the account. */
  readonly connection: string;
  readonly cause: string | undefined;
  /** Whether the cause is a guess. */
  readonly isGuess?: boolean;
}
