import { FEATURE_MEMORY_MB } from '../lambdas/features/index.ts';

/**
 * Memory of the functions in MB, and with it their share of a processor: 1,769 MB correspond to a whole one (Configure Lambda
 * function memory, AWS Lambda Developer Guide).
 *
 * The proxy's is the default of `gateway:proxyMemoryMb` and the basis of docs/costs.md: the cheapest size whose added median latency
 * stays within 1.2 times the best, as measured by `npm run bench:memory`, and of which the largest requests use at most half
 * (contributing/decisions/0051-memory-of-the-proxy.md). The deliver function waits for receivers nearly all of its time, and its messages are
 * small. The events function waits for the bus, and starts without an AWS client. The roll-up reads one answer of the log at a time, of
 * several megabytes each. Assistants' tools make proxied calls and hold one answer of at most 4 MB in memory. The functions of
 * declarations and of approvals wait for others. The function core waits for Google, with 25 answers of at most 4 MB each.
 */
export const FUNCTION_MEMORY_MB = {
  proxy: 384,
  events: 256,
  rollUp: 256,
  declared: 256,
  core: 512,
  others: 1024,
  ...FEATURE_MEMORY_MB,
} as const;
