import { type Command, Option } from 'commander';
import type { Webhook, WebhookAttempt, WebhookDelivery } from '../../../client/src/features/webhooks/webhook-types.ts';
import { mustConfirm } from '../../ask.ts';
import { type CommandContext, openContext } from '../../command-context.ts';
import { commaList, given, NEXT_PAGE, PAST_TIME, pastTime, wholeNumber } from '../../options.ts';
import {
  note,
  noteNext,
  printAnswer,
  printFields,
  printJson,
  printLine,
  printTable,
  shortTime,
  stateCell,
} from '../../output.ts';

interface CreateOptions {
  readonly types?: string[];
  readonly integrations?: string[];
  readonly description?: string;
}

interface DeliveryOptions {
  readonly state?: 'pending' | 'delivered' | 'failed' | 'waiting';
  readonly limit: number;
  readonly cursor?: string;
}

interface ReplayOptions {
  readonly since?: string;
  readonly until?: string;
  /** Older names of the two. */
  readonly from?: string;
  readonly to?: string;
}

/** `webhooks list|create|enable|disable|test|rotate-secret|deliveries|replay|delete`. */
export function commands(program: Command): void {
  const group = program.command('webhooks').description('endpoints that receive the gateway’s signed events');

  group
    .command('list')
    .description('all webhooks, newest first')
    .action(async (_options: unknown, command: Command) => {
      const context = await openContext(command);
      const { gateway, json } = context;
      const all = await gateway.webhooks.list();
      if (json) return printAnswer(context);
      const rows = all.map((one) => [
        one.id,
        one.url,
        stateCell(one.disabledBecause === undefined ? one.status : `${one.status} (${one.disabledBecause})`),
        one.types?.join(', ') ?? 'all',
        one.integrations?.join(', ') ?? 'all',
        shortTime(one.lastSuccessAt),
        one.failuresInARow,
      ]);
      const head = ['Webhook', 'Address', 'Status', 'Types', 'Integrations', 'Last success', 'Failures in a row'];
      printTable(head, rows, 'There are no webhooks yet. Create one: webhooks create <url>');
    });

  group
    .command('create <url>')
    .description('registers an endpoint; writes its secret to standard output, only this once')
    .option('--types <list>', 'only these event types', commaList)
    .option('--integrations <list>', 'only events of these integrations', commaList)
    .option('--description <text>', 'a description for operators')
    .action(async (url: string, options: CreateOptions, command: Command) => {
      const context = await openContext(command);
      const { gateway, json } = context;
      const made = await gateway.webhooks.create({ url, ...given({ ...options }) });
      if (json) return printAnswer(context);
      note(
        `Webhook ${made.id}. Give the receiver this secret, which is shown only once, then run: webhooks enable ${made.id}`,
      );
      printLine(made.secret);
    });

  group
    .command('enable <webhook>')
    .description('sends endpoint.test and enables the webhook if the answer is 2xx')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      await show(await context.gateway.webhooks.enable(id), context);
    });

  group
    .command('disable <webhook>')
    .description('stops sending until it is enabled again; deliveries are kept for 14 days')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      await show(await context.gateway.webhooks.disable(id), context);
    });

  group
    .command('test <webhook>')
    .description('sends endpoint.test now; exit code 4 if the answer is not 2xx')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = await openContext(command);
      const { gateway, json } = context;
      const attempt = await gateway.webhooks.test(id);
      if (json) await printAnswer(context);
      else printLine(outcome(attempt));
      if (attempt.error !== undefined) process.exitCode = 4;
    });

  group
    .command('rotate-secret <webhook>')
    .description('creates a new secret and writes it to standard output, only this once; both sign for 24 hours')
    .option('--force', 'also when two former secrets still sign: ends the older one at once')
    .action(async (id: string, options: { readonly force?: true }, command: Command) => {
      const context = await openContext(command);
      const { gateway, json } = context;
      const made = await gateway.webhooks.rotateSecret(id, { force: options.force === true });
      if (json) return printAnswer(context);
      note(`Until ${shortTime(made.previousSecretUntil)} messages carry the old secret’s signature too. The new one:`);
      printLine(made.secret);
    });

  group
    .command('deliveries <webhook>')
    .description('what was sent in the last 14 days, newest first')
    .addOption(new Option('--state <state>', 'only these').choices(['pending', 'delivered', 'failed', 'waiting']))
    .option('--limit <number>', 'how many, at most 100', wholeNumber, 20)
    .option('--cursor <cursor>', NEXT_PAGE)
    .action(async (id: string, { state, limit, cursor }: DeliveryOptions, command: Command) => {
      const context = await openContext(command);
      const { gateway, json } = context;
      const { deliveries, nextCursor } = await gateway.webhooks.deliveries(id, { limit, ...given({ state, cursor }) });
      if (json) return printAnswer(context);
      const rows = deliveries.map((one) => [
        shortTime(one.queuedAt),
        one.eventId,
        one.type,
        one.state,
        one.attempts.length,
        lastOutcome(one),
        shortTime(one.nextAttemptAt),
      ]);
      const head = ['Queued', 'Event', 'Type', 'State', 'Attempts', 'Last', 'Next attempt'];
      printTable(head, rows, 'Nothing was sent.');
      noteNext(nextCursor);
    });

  group
    .command('replay <webhook>')
    .description('sends stored events again, oldest first')
    .option('--since <time>', `${PAST_TIME} (default: when the webhook was disabled)`, pastTime)
    .option('--until <time>', '(default: now)', pastTime)
    .addOption(new Option('--from <time>').argParser(pastTime).hideHelp())
    .addOption(new Option('--to <time>').argParser(pastTime).hideHelp())
    .action(async (id: string, { from, to, since = from, until: end = to }: ReplayOptions, command: Command) => {
      const context = await openContext(command);
      const { gateway, json } = context;
      // Later events are delivered anyway.
      const until = end ?? new Date().toISOString();
      let queued = 0;
      let next: string | undefined = since;
      do {
        const done = await gateway.webhooks.replay(id, given({ from: next, to: until }));
        queued += done.queued;
        next = done.nextFrom;
      } while (next !== undefined);
      if (json) printJson({ queued });
      else printLine(`${queued} events are queued; they will be sent within about a minute.`);
    });

  group
    .command('delete <webhook>')
    .description('deletes a webhook; waiting deliveries are not sent')
    .action(async (id: string, _options: unknown, command: Command) => {
      const { gateway, json, assumeYes } = await openContext(command);
      const { url } = await gateway.webhooks.get(id);
      await mustConfirm(`Delete the webhook to ${url}?`, assumeYes);
      await gateway.webhooks.delete(id);
      if (json) printJson({ deleted: id });
      else printLine(`Deleted the webhook to ${url}.`);
    });
}

async function show(webhook: Webhook, context: CommandContext): Promise<void> {
  if (context.json) return printAnswer(context);
  printFields({
    Webhook: webhook.id,
    Address: webhook.url,
    Status: webhook.status,
    Types: webhook.types ?? 'all',
    Integrations: webhook.integrations ?? 'all',
  });
}

function outcome({ status, error, durationMs, answer }: WebhookAttempt): string {
  const what = status === undefined ? (error ?? 'no answer') : `${status}${error === undefined ? '' : ` (${error})`}`;
  return `${what} after ${durationMs} ms${answer === undefined ? '' : `: ${answer}`}`;
}

function lastOutcome({ attempts }: WebhookDelivery): string | undefined {
  const last = attempts.at(-1);
  return last === undefined ? undefined : String(last.status ?? last.error);
}
