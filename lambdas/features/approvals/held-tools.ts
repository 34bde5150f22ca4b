/** What is known of calls to providers' MCP servers that wait for a person. Functions load it with the first of them. */
import type { UpstreamPlan } from '../../gateway/proxying/upstream-request.rules.ts';
import { offered, type PinnedList, toolHash } from '../../gateway/server-tools/pins.rules.ts';
import { objectShown } from '../../gateway/server-tools/server-message.rules.ts';
import { type ReadToolCall, toolRequest } from '../../gateway/server-tools/tool-call.rules.ts';
import type { AboutCall, Account } from './about-call.rules.ts';
import { aboutTool } from './about-tool.rules.ts';
import { readingOf, type ToolReading } from './tool-reading.rules.ts';

export { readToolCall } from '../../gateway/server-tools/tool-call.rules.ts';
export { judgedTool } from './judge-tool.rules.ts';

/** What a call of a tool does, and whether the object that it names could be read, too. @param ask what the server answers to a reading */
export async function describedTool(
  plan: Pick<UpstreamPlan, 'origin' | 'target'>,
  call: ReadToolCall,
  account: Account,
  ask: (reading: ToolReading) => Promise<Parameters<typeof objectShown>[0] | undefined>,
): Promise<{ readonly about: AboutCall; readonly isRead: boolean }> {
  const reading = readingOf(plan, call);
  const answer = reading && (await ask(reading));
  const shown = answer && objectShown(answer);
  return { about: aboutTool(call, shown, account), isRead: reading === undefined || shown !== undefined };
}

/** An approved call as it is sent, if the tool is still the one that was accepted. A form of the server's own is possible only where both ask. */
export function acceptedCall(
  list: PinnedList | undefined,
  plan: UpstreamPlan,
  { tool, args, standIn }: ReadToolCall,
): UpstreamPlan | undefined {
  const now = list && offered(list).find(({ name }) => name === tool.name);
  if (now === undefined || toolHash(now) !== tool.hash) return undefined;
  return { ...plan, ...toolRequest(tool, args, tool.asksToo), standIn };
}
