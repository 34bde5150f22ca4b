import { findAccount } from '../accounts.ts';
import { type ApiCall, type ApiResult, integerParameter, jsonBody, pathParameter } from '../api/call.ts';
import { badRequest, invalidValue, notFound } from '../api/envelope.ts';
import { decodePageToken, encodePageToken, takePage } from '../api/page-token.ts';
import { isRecord } from '../parse.ts';
import { randomText } from '../random.ts';
import { type ApprovalRecord, type DriveFile, FOLDER_TYPE } from '../state/drive.ts';
import { applyChange } from './apply-change.ts';
import { headRevision } from './revision-resource.ts';
import { describeSub, describeUser } from './user-resource.ts';
import { insufficientPermissions, refuseAppData, requireFile, requireRole } from './visibility.ts';

function nowText(call: ApiCall): string {
  return new Date(call.sim.clock.nowMs()).toISOString();
}

function describeApproval(call: ApiCall, file: DriveFile, approval: ApprovalRecord): Record<string, unknown> {
  const { account } = call.caller;
  const { completeTime, dueTime, approvedRevisionId } = approval;
  return {
    kind: 'drive#approval',
    approvalId: approval.id,
    targetFileId: file.id,
    status: approval.status,
    initiator: describeSub(approval.initiator, account),
    createTime: approval.createTime,
    modifyTime: approval.modifyTime,
    fileContentChangeBehavior: approval.onChange,
    ...(completeTime === null ? {} : { completeTime }),
    ...(dueTime === null ? {} : { dueTime }),
    ...(approvedRevisionId === null ? {} : { approvedRevisionId }),
    reviewerResponses: approval.reviewers.map(({ email, response }) => {
      const reviewer = findAccount(email);
      return {
        kind: 'drive#reviewerResponse',
        response,
        reviewer:
          reviewer === undefined
            ? { kind: 'drive#user', displayName: email, emailAddress: email, me: false }
            : describeUser(reviewer, account),
      };
    }),
  };
}

function requireApproval(call: ApiCall): { file: DriveFile; approval: ApprovalRecord } {
  const file = requireFile(call, pathParameter(call, 'fileId'));
  const approvalId = pathParameter(call, 'approvalId');
  const approval = call.sim.drive.notes(file.id).approvals.find(({ id }) => id === approvalId);
  if (approval === undefined) throw notFound(`Approval not found: ${approvalId}.`, 'approvalId');
  return { file, approval };
}

/** An approval that has not ended. */
function requireOpen(call: ApiCall): { file: DriveFile; approval: ApprovalRecord } {
  const found = requireApproval(call);
  if (found.approval.status === 'IN_PROGRESS') return found;
  throw badRequest(`The approval is ${found.approval.status} and takes no more answers.`);
}

function store(call: ApiCall, file: DriveFile, approval: ApprovalRecord): ApiResult {
  const { drive } = call.sim;
  const notes = drive.notes(file.id);
  const approvals = [...notes.approvals.filter(({ id }) => id !== approval.id), approval];
  applyChange(call, { fileIds: [file.id], apply: () => drive.putNotes(file.id, { ...notes, approvals }) });
  return { resource: describeApproval(call, file, approval) };
}

/** The approval with the message of a call kept, touched now. */
function withMessage(call: ApiCall, approval: ApprovalRecord, body: Record<string, unknown>): ApprovalRecord {
  const time = nowText(call);
  const { message } = body;
  if (message !== undefined && typeof message !== 'string') throw badRequest('message must be text.');
  const added =
    message === undefined || message === '' ? [] : [{ author: call.caller.account.sub, text: message, time }];
  return { ...approval, modifyTime: time, comments: [...approval.comments, ...added] };
}

function readAddresses(value: unknown, name: string): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  const addresses = list.filter((entry) => typeof entry === 'string').map((entry) => entry.toLowerCase());
  if (addresses.length !== list.length || list.length === 0)
    throw badRequest(`${name} must be a list of e-mail addresses.`);
  return addresses;
}

/** `approvals.start`: by who may edit the file; one at a time. */
export function startApproval(call: ApiCall): ApiResult {
  const file = requireRole(call, pathParameter(call, 'fileId'), 'writer');
  refuseAppData(file);
  if (file.mimeType === FOLDER_TYPE) throw badRequest('A folder cannot be approved.');
  const notes = call.sim.drive.notes(file.id);
  if (notes.approvals.some(({ status }) => status === 'IN_PROGRESS')) {
    throw badRequest('The file has an approval in progress.');
  }
  const body = jsonBody(call.http);
  const dueTime = body.dueTime === undefined ? null : String(body.dueTime);
  if (dueTime !== null && !(Date.parse(dueTime) > call.sim.clock.nowMs())) {
    throw badRequest('dueTime must be a time in the future.');
  }
  const time = nowText(call);
  const approval: ApprovalRecord = {
    id: randomText(16),
    initiator: call.caller.account.sub,
    status: 'IN_PROGRESS',
    createTime: time,
    modifyTime: time,
    completeTime: null,
    dueTime: dueTime === null ? null : new Date(dueTime).toISOString(),
    onChange: body.fileContentChangeBehavior === 'NO_APPROVAL_ACTION' ? 'NO_APPROVAL_ACTION' : 'RESET_APPROVAL',
    approvedRevisionId: null,
    reviewers: readAddresses(body.reviewerEmails, 'reviewerEmails').map((email) => ({
      email,
      response: 'NO_RESPONSE',
    })),
    comments: [],
  };
  return store(call, file, withMessage(call, approval, body));
}

/** `approvals.get`. */
export function getApproval(call: ApiCall): ApiResult {
  const { file, approval } = requireApproval(call);
  return { resource: describeApproval(call, file, approval) };
}

/** `approvals.list`. */
export function listApprovals(call: ApiCall): ApiResult {
  const file = requireFile(call, pathParameter(call, 'fileId'));
  const key = `approvals ${file.id}`;
  const token = call.query.get('pageToken');
  const offset = token === null ? 0 : decodePageToken(token, key);
  if (offset === undefined) throw invalidValue('pageToken');
  const { page, next } = takePage(
    call.sim.drive.notes(file.id).approvals,
    offset,
    integerParameter(call, 'pageSize', 100),
  );
  return {
    resource: {
      kind: 'drive#approvalList',
      ...(next === undefined ? {} : { nextPageToken: encodePageToken(next, key) }),
      items: page.map((approval) => describeApproval(call, file, approval)),
    },
  };
}

function respond(call: ApiCall, response: 'APPROVED' | 'DECLINED'): ApiResult {
  const { file, approval } = requireOpen(call);
  const { email } = call.caller.account;
  if (approval.reviewers.every((reviewer) => reviewer.email !== email)) throw insufficientPermissions(file.id);
  const reviewers = approval.reviewers.map((reviewer) => (reviewer.email === email ? { email, response } : reviewer));
  const isApproved = reviewers.every((reviewer) => reviewer.response === 'APPROVED');
  const status = response === 'DECLINED' ? 'DECLINED' : isApproved ? 'APPROVED' : 'IN_PROGRESS';
  const changed = withMessage(call, { ...approval, reviewers, status }, jsonBody(call.http));
  return store(call, file, {
    ...changed,
    completeTime: status === 'IN_PROGRESS' ? null : changed.modifyTime,
    approvedRevisionId: status === 'APPROVED' ? headRevision(file).id : null,
  });
}

/** `approvals.approve`: by a reviewer; the last one completes it. */
export function approve(call: ApiCall): ApiResult {
  return respond(call, 'APPROVED');
}

/** `approvals.decline`: by a reviewer; the first one ends it. */
export function decline(call: ApiCall): ApiResult {
  return respond(call, 'DECLINED');
}

/** `approvals.cancel`: by who started it, or who may edit the file. */
export function cancelApproval(call: ApiCall): ApiResult {
  const { file, approval } = requireOpen(call);
  if (approval.initiator !== call.caller.account.sub) requireRole(call, file.id, 'writer');
  const changed = withMessage(call, { ...approval, status: 'CANCELLED' }, jsonBody(call.http));
  return store(call, file, { ...changed, completeTime: changed.modifyTime });
}

/** `approvals.comment`. */
export function commentApproval(call: ApiCall): ApiResult {
  const { file, approval } = requireApproval(call);
  requireRole(call, file.id, 'commenter');
  const body = jsonBody(call.http);
  if (typeof body.message !== 'string' || body.message === '') throw badRequest('A comment needs a message.');
  return store(call, file, withMessage(call, approval, body));
}

/** `approvals.reassign`: more reviewers, or others in the place of those who have not answered. */
export function reassignApproval(call: ApiCall): ApiResult {
  const { file, approval } = requireOpen(call);
  requireRole(call, file.id, 'writer');
  const body = jsonBody(call.http);
  const listOf = (name: string) => {
    const value = body[name];
    return Array.isArray(value) ? value.filter(isRecord) : [];
  };
  const addressIn = (entry: Record<string, unknown>, name: string) => readAddresses([entry[name]], name)[0] ?? '';
  let reviewers = approval.reviewers;
  for (const entry of listOf('replaceReviewers')) {
    const removed = addressIn(entry, 'removedReviewerEmail');
    const present = reviewers.find(({ email }) => email === removed);
    if (present === undefined) throw badRequest(`${removed} is no reviewer.`);
    if (present.response !== 'NO_RESPONSE') throw badRequest(`${removed} has answered and cannot be replaced.`);
    const added = { email: addressIn(entry, 'addedReviewerEmail'), response: 'NO_RESPONSE' as const };
    reviewers = reviewers.map((reviewer) => (reviewer.email === removed ? added : reviewer));
  }
  for (const entry of listOf('addReviewers')) {
    const email = addressIn(entry, 'addedReviewerEmail');
    if (reviewers.every((reviewer) => reviewer.email !== email)) {
      reviewers = [...reviewers, { email, response: 'NO_RESPONSE' }];
    }
  }
  return store(call, file, withMessage(call, { ...approval, reviewers }, body));
}
