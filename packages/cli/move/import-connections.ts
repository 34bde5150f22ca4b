import { type GatewayClient, GatewayError, UnexpectedAnswerError } from '../../client/src/index.ts';
import { inParallel } from '../bulk/in-parallel.ts';
import type { Progress } from '../bulk/progress.ts';
import { mayPass, withRetries } from '../bulk/with-retries.ts';
import { numberedLines } from './line-file.ts';
import { identityOf, type MovedConnection, readLine } from './moved-connection.ts';

/** A line that can be imported. */
export interface GoodLine {
  readonly number: number;
  readonly connection: MovedConnection;
}

/** A line that cannot, and why. */
export interface BadLine {
  readonly number: number;
  readonly problems: readonly string[];
}

/** Outcome of an import. */
export interface ImportReport {
  imported: number;
  /** There already, from an earlier run or otherwise: left as they are. */
  existing: number;
  /** Permanent: the same line fails again. */
  readonly refused: BadLine[];
  /** Passing: the gateway or the provider did not answer, or asked to wait. The next run imports them. */
  readonly postponed: BadLine[];
  stopped: boolean;
}

/** Judges every line before anything is imported; a connection that an earlier line names already is a bad one. */
export async function readLines(
  path: string,
  integrations: ReadonlySet<string>,
): Promise<{ readonly good: readonly GoodLine[]; readonly bad: readonly BadLine[] }> {
  const good: GoodLine[] = [];
  const bad: BadLine[] = [];
  const seen = new Map<string, number>();
  for await (const { number, text } of numberedLines(path)) {
    const read = readLine(text);
    const problems = 'problems' in read ? read.problems : problemsOf(read.connection, integrations, seen, number);
    if ('connection' in read && problems.length === 0) good.push({ number, connection: read.connection });
    else bad.push({ number, problems });
  }
  return { good, bad };
}

function problemsOf(
  connection: MovedConnection,
  integrations: ReadonlySet<string>,
  seen: Map<string, number>,
  number: number,
): string[] {
  const problems: string[] = [];
  const { providerConfigKey } = connection;
  if (!integrations.has(providerConfigKey)) {
    problems.push(
      `there is no integration ${providerConfigKey} here; create it with the same OAuth client or service account first`,
    );
  }
  const identity = identityOf(connection);
  const before = seen.get(identity);
  if (before !== undefined) problems.push(`line ${before} names the same connection`);
  else seen.set(identity, number);
  return problems;
}

/**
 * Imports connections; each refresh token is used once to prove it. Users of service accounts are connected again. Existing connections
 * stay unchanged, so the same file can be imported again until everything is done.
 */
export async function importConnections(
  gateway: GatewayClient,
  lines: readonly GoodLine[],
  options: { readonly atATime: number; readonly progress: Progress; readonly stop: AbortSignal },
): Promise<ImportReport> {
  const report: ImportReport = { imported: 0, existing: 0, refused: [], postponed: [], stopped: false };
  await inParallel(
    lines,
    options.atATime,
    async ({ number, connection }) => {
      try {
        await withRetries<unknown>(
          () =>
            'subject' in connection
              ? gateway.connections.connectSubject(connection)
              : gateway.connections.import(connection),
          options.stop,
        );
        report.imported++;
      } catch (error) {
        if (error instanceof GatewayError && error.code === 'conflict') report.existing++;
        else (isPassing(error) ? report.postponed : report.refused).push({ number, problems: reasonsOf(error) });
      }
      options.progress.update({
        imported: report.imported,
        'already present': report.existing,
        refused: report.refused.length,
        postponed: report.postponed.length,
        'of all': lines.length,
      });
    },
    options.stop,
  );
  report.stopped = options.stop.aborted;
  for (const lines of [report.refused, report.postponed]) lines.sort((a, b) => a.number - b.number);
  return report;
}

/** Whether the next run may succeed: a fault of the gateway, too, is no fault of the line. */
function isPassing(error: unknown): boolean {
  const status = error instanceof GatewayError || error instanceof UnexpectedAnswerError ? error.status : undefined;
  return mayPass(error) || (status ?? 0) >= 500;
}

function reasonsOf(error: unknown): string[] {
  if (error instanceof GatewayError && error.problems.length > 0) {
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
  return [error instanceof Error ? error.message : String(error)];
}
