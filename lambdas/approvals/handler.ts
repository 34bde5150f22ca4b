import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { type ApprovalState, approvalRefOf } from '../gateway/approvals/approval.rules.ts';
import { requestFromEvent } from '../gateway/http/front-door.ts';
import { bufferedAnswer, callContext, errorEnvelope, type HandlerContext } from '../gateway/http/middlewares.ts';
import { endCallsWithInvocation } from '../gateway/platform/aws-client.ts';
import { approveRoute } from './approve-routes.ts';
import { approvedIn, runApproval } from './run-approval.ts';
import { openDependencies } from './wiring.ts';

const dependencies = openDependencies();

/** `/approve/…`: what a person sees of a call that waits. */
const page = middy<APIGatewayProxyEvent, Awaited<ReturnType<typeof approveRoute>>, Error, HandlerContext>()
  .use(callContext(dependencies.logger, endCallsWithInvocation))
  .use(bufferedAnswer())
  .use(errorEnvelope(dependencies.logger, 'approval page failed'))
  .handler((event) => approveRoute(dependencies, requestFromEvent(event)));

/** An event of the bus that says that a person has approved a call. */
async function run(event: unknown, context: Context): Promise<{ readonly state: ApprovalState | 'none' }> {
  endCallsWithInvocation(context.getRemainingTimeInMillis());
  const approved = approvedIn(event);
  const ref = approved && approvalRefOf(approved.accountId, approved.id);
  if (ref === undefined) return { state: 'none' };
  const works: Promise<unknown>[] = [];
  const { awsRequestId: requestId } = context;
  const waitUntil = (work: Promise<unknown> | undefined) => {
    if (work !== undefined) works.push(work);
  };
  const state = await runApproval(dependencies, ref, { requestId, waitUntil });
  await Promise.allSettled(works);
  return { state: state ?? 'none' };
}

/** A request of a browser, or an event of the bus. */
export async function handler(event: unknown, context: Context): Promise<unknown> {
  return isRequest(event) ? page(event, context as HandlerContext) : run(event, context);
}

function isRequest(event: unknown): event is APIGatewayProxyEvent {
  return typeof event === 'object' && event !== null && 'httpMethod' in event;
}
