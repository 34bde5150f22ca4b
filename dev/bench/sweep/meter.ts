/** Counts what a DynamoDB client asks for and what the table says it cost. */
import type { Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';

/** Requests by operation, index entries read, and capacity units by table and index. */
export interface TableUse {
  readonly requests: Readonly<Record<string, number>>;
  /** Entries that queries went through, those that a filter dropped included. */
  readonly scanned: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

const READS = new Set(['GetItem', 'Query', 'BatchGetItem']);

/** Starts to count at a table's client; the answer reads the counts so far. */
export function meterOf(table: Table): () => TableUse {
  const requests: Record<string, number> = {};
  let scanned = 0;
  let readUnits = 0;
  let writeUnits = 0;
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      const operation = (context.commandName ?? 'unknown').replace(/Command$/, '');
      const result = await next({ ...args, input: Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' }) });
      requests[operation] = (requests[operation] ?? 0) + 1;
      scanned += numberOf(result.output, 'ScannedCount') ?? 0;
      const units = unitsOf(result.output);
      if (READS.has(operation)) readUnits += units;
      else writeUnits += units;
      return result;
    },
    { step: 'initialize', name: 'meter', priority: 'low' },
  );
  return () => ({ requests: { ...requests }, scanned, readUnits, writeUnits });
}

/** @throws Error when an answer does not say what it cost */
function unitsOf(output: object): number {
  const consumed: unknown = 'ConsumedCapacity' in output ? output.ConsumedCapacity : undefined;
  // A transaction says it for each of its tables.
  const parts: readonly unknown[] = Array.isArray(consumed) ? consumed : [consumed];
  return parts.reduce<number>((sum, part) => {
    const units = typeof part === 'object' && part !== null ? numberOf(part, 'CapacityUnits') : undefined;
    if (units === undefined) throw new Error('The table did not say what an operation cost');
    return sum + units;
  }, 0);
}

function numberOf(holder: object, name: string): number | undefined {
  const value: unknown = Object.entries(holder).find(([key]) => key === name)?.[1];
  return typeof value === 'number' ? value : undefined;
}
