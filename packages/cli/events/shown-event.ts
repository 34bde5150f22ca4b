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
  /** The event's members, as on the bus. */
  readonly data: Readonly<Record<string, string>>;
}

/** An event of a type that says this, wherever it was read. */
export function shownEvent(type: string, data: Readonly<Record<string, string>>): ShownEvent {
  return {
    eventId: data.event_id ?? '',
    time: data.time ?? '',
    type,
    integration: data.integration_id ?? '',
    connection: data.connection_id ?? '',
    cause: data.cause,
    isGuess: data.remedy?.startsWith('Probably:') === true,
    data,
  };
}

/** Members that are in other columns, or too long for a line. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['event_id', 'sequence', 'time', 'account_id', 'integration_id', 'connection_id', 'end_user_id'],
  ...['remedy', 'actor', 'health', 'feed_id', 'resource', 'kind', 'changes', 'cause', 'ends_at'],
]);

/** The event's members beyond its type, in a few words; empty without any. */
export function remarkOf({ data, cause, isGuess }: ShownEvent): string {
  const own = Object.entries(data).flatMap(([name, value]) => (ELSEWHERE.has(name) ? [] : [value]));
  if (own.length > 0) return own.join(', ');
  return cause === undefined ? '' : `${isGuess === true ? 'probably ' : ''}${cause}`;
}
