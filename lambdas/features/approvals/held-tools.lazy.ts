/** Built as `held-tools.mjs`, and loaded with the first call of a provider's tool that waits for a person. */

export { isToolDayUsedUp } from '../../gateway/providers/google/tool-server-causes.rules.ts';
export { acceptedCall, describedTool, judgedTool, readToolCall } from './held-tools.ts';
