import type { FeedCall, FeedChange } from '../../../../../lambdas/features/feeds/feed-resource.rules.ts';
import type { FeedAnswer } from '../../../../../lambdas/features/feeds/ports.ts';
import { World } from './world.ts';

const MINUTE_MS = 60_000;

/** An event as its attendee has it. */
export interface Meeting {
  readonly startMs: number;
  readonly isDeclined: boolean;
}

/** A calendar whose events have starts. */
export class StartsWorld extends World {
  readonly meetings = new Map<string, Meeting>();
  lists = 0;

  constructor(reminders: readonly number[]) {
    super('calendar:primary', { reminders });
  }

  /** Makes, moves, declines or cancels an event; the channel says so. */
  put(id: string, meeting: Meeting | undefined): void {
    if (meeting === undefined) this.meetings.delete(id);
    else this.meetings.set(id, meeting);
    this.change(id, meeting === undefined);
  }

  /** All that is on its way arrives, each message with its wake-up. */
  async arrive(): Promise<void> {
    // What was not answered comes again, as Google has it.
    while (this.messages.length > 0) {
      const status = await this.deliver(0, { wake: true, keep: true });
      if (status !== 0) this.messages.shift();
    }
  }

  /** Minutes pass, with what the schedule runs in each. */
  async minutes(count: number): Promise<void> {
    for (let minute = 0; minute < count; minute++) {
      this.pass(60);
      await this.remind();
      await this.sweep();
    }
  }

  get told(): { readonly change: FeedChange; readonly atMs: number }[] {
    return this.batches
      .filter(({ kind }) => kind === 'starts')
      .flatMap(({ changes, storedAt }) => changes.map((change) => ({ change, atMs: Date.parse(storedAt) })));
  }

  protected override provide({ searchParams }: URL, _call: FeedCall): FeedAnswer | undefined {
    if (searchParams.get('singleEvents') !== 'true') return undefined;
    this.lists += 1;
    const [from, to] = ['timeMin', 'timeMax'].map((name) => Date.parse(searchParams.get(name) ?? ''));
    const items = [...this.meetings]
      .filter(([, { startMs }]) => startMs + 30 * MINUTE_MS > (from ?? 0) && startMs < (to ?? 0))
      .map(([id, { startMs, isDeclined }]) => ({
        id,
        status: 'confirmed',
        start: { dateTime: new Date(startMs).toISOString() },
        attendees: [{ self: true, responseStatus: isDeclined ? 'declined' : 'accepted' }],
      }));
    return { kind: 'ok', body: { timeZone: 'Europe/Berlin', items } };
  }
}
