/** Built beside the bundle as `journal.mjs`: read with the first call of a key whose writes are journalled. */
export { makeWriteJournal } from '../gateway/journal-wiring.ts';
