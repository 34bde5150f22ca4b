import { findAccount, type SimAccount } from '../accounts.ts';
import { type ApiCall, type ApiResult, integerParameter, jsonBody, pathParameter } from '../api/call.ts';
import { API_HEADERS, badRequest, invalidValue, notFound } from '../api/envelope.ts';
import { decodePageToken, encodePageToken, takePage } from '../api/page-token.ts';
import { emptyResponse } from '../http/exchange.ts';
import { object, oneOf, optional, parseJson, ShapeError, text } from '../parse.ts';
import { randomText } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import type { DriveFile, ProposalRecord } from '../state/drive.ts';
import { grantAccess, mayShare } from './sharing.ts';
import { insufficientPermissions, requireFile } from './visibility.ts';

const proposalBody = object({
  account: text,
  fileId: text,
  role: optional(oneOf('writer', 'commenter', 'reader')),
  message: optional(text),
});

/**
 * `POST /__sim/access-proposals`: an account asks for access to a file, as people do on Drive's pages; the API has no
 * method for it.
 */
export function proposeAccess(sim: Simulation, body: string): unknown {
  const { account, fileId, role, message } = parseJson(body, proposalBody, 'body');
  const requester = findAccount(account);
  if (requester === undefined) throw new ShapeError(`body.account: no account is called ${account}.`);
  if (sim.drive.find(fileId) === undefined) throw new ShapeError(`body.fileId: there is no file ${fileId}.`);
  const proposal: ProposalRecord = {
    id: randomText(16),
    createTime: new Date(sim.clock.nowMs()).toISOString(),
    requester: requester.email,
    recipient: requester.email,
    message: message ?? null,
    role: role ?? 'reader',
  };
  const notes = sim.drive.notes(fileId);
  sim.drive.putNotes(fileId, { ...notes, proposals: [...notes.proposals, proposal] });
  return { proposalId: proposal.id };
}

function requireAnswering(call: ApiCall): DriveFile {
  const file = requireFile(call, pathParameter(call, 'fileId'));
  if (mayShare(call, file)) return file;
  throw insufficientPermissions(file.id);
}

function requireProposal(call: ApiCall, file: DriveFile): ProposalRecord {
  const proposalId = pathParameter(call, 'proposalId');
  const proposal = call.sim.drive.notes(file.id).proposals.find(({ id }) => id === proposalId);
  if (proposal !== undefined) return proposal;
  throw notFound(`Access proposal not found: ${proposalId}.`, 'proposalId');
}

function describeProposal(file: DriveFile, proposal: ProposalRecord): Record<string, unknown> {
  return {
    fileId: file.id,
    proposalId: proposal.id,
    requesterEmailAddress: proposal.requester,
    recipientEmailAddress: proposal.recipient,
    rolesAndViews: [{ role: proposal.role }],
    createTime: proposal.createTime,
    ...(proposal.message === null ? {} : { requestMessage: proposal.message }),
  };
}

/** `accessproposals.get`: by who may share the file. */
export function getProposal(call: ApiCall): ApiResult {
  const file = requireAnswering(call);
  return { resource: describeProposal(file, requireProposal(call, file)) };
}

/** `accessproposals.list`: by who may share the file. */
export function listProposals(call: ApiCall): ApiResult {
  const file = requireAnswering(call);
  const key = `proposals ${file.id}`;
  const token = call.query.get('pageToken');
  const offset = token === null ? 0 : decodePageToken(token, key);
  if (offset === undefined) throw invalidValue('pageToken');
  const { page, next } = takePage(
    call.sim.drive.notes(file.id).proposals,
    offset,
    integerParameter(call, 'pageSize', 100),
  );
  return {
    resource: {
      accessProposals: page.map((proposal) => describeProposal(file, proposal)),
      ...(next === undefined ? {} : { nextPageToken: encodePageToken(next, key) }),
    },
  };
}

function recipientOf(proposal: ProposalRecord): SimAccount {
  const account = findAccount(proposal.recipient);
  if (account === undefined) throw new Error(`${proposal.recipient} has no account`);
  return account;
}

/** `accessproposals.resolve`: `ACCEPT` with the roles to give, or `DENY`; the proposal is gone afterwards. */
export function resolveProposal(call: ApiCall): ApiResult {
  const file = requireAnswering(call);
  const proposal = requireProposal(call, file);
  const { action, role } = jsonBody(call.http);
  if (action !== 'ACCEPT' && action !== 'DENY') throw badRequest('action must be ACCEPT or DENY.');
  const roles: unknown[] = Array.isArray(role) ? role : [];
  const given = (['writer', 'commenter', 'reader'] as const).find((entry) => roles.includes(entry));
  if (action === 'ACCEPT' && given === undefined) throw badRequest('ACCEPT needs a role: writer, commenter or reader.');
  const notes = call.sim.drive.notes(file.id);
  const proposals = notes.proposals.filter(({ id }) => id !== proposal.id);
  call.sim.drive.putNotes(file.id, { ...notes, proposals });
  if (action === 'ACCEPT' && given !== undefined) grantAccess(call, file, recipientOf(proposal), given);
  return { response: emptyResponse(204, API_HEADERS) };
}
