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
} from '../../http/fields.ts';
import type { CallOptions, Manage } from '../../management/manage.ts';
import type * as wire from '../../management/wire.ts';

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
  /** The object of the call, such as a file; undefined where it names none. */
  readonly object: ApprovalObject | undefined;
  /** Google's status, or why nothing was sent. */
  readonly outcome: string | undefined;
  /** The described call, for operators and full keys: current while it waits, as shown to the person after the decision. */
  readonly about: AboutApproval | undefined;
}

/** The object of a call. */
export interface ApprovalObject {
  /** `file`, `shared_drive`, `event` or `calendar`. */
  readonly kind: string;
  readonly id: string;
}

/** The effects of a waiting call. */
export interface AboutApproval {
  /** With names as Google has them now. */
  readonly sentence: string;
  /** Address of the Google account that the call is made as. */
  readonly account: string | undefined;
  readonly facts: readonly ApprovalFact[];
  /** Data that leaves the organization or becomes public. */
  readonly risks: readonly string[];
  readonly remarks: readonly string[];
  /** Whether all of it could be read; if not, it cannot be approved now. */
  readonly isCertain: boolean;
  /** The state that was described, to be sent with the decision. */
  readonly seen: string;
  /** The request itself, while the call waits. */
  readonly request: ApprovalRequest | undefined;
}

/** One thing that a call changes, or that matters to it. */
export interface ApprovalFact {
  readonly name: string;
  readonly before: string | undefined;
  /** Undefined: it is taken away. */
  readonly after: string | undefined;
  readonly isRisk: boolean;
}

/** A request that waits. */
export interface ApprovalRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly contentType: string | undefined;
  readonly body: string | undefined;
}

/** Google's answer to a call that was approved. */
export interface ApprovalResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or Base64; undefined where it was larger than 64 KB. */
  readonly body: string | undefined;
  readonly bodyEncoding: string;
}

/** An approval with its result for the key that called. */
export interface ShownApproval extends Approval {
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
   * @param about false: `about` is undefined, and nothing is read at Google @default true
   * @example
   * const waiting = (await client.approvals.list()).filter(({ status }) => status === 'pending');
   */
  async list({ about, ...options }: CallOptions & { readonly about?: boolean } = {}): Promise<Approval[]> {
    const query = about === undefined ? {} : { about: String(about) };
    return recordList(await this.#manage('listApprovals', { query, options }), 'data').map(readApproval);
  }

  /**
   * The state of one. The key that called also gets its result; operators and full keys get a description of the call.
   *
   * @throws GatewayError `approval_expired`, `approval_stale` for the key that called
   * @example
   * const { status, result } = await client.approvals.get('apr_01KAMT0V5N7Z2Q4R8S6T1W3X5Yf3a1c5d2e4b6');
   */
  async get(id: string, options?: CallOptions): Promise<ShownApproval> {
    const { data } = await this.#manage('readApproval', { ids: { approvalId: id }, options });
    const fields = fieldsOf(data, 'data');
    const { result } = fields;
    return {
      ...readApproval(fields),
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
   * A link for one browser: the person who gets it from your backend can decide there as the end user. Needs a full key.
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
  const { object, about } = fields;
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
    object: isFields(object) ? { kind: text(object, 'kind'), id: text(object, 'id') } : undefined,
    outcome: optionalText(fields, 'outcome'),
    about: isFields(about) ? readAbout(about) : undefined,
  };
}

function readAbout(fields: Unread<wire.AboutApproval>): AboutApproval {
  const { request } = fields;
  return {
    sentence: text(fields, 'sentence'),
    account: optionalText(fields, 'account'),
    facts: recordList(fields, 'facts').map(readFact),
    risks: textList(fields, 'risks'),
    remarks: textList(fields, 'remarks'),
    isCertain: optionalBoolean(fields, 'is_certain') ?? false,
    seen: text(fields, 'seen'),
    request: isFields(request) ? readRequest(request) : undefined,
  };
}

function readFact(fields: Unread<wire.ApprovalFact>): ApprovalFact {
  return {
    name: text(fields, 'name'),
    before: optionalText(fields, 'before'),
    after: optionalText(fields, 'after'),
    isRisk: optionalBoolean(fields, 'is_risk') ?? false,
  };
}

function readRequest(fields: Unread<wire.ApprovalRequest>): ApprovalRequest {
  return {
    method: text(fields, 'method'),
    target: text(fields, 'target'),
    contentType: optionalText(fields, 'content_type'),
    body: optionalText(fields, 'body'),
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
