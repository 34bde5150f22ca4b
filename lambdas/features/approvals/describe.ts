import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import type { TokenCipher } from '../../gateway/core/ports.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import type { DescribedMethods } from '../../gateway/providers/described-methods.rules.ts';
import type { UpstreamPlan } from '../../gateway/proxying/upstream-request.rules.ts';
import type { ReadToolCall } from '../../gateway/server-tools/tool-call.rules.ts';
import { type AboutCall, aboutCall } from './about-call.rules.ts';
import type { Approval } from './approval.rules.ts';
import type { Reading } from './called-object.rules.ts';
import { openPlan } from './held-request.ts';
import type { ApprovalStore } from './ports.ts';
import { isRead, type ReadCall, readCall } from './read-call.rules.ts';
import { type Owner, type ReadObjectDependencies, readAs, readObject } from './read-object.ts';
import { missingPaths } from './readings.rules.ts';
import { type ShownRequest, shownRequest } from './shown-request.rules.ts';

export interface DescribeToolDependencies extends ReadObjectDependencies {
  /** What describes calls of tools, loaded with the first. */
  readonly heldTools: () => Promise<typeof import('./held-tools.ts')>;
}

export interface DescribeDependencies extends DescribeToolDependencies {
  readonly approvals: Pick<ApprovalStore, 'part'>;
  readonly connections: ConnectionStore;
  readonly integrations: Pick<IntegrationStore, 'get'>;
  readonly cipher: TokenCipher;
  /** What of each method a person is shown. */
  readonly described: DescribedMethods;
}

/** A waiting call as a person is shown it. */
export interface DescribedCall {
  readonly about: AboutCall;
  readonly request: ShownRequest;
  readonly owner: Owner;
}

/** What a waiting call does, with names read at the provider now; undefined where its connection or request is gone. */
export async function describeApproval(
  deps: DescribeDependencies,
  approval: Approval,
  requestId: string,
): Promise<DescribedCall | undefined> {
  const [held, connection, integration] = await Promise.all([
    openPlan(deps, approval),
    deps.connections.read(approval),
    deps.integrations.get(approval),
  ]);
  if (held === undefined || connection === undefined || integration === undefined) return undefined;
  if (connection.status === 'deleted' || Date.parse(connection.createdAt) > approval.requestedAtMs) return undefined;
  const owner = { connection, integration };
  if (held.plan.tool !== undefined) {
    const asked = (await deps.heldTools()).readToolCall(held.plan);
    if (asked === undefined) return undefined;
    const { about } = await describeTool(deps, owner, held.plan, asked, requestId);
    return { about, request: shownRequest(held.plan), owner };
  }
  const call = readCall(deps.described, approval.methodId, held.plan);
  if (!isRead(call)) return undefined;
  const about = await describeCall(deps, owner, held.plan, call, requestId);
  return { about, request: shownRequest(held.plan), owner };
}

/** Rounds of readings: the object, then where it lies and who can open that. */
const ROUNDS_MAX = 3;

/** What a call does, with what it is about read now. */
export async function describeCall(
  deps: ReadObjectDependencies,
  owner: Owner,
  { origin }: Pick<UpstreamPlan, 'origin'>,
  call: ReadCall,
  requestId: string,
): Promise<AboutCall> {
  const readings = new Map<string, Reading | undefined>();
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const paths = missingPaths(call, readings);
    if (paths.length === 0) break;
    const read = await Promise.all(paths.map((path) => readObject(deps, owner, origin, path, requestId)));
    for (const [at, path] of paths.entries()) readings.set(path, read[at]);
  }
  return aboutCall(call, readings, { email: owner.connection.providerAccount?.email ?? undefined });
}

/**
 * What a call of a tool does, with its object as the server's own tool shows it now.
 *
 * @returns whether the object that the call names could be read, too
 */
export async function describeTool(
  deps: DescribeToolDependencies,
  owner: Owner,
  plan: Pick<UpstreamPlan, 'origin' | 'target'>,
  call: ReadToolCall,
  requestId: string,
): Promise<{ readonly about: AboutCall; readonly isRead: boolean }> {
  const { describedTool } = await deps.heldTools();
  const { email } = owner.connection.providerAccount ?? {};
  return describedTool(plan, call, { email: email ?? undefined }, (reading) => readAs(deps, owner, requestId, reading));
}
