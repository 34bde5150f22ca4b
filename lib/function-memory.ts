/**
 * Memory of the functions in MB, and with it their share of a processor: 1,769 MB have a whole one (Configure Lambda
 * function memory, AWS Lambda Developer Guide).
 *
 * The proxy's is the default of `gateway:proxyMemoryMb` and what docs/costs.md counts with: the cheapest size whose added
 * latency at the median stays within 1.2 times the best, as `npm run bench:memory` measures it, and that the largest requests
 * leave half empty (docs/decisions/0051-memory-of-the-proxy.md). The deliver function waits for receivers nearly all of its time, and its
 * messages are small; the events function waits for the bus, and starts without any client of AWS; the roll-up takes one answer of the
 * log at a time, of some megabytes each. What tools of assistants do is the proxy's work, of which they hold an answer of 4 MB at most in
 * memory.
 */
export const FUNCTION_MEMORY_MB = {
  proxy: 384,
  deliver: 256,
  events: 256,
  rollUp: 256,
  mcp: 512,
  others: 1024,
} as const;
