import type { UpstreamPlan } from '../../gateway/proxying/upstream-request.rules.ts';
import type { PinnedListStore } from '../../gateway/server-tools/ports.ts';
import type { ReadToolCall } from '../../gateway/server-tools/tool-call.rules.ts';
import type { Approval } from './approval.rules.ts';
import { type DescribeToolDependencies, describeTool } from './describe.ts';
import type { Owner } from './read-object.ts';

export interface PrepareToolDependencies extends DescribeToolDependencies {
  readonly pinnedLists: Pick<PinnedListStore, 'read'>;
}

/** An approved call of a tool right before it is sent; `stale`: the tool or its object is another than the person saw. */
export type PreparedTool =
  | { readonly kind: 'ready'; readonly plan: UpstreamPlan; readonly createdId: undefined }
  | { readonly kind: 'stale' }
  | { readonly kind: 'unread' };

/** Compares what the person saw with what is there, as late as can be: the tool as it was accepted, and the object. */
export async function prepareTool(
  deps: PrepareToolDependencies,
  { accountId, seen }: Pick<Approval, 'accountId' | 'seen'>,
  owner: Owner,
  plan: UpstreamPlan,
  asked: ReadToolCall,
  requestId: string,
): Promise<PreparedTool> {
  const { provider, endpoint } = asked.tool;
  const { acceptedCall } = await deps.heldTools();
  const accepted = acceptedCall(await deps.pinnedLists.read({ accountId, provider, endpoint }), plan, asked);
  if (accepted === undefined) return { kind: 'stale' };
  const { about, isRead } = await describeTool(deps, owner, plan, asked, requestId);
  if (about.seen !== seen) return { kind: isRead ? 'stale' : 'unread' };
  return { kind: 'ready', plan: accepted, createdId: undefined };
}
