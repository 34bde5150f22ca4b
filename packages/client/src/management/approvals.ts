import {
  fieldsOf,
  isFields,
  number,
  optionalBoolean,
  optionalText,
  recordList,
  text,
  textList,
  textRecord,
  type Unread,
} from '../http/fields.ts';
import type { CallOptions, Manage } from './manage.ts';
import type * as wire from './wire.ts';

/** A call that a person has to approve. Times are ISO 8601 UTC. */
export interface Approval {
  readonly id: string;
  /** `pending`, `approved`, `refused`, `expired`, `running`, `done`, `failed`, `stale` or `unknown`. */
  readonly status: string;
  /** Google's id of the method, such as `drive.files.delete`. */
  readonly method: string;
  readonly providerConfigKey: string;
  readonly connectionId: string;
  /** The key that called: the first 12 characters of its id. */
  readonly keyId: string;
  readonly keyName: string;
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | undefined;
  readonly decidedBy: string | undefined;
  readonly endedAt: string | undefined;
}

/** What a call that waits will do. */
export interface AboutApproval {
  /** With names as Google has them now. */
  readonly sentence: string;
  readonly remarks: readonly string[];
  /** Whether all of it could be read. */
  readonly isCertain: boolean;
  /** The state that was described, to be sent with the decision; undefined where there is none to compare. */
  readonly seen: string | undefined;
}

/** Google's answer to a call that was approved. */
export interface ApprovalResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or Base64; undefined where it was larger than 64 KB. */
  readonly body: string | undefined;
  readonly bodyEncoding: string;
}

/** An approval with what it does while it waits, and its result for the key that called. */
export interface ShownApproval extends Approval {
  readonly about: AboutApproval | undefined;
  readonly result: ApprovalResult | undefined;
}

/** A link for one browser, in which an end user can decide. */
export interface ApprovalLink {
  readonly url: string;
  readonly expiresAt: string;
}

/** Calls that wait until a person approves them. Methods throw GatewayError, NetworkError and TimeoutError. */
export class Approvals {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * Those of the last day, newest first.
   *
   * @example
   * const waiting = (await client.approvals.list()).filter(({ status }) => status === 'pending');
   */
  async list(options?: CallOptions): Promise<Approval[]> {
    return recordList(await this.#manage('listApprovals', { options }), 'data').map(readApproval);
  }

  /**
   * How one stands. The key that called also gets its result; for operators and full keys it says what the call will do.
   *
   * @throws GatewayError `approval_expired`, `approval_stale` for the key that called
   * @example
   * const { status, result } = await client.approvals.get('apr_01KAMT0V5N7Z2Q4R8S6T1W3X5Yf3a1c5d2e4b6');
   */
  async get(id: string, options?: CallOptions): Promise<ShownApproval> {
    const { data } = await this.#manage('readApproval', { ids: { approvalId: id }, options });
    const fields = fieldsOf(data, 'data');
    const { about, result } = fields;
    return {
      ...readApproval(fields),
      about: isFields(about) ? readAbout(about) : undefined,
      result: isFields(result) ? readResult(result) : undefined,
    };
  }

  /**
   * Decides as the operator who is signed in; no secret key can.
   *
   * @param seen `about.seen` of the approval that was looked at: only that state is changed
   * @example
   * await client.approvals.decide('apr_01KAMT0V5N7Z2Q4R8S6T1W3X5Yf3a1c5d2e4b6', 'refuse');
   */
  async decide(
    id: string,
    decision: 'approve' | 'refuse',
    { seen, ...options }: CallOptions & { readonly seen?: string | undefined } = {},
  ): Promise<Approval> {
    const body = { decision, seen };
    const { data } = await this.#manage('decideApproval', { ids: { approvalId: id }, body, options });
    return readApproval(fieldsOf(data, 'data'));
  }

  /**
   * A link for one browser: whoever your backend gives it to can decide there as the end user. Needs a full key.
   *
   * @example
   * const { url } = await client.approvals.createLink('apr_01KAMT0V5N7Z2Q4R8S6T1W3X5Yf3a1c5d2e4b6');
   */
  async createLink(id: string, options?: CallOptions): Promise<ApprovalLink> {
    const { data } = await this.#manage('createApprovalSession', { ids: { approvalId: id }, options });
    const fields = fieldsOf(data, 'data');
    return { url: text(fields, 'url'), expiresAt: text(fields, 'expires_at') };
  }
}

function readApproval(fields: Unread<wire.Approval>): Approval {
  return {
    id: text(fields, 'id'),
    status: text(fields, 'status'),
    method: text(fields, 'method'),
    providerConfigKey: text(fields, 'provider_config_key'),
    connectionId: text(fields, 'connection_id'),
    keyId: text(fields, 'key_id'),
    keyName: text(fields, 'key_name'),
    requestedAt: text(fields, 'requested_at'),
    expiresAt: text(fields, 'expires_at'),
    decidedAt: optionalText(fields, 'decided_at'),
    decidedBy: optionalText(fields, 'decided_by'),
    endedAt: optionalText(fields, 'ended_at'),
  };
}

function readAbout(fields: Unread<wire.AboutApproval>): AboutApproval {
  return {
    sentence: text(fields, 'sentence'),
    remarks: textList(fields, 'remarks'),
    isCertain: optionalBoolean(fields, 'is_certain') ?? false,
    seen: optionalText(fields, 'seen'),
  };
}

function readResult(fields: Unread<wire.ApprovalResult>): ApprovalResult {
  return {
    status: number(fields, 'status'),
    headers: textRecord(fields, 'headers'),
    body: optionalText(fields, 'body'),
    bodyEncoding: text(fields, 'body_encoding'),
  };
}
