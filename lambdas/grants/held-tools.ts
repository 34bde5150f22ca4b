/** Built as `held-tools.mjs`, and loaded with the first call of a provider's tool that waits for a person. */
export { acceptedCall, describedTool, judgedTool, readToolCall } from '../gateway/approvals/held-tools.ts';
