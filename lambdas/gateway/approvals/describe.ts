import type { ConnectionStore } from '../connections/ports.ts';
import type { TokenCipher } from '../core/ports.ts';
import type { IntegrationStore } from '../integrations/ports.ts';
import { type AboutCall, aboutCall } from './about-call.rules.ts';
import type { Approval } from './approval.rules.ts';
import { calledObject, waitingCall } from './called-object.rules.ts';
import { openPlan } from './parked-request.ts';
import type { ApprovalStore } from './ports.ts';
import { type Owner, type ReadObjectDependencies, readObject } from './read-object.ts';

export interface DescribeDependencies extends ReadObjectDependencies {
  readonly approvals: Pick<ApprovalStore, 'part'>;
  readonly connections: ConnectionStore;
  readonly integrations: Pick<IntegrationStore, 'get'>;
  readonly cipher: TokenCipher;
}

/** A waiting call as a person is told of it. */
export interface DescribedCall {
  readonly about: AboutCall;
  readonly owner: Owner;
}

/** What a waiting call does, with names read at the provider now; undefined where its connection or request is gone. */
export async function describeApproval(
  deps: DescribeDependencies,
  approval: Approval,
  requestId: string,
): Promise<DescribedCall | undefined> {
  const [parked, connection, integration] = await Promise.all([
    openPlan(deps, approval),
    deps.connections.read(approval),
    deps.integrations.get(approval),
  ]);
  if (parked === undefined || connection === undefined || integration === undefined) return undefined;
  if (connection.status === 'deleted' || Date.parse(connection.createdAt) > approval.requestedAtMs) return undefined;
  const owner = { connection, integration };
  const call = waitingCall(approval.methodId, parked.plan);
  const object = calledObject(call);
  const read = (path: string | undefined) =>
    path === undefined ? undefined : readObject(deps, owner, parked.plan.origin, path, requestId);
  const [main, part] = await Promise.all([read(object?.readPath), read(object?.part?.readPath)]);
  return { about: aboutCall(call, object, { object: main, part }), owner };
}
