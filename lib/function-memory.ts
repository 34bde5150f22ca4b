/**
 * Memory of the functions in MB, and with it their share of a processor: 1,769 MB have a whole one (Configure Lambda
 * function memory, AWS Lambda Developer Guide).
 *
 * The proxy's is the default of `gateway:proxyMemoryMb` and what docs/costs.md counts with; `npm run bench:memory` measures
 * what each size costs in money and in waiting.
 */
export const FUNCTION_MEMORY_MB = { proxy: 1024, others: 1024 } as const;
