import {
  type ConnectionRef,
  type ConnectionSummary,
  type GatewayClient,
  GatewayError,
} from '../../client/src/index.ts';
import { inParallel } from '../bulk/in-parallel.ts';
import type { Progress } from '../bulk/progress.ts';
import { withRetries } from '../bulk/with-retries.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { filterOf, type Selection } from '../revoke/selection.ts';
import type { LineWriter } from './line-file.ts';
import { identityOf, lineOf, readLine, subjectLineOf } from './moved-connection.ts';

/** Outcome of an export. */
export interface ExportReport {
  written: number;
  /** In the file already. */
  already: number;
  /** Connections that need a new authorization: they have no grant to export. */
  dead: number;
  readonly failed: { readonly ref: ConnectionRef; readonly message: string }[];
  stopped: boolean;
}

/**
 * Writes every connection of a selection with its refresh token, one JSON line each. Each read is in the gateway's audit
 * trail.
 *
 * @throws CommandProblem when the key may not read credentials
 */
export async function exportConnections(
  gateway: GatewayClient,
  selection: Selection,
  file: LineWriter,
  options: { readonly atATime: number; readonly progress: Progress; readonly stop: AbortSignal },
): Promise<ExportReport> {
  const report: ExportReport = { written: 0, already: 0, dead: 0, failed: [], stopped: false };
  const done = new Set(file.before.map(identityOfLine));
  const integrations = await gateway.integrations.list();
  const delegated = new Set(
    integrations.filter(({ delegation }) => delegation !== undefined).map(({ uniqueKey }) => uniqueKey),
  );
  const connections = gateway.connections.all({ ...filterOf(selection), limit: 500 });
  await inParallel(
    connections,
    options.atATime,
    async (connection) => {
      const { providerConfigKey, connectionId, providerAccount } = connection;
      const ref = { providerConfigKey, connectionId };
      const subject = delegated.has(providerConfigKey) ? providerAccount?.email : undefined;
      if (done.has(identityOf(subject === undefined ? ref : { providerConfigKey, subject }))) report.already++;
      else if (subject !== undefined) exportSubject(connection, file, report);
      else await exportOne(gateway, ref, file, report, options.stop);
      options.progress.update({ written: report.written, dead: report.dead, failed: report.failed.length });
    },
    options.stop,
  );
  report.stopped = options.stop.aborted;
  return report;
}

/** No token is read: a service account's connections have nothing to take along but their users. */
function exportSubject(connection: ConnectionSummary, file: LineWriter, report: ExportReport): void {
  const line = subjectLineOf(connection);
  if (line === undefined) return;
  file.write(line);
  report.written++;
}

async function exportOne(
  gateway: GatewayClient,
  ref: ConnectionRef,
  file: LineWriter,
  report: ExportReport,
  stop: AbortSignal,
): Promise<void> {
  try {
    const line = lineOf(await withRetries(() => gateway.connections.get(ref, { refreshToken: true }), stop));
    if (line === undefined) {
      report.dead++;
      return;
    }
    file.write(line);
    report.written++;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'forbidden') throw mayNotRead();
    if (error instanceof GatewayError && error.code === 'reauthorization_required') report.dead++;
    // Deleted since it was listed.
    else if (error instanceof GatewayError && error.code === 'unknown_connection') return;
    else report.failed.push({ ref, message: error instanceof Error ? error.message : String(error) });
  }
}

function mayNotRead(): CommandProblem {
  return new CommandProblem(
    'This secret key may not read credentials. Create one that may in the dashboard (Keys), set ' +
      'GATEWAY_SECRET_KEY to it, and revoke it afterwards.',
    EXIT.refused,
  );
}

function identityOfLine(line: string): string {
  const read = readLine(line);
  return 'connection' in read ? identityOf(read.connection) : '';
}
