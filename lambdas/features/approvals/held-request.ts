import type { TokenCipher } from '../../gateway/core/ports.ts';
import type { UpstreamPlan } from '../../gateway/proxying/upstream-request.rules.ts';
import type { AboutCall } from './about-call.rules.ts';
import {
  type ApprovalPart,
  type ApprovalRef,
  type ApprovalResult,
  approvalContext,
  type ParkedRequest,
} from './approval.rules.ts';
import { APPROVAL_PIECE_BYTES } from './limits.rules.ts';
import type { ApprovalStore, SealedPart } from './ports.ts';

interface SealDependencies {
  readonly cipher: TokenCipher;
}

export interface OpenDependencies extends SealDependencies {
  readonly approvals: Pick<ApprovalStore, 'part'>;
}

/** A request that waits, encrypted in rows of its own; it holds no credential. */
export async function sealRequest(
  { cipher }: SealDependencies,
  ref: ApprovalRef,
  plan: UpstreamPlan,
  from: Pick<ParkedRequest, 'token' | 'sourceIp'>,
): Promise<ReadonlyMap<ApprovalPart, string>> {
  const { origin, method, effectiveMethod, target, headers, form, tool, body } = plan;
  const more = { ...(form === undefined ? {} : { form }), ...(tool === undefined ? {} : { tool }) };
  const request: ParkedRequest = {
    plan: { origin, method, effectiveMethod, target, headers, ...more },
    bodyBytes: body?.length,
    ...from,
  };
  const parts = new Map<ApprovalPart, string>();
  const seal = async (part: ApprovalPart, text: string) =>
    parts.set(part, await cipher.encrypt(approvalContext(ref, part), text));
  await seal('request', JSON.stringify(request));
  for (const [index, piece] of piecesOf(body ?? new Uint8Array()).entries()) {
    await seal(`body${index}`, Buffer.from(piece).toString('base64'));
  }
  return parts;
}

function piecesOf(body: Uint8Array): readonly Uint8Array[] {
  const count = Math.ceil(body.length / APPROVAL_PIECE_BYTES);
  return Array.from({ length: count }, (_, i) =>
    body.subarray(i * APPROVAL_PIECE_BYTES, (i + 1) * APPROVAL_PIECE_BYTES),
  );
}

/** What waits, without its body; undefined where it is gone. @throws CipherError for what was not written here */
export async function openRequest(deps: OpenDependencies, ref: ApprovalRef): Promise<ParkedRequest | undefined> {
  const sealed = await deps.approvals.part(ref, 'request');
  // It was encrypted by this code for this place: nothing else decrypts.
  return sealed === undefined
    ? undefined
    : JSON.parse(await deps.cipher.decrypt(approvalContext(ref, 'request'), sealed));
}

/** The whole request as it is sent, and where it came from; undefined where it is gone. */
export async function openPlan(
  deps: OpenDependencies,
  ref: ApprovalRef,
): Promise<{ readonly plan: UpstreamPlan; readonly sourceIp: string } | undefined> {
  const request = await openRequest(deps, ref);
  if (request === undefined) return undefined;
  const { plan, bodyBytes, sourceIp } = request;
  if (bodyBytes === undefined) return { plan: { ...plan, body: undefined }, sourceIp };
  const pieces: Uint8Array[] = [];
  for (let index = 0; index * APPROVAL_PIECE_BYTES < bodyBytes; index++) {
    const sealed = await deps.approvals.part(ref, `body${index}`);
    if (sealed === undefined) return undefined;
    pieces.push(Buffer.from(await deps.cipher.decrypt(approvalContext(ref, `body${index}`), sealed), 'base64'));
  }
  const body = Buffer.concat(pieces);
  return body.length === bodyBytes ? { plan: { ...plan, body }, sourceIp } : undefined;
}

/** The provider's answer, encrypted. */
export function sealResult(deps: SealDependencies, ref: ApprovalRef, result: ApprovalResult): Promise<SealedPart> {
  return sealPart(deps, ref, 'result', result);
}

/** Bytes of a description that are kept with the decision; of a longer one the facts are left out. */
const ABOUT_MAX_BYTES = 65_536;

/** What a person saw when they decided, encrypted. */
export function sealAbout(deps: SealDependencies, ref: ApprovalRef, about: AboutCall): Promise<SealedPart> {
  const isLong = Buffer.byteLength(JSON.stringify(about)) > ABOUT_MAX_BYTES;
  return sealPart(deps, ref, 'about', isLong ? { ...about, facts: [] } : about);
}

async function sealPart(
  { cipher }: SealDependencies,
  ref: ApprovalRef,
  name: SealedPart['name'],
  value: unknown,
): Promise<SealedPart> {
  return { name, sealed: await cipher.encrypt(approvalContext(ref, name), JSON.stringify(value)) };
}

/** What a person saw when they decided; undefined where nobody has, and for decisions of earlier versions. */
export async function openAbout(deps: OpenDependencies, ref: ApprovalRef): Promise<AboutCall | undefined> {
  const sealed = await deps.approvals.part(ref, 'about');
  return sealed === undefined
    ? undefined
    : JSON.parse(await deps.cipher.decrypt(approvalContext(ref, 'about'), sealed));
}

/** The provider's answer; undefined where there is none. */
export async function openResult(deps: OpenDependencies, ref: ApprovalRef): Promise<ApprovalResult | undefined> {
  const sealed = await deps.approvals.part(ref, 'result');
  return sealed === undefined
    ? undefined
    : JSON.parse(await deps.cipher.decrypt(approvalContext(ref, 'result'), sealed));
}
