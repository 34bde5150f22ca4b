import type { Command } from 'commander';
import type { Feed, FeedBatch, FeedSettings, FeedStanding } from '../../../client/src/features/feeds/feed-types.ts';
import { readFeed } from '../../../client/src/features/feeds/feeds.ts';
import { fieldsList, optionalText } from '../../../client/src/http/fields.ts';
import { mustConfirm } from '../../ask.ts';
import { type CommandContext, openContext } from '../../command-context.ts';
import { NEXT_PAGE } from '../../options.ts';
import {
  note,
  noteNext,
  printAnswer,
  printFields,
  printJson,
  printLine,
  printRow,
  printTable,
  shortTime,
  stateCell,
} from '../../output.ts';
import { CommandProblem } from '../../problems.ts';

interface FollowOptions {
  readonly after?: string;
  readonly cursor?: string;
  readonly once?: boolean;
}

interface CreateOptions {
  readonly meaning?: boolean;
  readonly seen?: boolean;
  readonly reminders?: string;
}

const REMINDERS = 'of a calendar: report events so many minutes before they start, such as 10,1440';

function settingsOf({ reminders, ...options }: CreateOptions): FeedSettings {
  if (reminders === undefined) return options;
  if (reminders !== 'none' && !/^\d{1,4}(,\d{1,4})*$/.test(reminders)) {
    throw new CommandProblem('--reminders takes numbers of minutes with commas between them, such as 10,1440.');
  }
  return { ...options, reminders: reminders === 'none' ? [] : reminders.split(',').map(Number) };
}

/** `feeds list|create|update|show|pull|follow|delete`. */
export function commands(program: Command): void {
  const group = program.command('feeds').description('watched resources and their changes');

  group
    .command('list')
    .description('all feeds, or those of one connection, newest first')
    .argument('[integration]', 'only for one connection: its integration')
    .argument('[connection]', 'and its id')
    .option('--cursor <cursor>', NEXT_PAGE)
    .action(
      async (
        integration: string | undefined,
        connection: string | undefined,
        { cursor }: { cursor?: string },
        command: Command,
      ) => {
        if (integration !== undefined && connection === undefined) {
          throw new CommandProblem('Give both arguments or none: feeds list <integration> <connection>');
        }
        const { api, json } = await openContext(command);
        const query = { provider_config_key: integration, connection_id: connection, cursor };
        const page = await api('listFeeds', { query, options: undefined });
        if (json) return printJson(page);
        const rows = fieldsList(page.data, 'data')
          .map(readFeed)
          .map((one) => [
            one.id,
            `${one.providerConfigKey} / ${one.connectionId}`,
            one.resource,
            stateCell(one.reason === undefined ? one.state : `${one.state} (${one.reason})`),
            one.lastSequence,
            shortTime(one.lastChangeAt),
          ]);
        const head = ['Feed', 'Connection', 'Resource', 'State', 'Batches', 'Last change'];
        printTable(
          head,
          rows,
          'There are no feeds yet. Create one: feeds create <integration> <connection> <resource>',
        );
        noteNext(optionalText(page, 'next_cursor'));
      },
    );

  group
    .command('create <integration> <connection> <resource>')
    .description('resource: drive, drives, drive:<id>, folder:<id>, calendar:<id>, calendar_list, acl:<id> or settings')
    .option('--meaning', 'changes say what they were, such as renamed or cancelled')
    .option('--seen', 'with --meaning, also changes of files that no other word names')
    .option('--reminders <minutes>', REMINDERS)
    .action(
      async (integration: string, connection: string, resource: string, options: CreateOptions, command: Command) => {
        const context = await openContext(command);
        const wanted = { providerConfigKey: integration, connectionId: connection, resource, ...settingsOf(options) };
        await show(await context.gateway.feeds.create(wanted), context);
      },
    );

  group
    .command('update <feed>')
    .description('turns meanings of changes and reminders on and off; the position in the history is kept')
    .option('--meaning', 'changes say what they were from the next pull on')
    .option('--no-meaning', 'they do not, and what the feed remembers is erased')
    .option('--seen', 'with meaning, also changes of files that no other word names')
    .option('--no-seen', 'without them')
    .option('--reminders <minutes>', `${REMINDERS}; none for no reminders`)
    .action(async (id: string, options: CreateOptions, command: Command) => {
      if (Object.keys(options).length === 0) throw new CommandProblem('Give a setting to change, such as --meaning.');
      const context = await openContext(command);
      await show(await context.gateway.feeds.update(id, settingsOf(options)), context);
    });

  group
    .command('show <feed>')
    .description('state, last message, and the lag of each consumer')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      await show(await context.gateway.feeds.get(id), context);
    });

  group
    .command('pull <feed>')
    .description('reads the feed now, whether or not it is due')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      await show(await context.gateway.feeds.pull(id), context);
    });

  group
    .command('follow <feed>')
    .description('prints changes as they arrive; with --json one batch per line')
    .option('--after <sequence>', 'start after this batch')
    .option('--cursor <name>', 'remember the position under this name, and start there')
    .option('--once', 'stop at the end')
    .action(async (id: string, { after, cursor, once }: FollowOptions, command: Command) => {
      const { gateway, json } = await openContext(command);
      const options = {
        ...(after === undefined ? {} : { after: sequenceOf(after) }),
        ...(cursor === undefined ? {} : { cursor }),
        follow: once !== true,
        onOutage: () => note('The gateway does not answer. Trying until it does …'),
        onState: noteState(),
      };
      for await (const batch of gateway.feeds.changes(id, options)) print(batch, json);
    });

  group
    .command('delete <feed>')
    .description('stops the channels of a feed and deletes it')
    .action(async (id: string, _options: unknown, command: Command) => {
      const { gateway, json, assumeYes } = await openContext(command);
      const { resource } = await gateway.feeds.get(id);
      await mustConfirm(`Delete the feed of ${resource}? Its batches can no longer be read.`, assumeYes);
      await gateway.feeds.delete(id);
      if (json) printJson({ deleted: id });
      else printLine(`Deleted the feed of ${resource}.`);
    });
}

/** Notes when a feed stops or continues; a feed that is read from the start needs no note. */
function noteState(): (feed: FeedStanding) => void {
  let stopped = false;
  return ({ state, explanation, remedy }) => {
    const runs = state === 'watching' || state === 'polling';
    if (!runs || stopped) note([`The feed is ${state}.`, explanation, remedy].filter(Boolean).join(' '));
    stopped = !runs;
  };
}

function sequenceOf(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new CommandProblem('--after takes the number of a batch, 0 for the beginning.');
  return Number(value);
}

async function show(feed: Feed, context: CommandContext): Promise<void> {
  if (context.json) return printAnswer(context);
  printFields({
    Feed: feed.id,
    Resource: feed.resource,
    State: stateCell(feed.reason === undefined ? feed.state : `${feed.state}: ${feed.explanation ?? feed.reason}`),
    'What to do': feed.remedy,
    ...(feed.meaning ? { Meaning: feed.seen ? 'yes, with seen' : 'yes' } : {}),
    ...(feed.reminders.length === 0 ? {} : { Reminders: `${feed.reminders.join(', ')} min before` }),
    Batches: feed.lastSequence,
    ...(feed.drives === undefined ? {} : { 'Shared drives': feed.drives }),
    'Last change': shortTime(feed.lastChangeAt),
    'Last message': shortTime(feed.lastMessageAt),
    'Last pull': shortTime(feed.lastPullAt),
    'Next pull': shortTime(feed.nextPullAt),
    'Channel ends': shortTime(feed.channelEndsAt),
    ...Object.fromEntries(feed.cursors.map(({ name, lag }) => [`Lag of ${name}`, lag])),
  });
}

/** A batch with the names that it has in the API. */
function asAnswered({ storedAt, changes, ...batch }: FeedBatch): object {
  return {
    ...batch,
    stored_at: storedAt,
    changes: changes.map(({ mimeType, minutesBefore, subtree, ...change }) => ({
      ...change,
      ...(subtree ? { subtree } : {}),
      mime_type: mimeType,
      minutes_before: minutesBefore,
    })),
  };
}

function print(batch: FeedBatch, json: boolean): void {
  if (json) {
    printLine(JSON.stringify(asAnswered(batch)));
    return;
  }
  const { sequence, storedAt } = batch;
  if (batch.kind === 'gap') {
    printRow([sequence, shortTime(storedAt), `gap (${batch.reason ?? 'unknown'}): compare everything`], [4, 17]);
  }
  for (const { id, kind, removed, what, subtree, time, minutesBefore } of batch.changes) {
    const happened =
      minutesBefore === undefined
        ? (what?.join(', ') ?? (removed ? 'removed' : 'changed'))
        : `starts ${shortTime(time)} (${minutesBefore} min before)`;
    printRow([sequence, shortTime(storedAt), `${happened}${subtree ? ', with all below it' : ''}`, kind, id], [4, 17]);
  }
}
