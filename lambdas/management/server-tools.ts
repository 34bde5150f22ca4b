/** Built as `server-tools.mjs`, and loaded for accounts with agentic integrations. */
export { acceptTools, hiddenTools, showLists } from './server-tools/lists.ts';
