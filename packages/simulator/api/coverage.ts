import type { ApiHandler } from './call.ts';

/**
 * One of Google's methods as the simulator has it: `whole`, `partial` with what is missing, or `501` with why. The page is
 * the title of the document that the behaviour was taken from.
 */
export type MethodEntry =
  | { depth: 'whole'; page: string; handler: ApiHandler }
  | { depth: 'partial'; missing: string; page: string; handler: ApiHandler }
  | { depth: '501'; why: string; page: string };

/** Entries by method id, for example `drive.files.list`. */
export type MethodEntries = Readonly<Record<string, MethodEntry>>;

/** A method with everything that Google documents of it. */
export function whole(page: string, handler: ApiHandler): MethodEntry {
  return { depth: 'whole', page, handler };
}

/** A method with something missing, said in words that follow "missing:". */
export function partial(page: string, missing: string, handler: ApiHandler): MethodEntry {
  return { depth: 'partial', missing, page, handler };
}

/** A method that is answered with 501, and why. */
export function absent(page: string, why: string): MethodEntry {
  return { depth: '501', why, page };
}
