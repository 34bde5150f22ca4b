import * as z from 'zod';
import { GatewayError } from '../../gateway/core/errors.ts';
import { keyIdOf } from '../../gateway/core/identifiers.ts';
import { time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { CONNECTION, INTEGRATION } from '../../gateway/openapi/sample.ts';
import { reaches } from '../../management/authenticate.ts';
import { type Caller, grantRoute, type Route } from '../../management/route.ts';
import type { GrantServices } from '../../management/services.ts';
import type { AboutCall } from './about-call.rules.ts';
import {
  APPROVAL_STATES,
  type Approval,
  type ApprovalResult,
  approvalId,
  approvalRefOf,
  stateAt,
} from './approval.rules.ts';
import { type Asker, boundApproval, createDecisionLink, decide, requireApproval, unknownApproval } from './decide.ts';
import { describeApproval } from './describe.ts';
import { openAbout, openResult } from './held-request.ts';
import { inWords, plainText } from './in-words.ts';
import { approvalEn } from './languages/en.ts';
import { recentApprovals } from './recent-approvals.ts';
import { type ApprovalServices, approvalServices } from './services.ts';
import type { ShownRequest } from './shown-request.rules.ts';
import { shownText } from './shown-text.rules.ts';

const resultAnswer = documented(() =>
  z
    .object({
      status: z.int().meta({ description: 'Google’s status.' }),
      headers: z.record(z.string(), z.string()),
      body: z.string().nullable().meta({ description: 'Text, or Base64; null: larger than 64 KB, and not kept.' }),
      body_encoding: z.enum(['utf8', 'base64']),
    })
    .meta({ id: 'ApprovalResult', description: 'Google’s answer, kept for a day.' }),
);

const aboutAnswer = documented(() =>
  z
    .object({
      sentence: z.string().meta({ description: 'What the call does, with names as Google has them now.' }),
      account: z.string().nullable().meta({ description: 'Address of the Google account that the call is made as.' }),
      facts: z
        .array(
          z
            .object({
              name: z.string().meta({ description: 'What changes, or Google’s name of the member.' }),
              before: z.string().nullable(),
              after: z.string().nullable().meta({ description: 'null: it is taken away.' }),
              is_risk: z.boolean().meta({ description: 'It opens access, or leaves the organization.' }),
            })
            .meta({ id: 'ApprovalFact' }),
        )
        .meta({ description: 'Everything that the call changes, and who can open what it comes to.' }),
      risks: z.array(z.string()).meta({ description: 'What leaves the organization or becomes public.' }),
      remarks: z
        .array(z.string())
        .meta({ description: 'Who gets an e-mail from Google, and why nobody can approve it.' }),
      is_certain: z
        .boolean()
        .meta({ description: 'false: not all of it could be read, so nobody can approve it now.' }),
      seen: z.string().meta({
        description: 'The state that is described here. Send it with the decision: only this state is changed.',
      }),
      request: z
        .object({
          method: z.string(),
          target: z.string(),
          content_type: z.string().nullable(),
          body: z.string().nullable(),
        })
        .meta({ id: 'ApprovalRequest' })
        .nullable()
        .meta({ description: 'The request itself; null once somebody has decided.' }),
    })
    .meta({ id: 'AboutApproval' }),
);

const approvalAnswer = documented(() =>
  z
    .object({
      id: z.string(),
      status: z.enum(APPROVAL_STATES),
      method: z.string().meta({ description: 'Google’s id of the method.' }),
      provider_config_key: z.string(),
      connection_id: z.string(),
      key_id: z.string().meta({ description: 'The key that called: the first 12 characters of its id.' }),
      key_name: z.string(),
      requested_at: time(),
      expires_at: time(),
      decided_at: time().nullable(),
      decided_by: z.string().nullable(),
      ended_at: time().nullable(),
      object: z
        .object({ kind: z.string(), id: z.string() })
        .meta({ id: 'ApprovalObject' })
        .nullable()
        .meta({ description: 'What the call is about; null where it names none.' }),
      outcome: z.string().nullable().meta({ description: 'Google’s status, or why nothing was sent.' }),
      about: aboutAnswer().nullable().meta({
        description: 'For operators and keys with the right full: while it waits, and once somebody has decided.',
      }),
    })
    .meta({ id: 'Approval' }),
);

const shownApproval = documented(() =>
  approvalAnswer()
    .extend({
      result: resultAnswer().nullable().meta({ description: 'For the key that called, once it has ended.' }),
    })
    .meta({ id: 'ShownApproval' }),
);

/** Query of `GET /approvals`. */
const listQuery = z.strictObject({
  about: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .optional()
    .meta({ description: 'false: about is null, and nothing is read at Google. Default: true.' }),
});

/** Body of `POST /approvals/{approvalId}/decision`. */
const decisionBody = z.strictObject({
  decision: z.enum(['approve', 'refuse'], { error: 'must be approve or refuse' }),
  seen: z.string().max(1024).nullish().meta({ description: 'about.seen of the approval that was looked at.' }),
});

/** Answer of `POST /approvals/{approvalId}/session`. */
const linkAnswer = documented(() =>
  z
    .object({ url: z.string(), expires_at: time() })
    .meta({ id: 'ApprovalLink', description: 'A link for one browser, in which the end user can decide.' }),
);

type RouteServices = GrantServices & ApprovalServices;

function withApprovals(given: GrantServices): RouteServices {
  return { ...given, ...approvalServices(given.forFeatures) };
}

const isoOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());

function onTheWire(
  approval: Approval,
  key: Asker,
  nowMs: number,
  about: AnswerOf<typeof aboutAnswer> | null = null,
): AnswerOf<typeof approvalAnswer> {
  const { objectKind: kind, objectId } = approval;
  return {
    id: approvalId(approval),
    status: stateAt(approval, nowMs),
    method: approval.methodId,
    provider_config_key: approval.integrationId,
    connection_id: approval.connectionId,
    key_id: keyIdOf(approval),
    key_name: shownText(key.name),
    requested_at: new Date(approval.requestedAtMs).toISOString(),
    expires_at: new Date(approval.expiresAtMs).toISOString(),
    decided_at: isoOf(approval.decidedAtMs),
    decided_by: approval.decidedBy ?? null,
    ended_at: isoOf(approval.endedAtMs),
    object: kind === undefined || objectId === undefined ? null : { kind, id: shownText(objectId) },
    outcome: approval.outcome ?? null,
    about,
  };
}

/** What a call does, in the words of the API. */
function aboutOnTheWire(about: AboutCall, request: ShownRequest | undefined): AnswerOf<typeof aboutAnswer> {
  const words = inWords(approvalEn, 'en', about, request);
  return {
    sentence: plainText(words.sentence),
    account: about.account ?? null,
    facts: words.facts.map(({ label, before, after, isRisk }) => ({
      name: label,
      before: before?.join('\n') ?? null,
      after: after.length === 0 ? null : after.join('\n'),
      is_risk: isRisk,
    })),
    risks: [...words.risks],
    remarks: [words.mails, words.warning].filter((one) => one !== undefined),
    is_certain: about.warning === undefined,
    seen: about.seen,
    request:
      request === undefined
        ? null
        : {
            method: request.method,
            target: request.target,
            content_type: request.contentType ?? null,
            body: request.body ?? null,
          },
  };
}

function resultOnTheWire({ status, headers, body }: ApprovalResult): AnswerOf<typeof resultAnswer> {
  const bytes = body === undefined ? undefined : Buffer.from(body, 'base64');
  const text = bytes?.toString('utf8');
  const isText = bytes !== undefined && Buffer.from(text ?? '').equals(bytes);
  return {
    status,
    headers: Object.fromEntries(headers),
    body: bytes === undefined ? null : isText ? (text ?? '') : bytes.toString('base64'),
    body_encoding: bytes === undefined || isText ? 'utf8' : 'base64',
  };
}

function stale(): GatewayError {
  const message = 'What the call is about had changed since a person saw it, so nothing was sent. Send it again.';
  return new GatewayError('approval_stale', message);
}

/** The described call: read now while it waits, otherwise as it was shown for the decision. */
async function aboutOf(services: RouteServices, approval: Approval, nowMs: number, requestId: string) {
  if (stateAt(approval, nowMs) === 'pending') {
    const described = await describeApproval(services, approval, requestId);
    return described === undefined ? null : aboutOnTheWire(described.about, described.request);
  }
  const about = await openAbout(services, approval);
  return about === undefined ? null : aboutOnTheWire(about, undefined);
}

/** The approval in a path, within the caller's reach. @throws GatewayError `not_found` */
async function reached(
  services: RouteServices,
  caller: Caller,
  params: Readonly<Record<string, string>>,
  requestId: string,
) {
  const ref = approvalRefOf(caller.accountId, params.approvalId ?? '');
  const found = ref === undefined ? undefined : await services.approvals.find(ref);
  const { approval, key } = await requireApproval(services, found);
  // A key that only makes proxied calls sees only its own approvals.
  const isForeign = caller.key?.right === 'proxy' && caller.key.keyHash !== approval.keyHash;
  if (isForeign || !reaches(caller, approval.integrationId)) throw unknownApproval();
  const connection = await services.connections.read(approval);
  return { approval: await boundApproval(services, approval, connection, requestId), key };
}

const tag = 'Approvals';
const ID = 'apr_01KAMT0V5N7Z2Q4R8S6T1W3X5Yf3a1c5d2e4b6';
const EXAMPLE = {
  id: ID,
  status: 'pending' as const,
  method: 'drive.files.delete',
  provider_config_key: INTEGRATION,
  connection_id: CONNECTION,
  key_id: 'f3a1c5d2e4b6',
  key_name: 'Assistant',
  requested_at: '2026-03-01T10:00:00.000Z',
  expires_at: '2026-03-02T10:00:00.000Z',
  decided_at: null,
  decided_by: null,
  ended_at: null,
  object: { kind: 'file', id: '1a2b3c' },
  outcome: null,
  about: {
    sentence: 'Delete “plan.txt” for good',
    account: 'alice@example.com',
    facts: [{ name: 'Owner', before: null, after: 'Alice (alice@example.com)', is_risk: false }],
    risks: [],
    remarks: [],
    is_certain: true,
    seen: 'version:7~0123456789abcdef',
    request: { method: 'DELETE', target: '/drive/v3/files/1a2b3c', content_type: null, body: null },
  },
};

/** The newest calls of a list are described, up to a number, because each is read at the provider. */
const DESCRIBED_MAX = 50;
const DESCRIBED_AT_ONCE = 10;

/** A deleted key has no approvals. */
function notThere(error: unknown): undefined {
  if (error instanceof GatewayError && error.code === 'not_found') return undefined;
  throw error;
}

/** Calls that need a person's approval: listed, shown, decided. */
export const grantRoutes: readonly Route<GrantServices>[] = [
  grantRoute({
    method: 'GET',
    pattern: '/approvals',
    access: { right: 'read', account: true },
    query: listQuery,
    describe: documented(() => ({
      id: 'listApprovals',
      tag,
      summary: 'List calls of the last day that a person was asked to approve, newest first',
      answer: z.object({ data: z.array(approvalAnswer()) }).meta({ id: 'ApprovalList' }),
      errors: [],
      example: { answer: { data: [EXAMPLE] } },
    })),
    async handle({ caller, query, requestId }, given) {
      const services = withApprovals(given);
      const nowMs = services.clock.nowMs();
      const ofKeys = await recentApprovals(services.approvals, caller.accountId, nowMs);
      const found = await Promise.all(
        ofKeys.map(async (ofKey) => {
          const [newest] = ofKey;
          const asked = newest && (await requireApproval(services, newest).catch(notThere));
          if (asked === undefined) return [];
          const { key } = asked;
          return ofKey.filter(({ keyHash }) => keyHash === key.keyHash).map((approval) => ({ approval, key }));
        }),
      );
      const all = found.flat().toSorted((a, b) => b.approval.requestedAtMs - a.approval.requestedAtMs);
      const isShown = (caller.operator !== undefined || caller.key?.right === 'full') && query.about !== 'false';
      const data: AnswerOf<typeof approvalAnswer>[] = [];
      for (let at = 0; at < all.length; at += DESCRIBED_AT_ONCE) {
        const some = all.slice(at, at + DESCRIBED_AT_ONCE).map(async ({ approval, key }, index) => {
          const about =
            isShown && at + index < DESCRIBED_MAX ? await aboutOf(services, approval, nowMs, requestId) : null;
          return onTheWire(approval, key, nowMs, about);
        });
        data.push(...(await Promise.all(some)));
      }
      return { data };
    },
  }),
  grantRoute({
    method: 'GET',
    pattern: '/approvals/{approvalId}',
    access: { right: 'read', proxyKey: true },
    statusOf: ({ data }) => (['pending', 'approved', 'running'].includes(data.status) ? 202 : 200),
    describe: documented(() => ({
      id: 'readApproval',
      tag,
      summary: 'Get how a call stands that a person has to approve, and its result',
      description:
        'Answers 202 while nobody has decided or the call is on its way. The key that called gets Google’s answer in result. Keys with the right proxy see their own approvals only.',
      answer: z.object({ data: shownApproval() }).meta({ id: 'ApprovalAnswer' }),
      errors: ['not_found', 'approval_expired', 'approval_stale'],
      example: { params: { approvalId: ID }, answer: { data: { ...EXAMPLE, result: null } } },
    })),
    async handle({ caller, params, requestId }, given) {
      const services = withApprovals(given);
      const { approval, key } = await reached(services, caller, params, requestId);
      const nowMs = services.clock.nowMs();
      const state = stateAt(approval, nowMs);
      const isOwn = caller.key !== undefined && caller.key.keyHash === approval.keyHash;
      if (isOwn && state === 'expired') {
        throw new GatewayError('approval_expired', 'Nobody decided in time. Nothing was sent; send the request again.');
      }
      if (isOwn && state === 'stale') throw stale();
      const decides = caller.operator !== undefined || caller.key?.right === 'full';
      const result = isOwn ? await openResult(services, approval) : undefined;
      return {
        data: {
          ...onTheWire(approval, key, nowMs, decides ? await aboutOf(services, approval, nowMs, requestId) : null),
          result: result === undefined ? null : resultOnTheWire(result),
        },
      };
    },
  }),
  grantRoute({
    method: 'POST',
    pattern: '/approvals/{approvalId}/session',
    access: { right: 'full', account: true },
    describe: documented(() => ({
      id: 'createApprovalSession',
      tag,
      summary: 'Create a link with which an end user decides in one browser',
      description:
        'For a user who is signed in to your app: the first browser that opens the link decides as the end user, so give it to that user only. It works in that browser only, for ten minutes. A full key can therefore approve: every link is an event (ApprovalLinkCreated) and the record names its maker.',
      answer: z.object({ data: linkAnswer() }).meta({ id: 'CreatedApprovalLink' }),
      errors: ['not_found', 'conflict', 'approval_expired'],
      example: {
        params: { approvalId: ID },
        answer: {
          data: {
            url: 'https://gateway.example/approve/ExampleOnlyExampleOnlyExampleOnlyExampleOnl',
            expires_at: '2026-03-01T10:10:00.000Z',
          },
        },
      },
    })),
    async handle({ caller, params, requestId }, given) {
      const services = withApprovals(given);
      const { approval } = await reached(services, caller, params, requestId);
      if (services.approvers === 'operator') {
        throw new GatewayError('forbidden', 'In this deployment operators alone decide (gateway:approvers).');
      }
      return { data: await createDecisionLink(services, approval, { actor: caller.actor, requestId }) };
    },
  }),
  grantRoute({
    method: 'POST',
    pattern: '/approvals/{approvalId}/decision',
    access: { right: 'full', account: true, recentSignIn: true },
    body: decisionBody,
    describe: documented(() => ({
      id: 'decideApproval',
      tag,
      summary: 'Approve or refuse a call as an operator',
      description:
        'Only a signed-in operator can: a key proves no person, and neither does the address of the page. What is approved is sent once, within seconds, if the object is still as seen says.',
      answer: z.object({ data: approvalAnswer() }).meta({ id: 'DecidedApproval' }),
      errors: ['not_found', 'conflict', 'approval_expired', 'approval_stale'],
      example: {
        params: { approvalId: ID },
        body: { decision: 'refuse' },
        answer: {
          data: {
            ...EXAMPLE,
            status: 'refused',
            about: null,
            decided_at: EXAMPLE.requested_at,
            decided_by: 'operator:8c1f2f0e',
          },
        },
      },
    })),
    async handle({ caller, params, body, requestId }, given) {
      const services = withApprovals(given);
      if (caller.operator === undefined || services.approvers === 'end_user') {
        const message = 'A person decides this: a signed-in operator, or the end user on the page of the approval.';
        throw new GatewayError('forbidden', message);
      }
      const { approval, key } = await reached(services, caller, params, requestId);
      const kind = body.decision === 'approve' ? 'approved' : 'refused';
      if (stateAt(approval, services.clock.nowMs()) === 'stale') throw stale();
      const about = (await describeApproval(services, approval, requestId))?.about;
      if (kind === 'approved') {
        if (about === undefined) throw unknownApproval();
        if (typeof body.seen === 'string' && body.seen !== about.seen) {
          throw new GatewayError(
            'approval_stale',
            'It has changed since you looked at it. Look again before you decide.',
          );
        }
      }
      const decided = await decide(services, approval, { kind, about, actor: caller.actor, requestId });
      return { data: onTheWire(decided, key, services.clock.nowMs()) };
    },
  }),
];
