import type { Command } from 'commander';
import type { CallFailure, GatewayClient, LoggedCall } from '../../client/src/index.ts';
import { openContext } from '../command-context.ts';
import { given, NEXT_PAGE, PAST_TIME, pastTime, wholeNumber } from '../options.ts';
import { exactTime, note, noteNext, printAnswer, printFields, printTable } from '../output.ts';
import { CommandProblem } from '../problems.ts';

interface CallsOptions {
  readonly status?: string;
  readonly failure?: CallFailure;
  readonly reason?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly record?: boolean;
  readonly stopRecording?: boolean;
}

/** `calls <integration> <connection>` or `calls <request id>`: proxied calls from the call log. */
export function addCalls(program: Command): void {
  program
    .command('calls')
    .argument('[integration-or-request]', 'the connection’s integration; alone: the request id of an answer')
    .argument('[connection]', 'the connection’s id')
    .description(
      'logged calls of a connection, newest first, or the call with a request id; alone: failed calls of all connections',
    )
    .option('--status <status>', '404, 4xx, ok or failed')
    .option(
      '--failure <kind>',
      'of all connections: provider_failed, rate_limited, gateway_failed, refused or broken_off',
    )
    .option('--reason <reason>', 'of all connections: Google’s reason, or the gateway’s code')
    .option('--since <time>', PAST_TIME, pastTime)
    .option('--limit <count>', 'at most this many, up to 200', wholeNumber)
    .option('--cursor <cursor>', NEXT_PAGE)
    .option('--record', 'log every call of the connection for the next hour')
    .option('--stop-recording', 'end that')
    .action(
      async (first: string | undefined, connection: string | undefined, options: CallsOptions, command: Command) => {
        const context = await openContext(command);
        const { gateway, json } = context;
        if (first === undefined) {
          const page = await failedCalls(gateway, options);
          if (json) return printAnswer(context);
          printTable(
            ['Time', 'Connection', 'Call', 'Status', 'Why', 'Request'],
            page.calls.map((call) => [
              exactTime(call.time),
              `${call.providerConfigKey} / ${call.connectionName}`,
              `${call.method} ${call.path}`,
              call.status,
              whyOf(call),
              call.requestId,
            ]),
            emptyText(page.log.mode, page.log.retentionDays),
          );
          return noteNext(page.nextCursor);
        }
        if (options.failure !== undefined || options.reason !== undefined)
          throw new CommandProblem(
            '--failure and --reason go with calls of all connections: leave out the integration.',
          );
        if (connection === undefined) {
          if (Object.keys(options).length > 0)
            throw new CommandProblem('Name the connection: calls <integration> <connection>');
          const call = await gateway.calls.get(first);
          return json ? printAnswer(context) : printFields(fieldsOf(call));
        }
        const ref = { providerConfigKey: first, connectionId: connection };
        if (options.record === true) {
          const until = await gateway.calls.record(ref);
          return json ? printAnswer(context) : note(`Every call is logged until ${until}.`);
        }
        if (options.stopRecording === true) {
          await gateway.calls.stopRecording(ref);
          return json ? printAnswer(context) : note('Calls are logged as usual again.');
        }
        const { status, since, limit, cursor } = options;
        const page = await gateway.calls.list(ref, given({ status, since, limit, cursor }));
        if (json) return printAnswer(context);
        printTable(
          ['Time', 'Call', 'Status', 'Why', 'ms', 'Request'],
          page.calls.map((call) => [
            exactTime(call.time),
            `${call.method} ${call.path}`,
            call.status,
            whyOf(call),
            call.totalMs,
            call.requestId,
          ]),
          emptyText(page.log.mode, page.log.retentionDays),
        );
        noteNext(page.nextCursor);
      },
    );
}

/** @throws CommandProblem for options that need one connection */
function failedCalls(gateway: GatewayClient, options: CallsOptions) {
  const { status, record, stopRecording, failure, reason, since, limit, cursor } = options;
  if (record === true || stopRecording === true) {
    throw new CommandProblem('Name the connection: calls <integration> <connection>');
  }
  if (status !== undefined && !/^\d{3}$/.test(status)) {
    throw new CommandProblem('Of all connections, failed calls are listed; --status takes one status, such as 404.');
  }
  const wanted = { status: status === undefined ? undefined : Number(status), failure, reason, since, limit, cursor };
  return gateway.calls.failed(given(wanted));
}

function whyOf({ errorCode, reason, complete }: LoggedCall): string {
  return errorCode ?? reason ?? (complete ? '' : 'broke off');
}

function emptyText(mode: string, days: number): string {
  if (mode === 'off') return 'This deployment keeps no call log (gateway:callLog is off).';
  return `No ${mode === 'all' ? '' : 'failed '}call of the last ${days} days matches.`;
}

function fieldsOf(call: LoggedCall): Record<string, string | number | boolean | undefined> {
  return {
    Time: call.time,
    Connection: `${call.providerConfigKey} / ${call.connectionId}`,
    Call: `${call.method} ${call.path}`,
    Status: call.status,
    'Answered by': call.answeredBy,
    Why: call.errorCode ?? call.reason,
    Key: call.keyId,
    'ms to the head': call.headMs,
    'ms in all': call.totalMs,
    'Sent to the provider': call.attempts,
    'Waited for a token': call.refreshed,
    'Bytes in': call.bytesIn,
    'Bytes out': call.bytesOut,
    Complete: call.complete,
  };
}
