import {
  type Fields,
  fieldsOf,
  number,
  optionalBoolean,
  optionalFields,
  optionalText,
  recordList,
  text,
  textList,
  type Unread,
} from '../http/fields.ts';
import type { ConnectionRef } from '../http/headers.ts';
import { readSecretKey } from '../settings.ts';
import type { ConnectionSummary, EndUser, Organization } from './connection-types.ts';
import type { CallOptions, CreateOptions, Manage } from './manage.ts';
import { endUserOnTheWire, organizationOnTheWire, readConnectionSummary, readEndUser } from './read-connection.ts';
import type * as wire from './wire.ts';

/** Values fixed for one integration of a session; the user cannot change them. */
export interface IntegrationDefaults {
  /** Scopes to ask for instead of the integration's. */
  scopes?: readonly string[];
  /** `login_hint`, `hd`, `prompt` and `include_granted_scopes`. */
  authorizationParams?: Readonly<Record<string, string>>;
}

interface SessionOptions {
  organization?: Organization;
  defaults?: Readonly<Record<string, IntegrationDefaults>>;
  tags?: Readonly<Record<string, string>>;
  /** Where the browser goes afterwards; one of the deployment's return URLs. */
  returnUrl?: string;
  /** Language of the session's pages. @default the preference of the end user's browser */
  language?: 'en' | 'de' | 'fr' | 'es' | 'pt' | 'ja';
  /**
   * Whether the connection waits until you `confirm` it for the user who returned. Set it where the users of your app are strangers to
   * each other: a forwarded link then cannot connect another person's account. @default false
   */
  confirm?: boolean;
}

/** A session to make: for one end user, or for tags. */
export interface NewConnectSession extends SessionOptions {
  endUser?: EndUser;
  /** Integrations to choose from; exactly one with `pick`. @default all */
  allowedIntegrations?: readonly string[];
  /**
   * Whether a consent with the account of a connection that needs a new authorization reauthorizes that connection, instead of creating a
   * second one. @default true
   */
  reuseConnection?: boolean;
  /** Lets the user select files in Google Drive, which needs no scope but `drive.file`. */
  pick?: NewPick;
}

/** Files that the user may select. */
export interface NewPick {
  /** Connection that is to reach the files. @default a new one */
  connectionId?: string;
  /** @default false */
  multiple?: boolean;
  /** At most 20. @default every type */
  mimeTypes?: readonly string[];
  /** Shows these files only, to ask for them again. @default the user's files */
  fileIds?: readonly string[];
  /** Whether folders can be selected. @default false */
  folders?: boolean;
}

/** A file that a user selected. */
export interface PickedFile {
  readonly id: string;
  /** Absent where the connection could not open the file. */
  readonly mimeType: string | undefined;
  /** Whether the connection could open it with its own token. */
  readonly confirmed: boolean;
}

/** A session that renews an existing connection. */
export interface ReconnectSession extends SessionOptions, ConnectionRef {
  endUser?: EndUser;
  /** Lets the user connect another account than before. @default false */
  allowAccountChange?: boolean;
}

/** A session as made: its token is shown this once. */
export interface ConnectSession {
  readonly token: string;
  /** Send the end user here. */
  readonly connectLink: string;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
}

/** Links to make for connections that exist: for those named, or for all that need a new authorization. */
export interface NewReconnectLinks {
  /** At most 100. */
  connections?: readonly ConnectionRef[];
  /** The next 100 dead ones; continue with `nextCursor`. */
  allDead?: { cause?: string; providerConfigKey?: string; cursor?: string };
  /** 300 to 604800, which is seven days. @default 86400, a day */
  lifetimeSec?: number;
  /** Your words, with `{link}` and, if you like, `{name}`, `{integration}` and `{expires}` in them. */
  message?: string;
  /** `en`, `de`, `fr`, `es`, `pt` or `ja`: of end users whose language is not known; the others get theirs. */
  language?: string;
}

/** Links that were made together. Times are ISO 8601 UTC. */
export interface ReconnectBatch {
  readonly id: string;
  readonly createdAt: string;
  /** Their creator: a key or an operator. */
  readonly createdBy: string;
  /** Name of the key or e-mail address of the operator; undefined where it is not known. */
  readonly createdByName: string | undefined;
  readonly expiresAt: string;
  readonly revokedAt: string | undefined;
}

/** New links, shown this once. */
export interface MadeReconnectLinks extends ReconnectBatch {
  readonly links: readonly (ConnectionRef & {
    readonly endUser: EndUser | undefined;
    readonly providerEmail: string | undefined;
    readonly connectLink: string;
    /** Of `subject`, of the names in the message, and of the message where you sent none; undefined = not known: English. */
    readonly language: string | undefined;
    /** For an e-mail with the message. */
    readonly subject: string | undefined;
    /** In your words, else in the gateway's; undefined from gateways before 0.3.0 where you sent none. */
    readonly message: string | undefined;
  })[];
  readonly refused: readonly (ConnectionRef & { readonly reason: string })[];
  /** Of `allDead`: undefined at the end. */
  readonly nextCursor: string | undefined;
}

/** Links in a list. */
export interface ReconnectLinksCount extends ReconnectBatch {
  readonly links: number;
  readonly cameBack: number;
}

/** Links and what became of each. */
export interface FollowedReconnectLinks extends ReconnectBatch {
  readonly links: readonly (ConnectionRef & {
    /** Display name of the connection; its id where the name is unknown, or the connection is deleted. */
    readonly connectionName: string;
    readonly endUser: EndUser | undefined;
    /** `waiting`, `came_back`, `expired`, `revoked` or `deleted` (the connection). */
    readonly state: string;
    readonly cameBackAt: string | undefined;
  })[];
}

/** A link for the administrator of a Workspace domain, to be made. */
export interface NewAdminSession {
  /** An integration of kind `delegated`. */
  providerConfigKey: string;
  /** The customer whose administrator it is for. */
  organization: { id: string; displayName?: string };
  /** Of the page. @default the language of the browser */
  language?: NewConnectSession['language'];
}

/** Sessions of an end user that were deleted. */
export interface DeletedSessions {
  readonly deleted: number;
  /** Whether others are left: delete again. */
  readonly hasMore: boolean;
}

/** How far a session is. */
export interface ConnectSessionState {
  /** `pending`, `authorizing`, `pending_confirmation`, `connected`, `cancelled`, `refused`, `failed` or `expired`. */
  readonly status: string;
  readonly endUser: ConnectionSummary['endUser'];
  readonly allowedIntegrations: readonly string[];
  readonly isReconnecting: boolean;
  /** The connection, once there is one. */
  readonly connection: ConnectionRef | undefined;
  readonly error: { readonly type: string; readonly message: string } | undefined;
  /** The selected files, in a session with `pick`; empty until then. */
  readonly picked: readonly PickedFile[];
}

/** A connection that was confirmed. */
export interface ConfirmedConnection extends ConnectionSummary {
  /** Requested but not granted; a reconnect session requests them again. */
  readonly missingScopes: readonly string[];
  readonly isReconnect: boolean;
}

/** Sessions in which end users connect. Methods throw GatewayError, NetworkError and TimeoutError. */
export class ConnectSessions {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * Makes a session; send the user to its `connectLink`.
   *
   * @example
   * const { connectLink, token } = await client.connectSessions.create({ endUser: { id: 'user-1' } });
   */
  async create(session: NewConnectSession, options?: CreateOptions): Promise<ConnectSession> {
    const body = {
      ...onTheWire(session),
      allowed_integrations: session.allowedIntegrations,
      pick: session.pick && pickOnTheWire(session.pick),
      reuse_connection: session.reuseConnection,
    };
    const { data } = await this.#manage('createConnectSession', { body, options });
    return readSession(fieldsOf(data, 'data'));
  }

  /**
   * Makes a session for a connection that exists.
   *
   * @example
   * const { connectLink } = await client.connectSessions.reconnect(connection);
   */
  async reconnect(session: ReconnectSession, options?: CreateOptions): Promise<ConnectSession> {
    const body = {
      ...onTheWire(session),
      connection_id: session.connectionId,
      integration_id: session.providerConfigKey,
      allow_account_change: session.allowAccountChange,
    };
    const { data } = await this.#manage('createReconnectSession', { body, options });
    return readSession(fieldsOf(data, 'data'));
  }

  /**
   * Makes a link for the administrator of a Workspace domain, for an integration of kind `delegated`: what to list at Google, and a check
   * of it. It is valid for seven days. A domain belongs to the organization whose administrator checked it first.
   *
   * @example
   * const { connectLink } = await client.connectSessions.admin({ providerConfigKey: 'drive-acme', organization: { id: 'acme' } });
   */
  async admin(session: NewAdminSession, options?: CreateOptions): Promise<ConnectSession> {
    const { providerConfigKey, organization, language } = session;
    const body = {
      integration_id: providerConfigKey,
      organization: { id: organization.id, display_name: organization.displayName },
      language,
    };
    const { data } = await this.#manage('createAdminSession', { body, options });
    return readSession(fieldsOf(data, 'data'));
  }

  /**
   * Confirms the grant of a session with `confirm`, once and within 15 minutes. GatewayError `conflict`: the session was
   * made for another end user, and the access is taken back.
   *
   * @param handle `confirmation_handle` of the return URL, or `confirmationHandle` of the browser's `connect`
   * @param endUserId of the user who is signed in to your app in that browser
   *
   * @example
   * const { connectionId } = await client.connectSessions.confirm('ch_…', 'user-1');
   */
  async confirm(handle: string, endUserId: string, options?: CreateOptions): Promise<ConfirmedConnection> {
    const body = { handle, end_user_id: endUserId };
    const { data } = await this.#manage('confirmConnection', { body, options });
    const fields = fieldsOf(data, 'data');
    return {
      ...readConnectionSummary(fields),
      missingScopes: textList(fields, 'missing_scopes'),
      isReconnect: optionalBoolean(fields, 'is_reconnect') ?? false,
    };
  }

  /**
   * Makes links for many connections, to be sent to their end users. What cannot have one is named in `refused`.
   *
   * @example
   * const { links, refused } = await client.connectSessions.createReconnectLinks({ connections: [connection] });
   */
  async createReconnectLinks(wanted: NewReconnectLinks, options?: CreateOptions): Promise<MadeReconnectLinks> {
    const { allDead } = wanted;
    const body = {
      connections: wanted.connections?.map(({ providerConfigKey, connectionId }) => ({
        provider_config_key: providerConfigKey,
        connection_id: connectionId,
      })),
      all_dead: allDead && {
        cause: allDead.cause,
        provider_config_key: allDead.providerConfigKey,
        cursor: allDead.cursor,
      },
      lifetime_sec: wanted.lifetimeSec,
      message: wanted.message,
      language: wanted.language,
    };
    const { data } = await this.#manage('createReconnectLinks', { body, options });
    const fields = fieldsOf(data, 'data');
    return {
      ...readBatch(fields),
      links: recordList(fields, 'links').map((link) => ({
        ...readRef(link),
        endUser: readEndUser(optionalFields(link, 'end_user')),
        providerEmail: optionalText(link, 'provider_email'),
        connectLink: text(link, 'connect_link'),
        language: optionalText(link, 'language'),
        subject: optionalText(link, 'subject'),
        message: optionalText(link, 'message'),
      })),
      refused: recordList(fields, 'refused').map((one) => ({ ...readRef(one), reason: text(one, 'reason') })),
      nextCursor: optionalText(fields, 'next_cursor'),
    };
  }

  /**
   * The latest reconnect links, and how many of their users came back.
   *
   * @example
   * for (const { id, links, cameBack } of await client.connectSessions.listReconnectLinks()) console.log(id, cameBack / links);
   */
  async listReconnectLinks(options?: CallOptions): Promise<readonly ReconnectLinksCount[]> {
    const answer = await this.#manage('listReconnectLinks', { options });
    return recordList(answer, 'data').map((one) => ({
      ...readBatch(one),
      links: number(one, 'links'),
      cameBack: number(one, 'came_back'),
    }));
  }

  /**
   * The state of each link.
   *
   * @param id of links that were made together
   *
   * @example
   * const { links } = await client.connectSessions.followReconnectLinks('rl_…');
   */
  async followReconnectLinks(id: string, options?: CallOptions): Promise<FollowedReconnectLinks> {
    const { data } = await this.#manage('getReconnectLinks', { ids: { batchId: id }, options });
    const fields = fieldsOf(data, 'data');
    return {
      ...readBatch(fields),
      links: recordList(fields, 'links').map((link) => ({
        ...readRef(link),
        connectionName: text(link, 'connection_name'),
        endUser: readEndUser(optionalFields(link, 'end_user')),
        state: text(link, 'state'),
        cameBackAt: optionalText(link, 'came_back_at'),
      })),
    };
  }

  /**
   * Withdraws links: from then on none of them opens anything.
   *
   * @param id of links that were made together
   *
   * @example
   * await client.connectSessions.revokeReconnectLinks('rl_…');
   */
  async revokeReconnectLinks(id: string, options?: CallOptions): Promise<void> {
    await this.#manage('revokeReconnectLinks', { ids: { batchId: id }, options });
  }

  /**
   * Deletes the sessions and reconnect links of an end user, open and finished, with all personal data; connections
   * stay. Repeat it while `hasMore`.
   *
   * @example
   * const { deleted } = await client.connectSessions.deleteOf('user-1');
   */
  async deleteOf(endUserId: string, options?: CallOptions): Promise<DeletedSessions> {
    const answer = await this.#manage('deleteConnectSessions', { query: { end_user_id: endUserId }, options });
    return { deleted: number(answer, 'deleted_sessions'), hasMore: optionalBoolean(answer, 'has_more') ?? false };
  }

  /**
   * How far a session is.
   *
   * @param token of the session
   *
   * @example
   * const { status } = await client.connectSessions.get('cs_…');
   */
  async get(token: string, options?: CallOptions): Promise<ConnectSessionState> {
    const bearer = readSecretKey(token);
    const { data } = await this.#manage('getConnectSession', { bearer, options });
    return readState(fieldsOf(data, 'data'));
  }

  /**
   * Ends a session.
   *
   * @param token of the session
   *
   * @example
   * await client.connectSessions.end('cs_…');
   */
  async end(token: string, options?: CallOptions): Promise<void> {
    await this.#manage('endConnectSession', { bearer: readSecretKey(token), options });
  }
}

function onTheWire(session: SessionOptions & { endUser?: EndUser }) {
  const { organization, defaults } = session;
  return {
    end_user: endUserOnTheWire(session.endUser),
    organization: organizationOnTheWire(organization),
    integrations_config_defaults:
      defaults && Object.fromEntries(Object.entries(defaults).map(([key, values]) => [key, defaultsOnTheWire(values)])),
    tags: session.tags,
    return_url: session.returnUrl,
    language: session.language,
    confirm: session.confirm,
  };
}

function pickOnTheWire({
  connectionId,
  multiple,
  mimeTypes,
  fileIds,
  folders,
}: NewPick): Unread<wire.CreateConnectSessionBody['pick']> {
  return { connection_id: connectionId, multiple, mime_types: mimeTypes, file_ids: fileIds, folders };
}

function defaultsOnTheWire({ scopes, authorizationParams }: IntegrationDefaults): Fields {
  return {
    authorization_params: authorizationParams,
    connection_config: scopes && { oauth_scopes_override: scopes.join(',') },
  };
}

function readBatch(fields: Fields): ReconnectBatch {
  return {
    id: text(fields, 'id'),
    createdAt: text(fields, 'created_at'),
    createdBy: text(fields, 'created_by'),
    createdByName: optionalText(fields, 'created_by_name'),
    expiresAt: text(fields, 'expires_at'),
    revokedAt: optionalText(fields, 'revoked_at'),
  };
}

function readRef(fields: Fields): ConnectionRef {
  return { providerConfigKey: text(fields, 'provider_config_key'), connectionId: text(fields, 'connection_id') };
}

function readSession(fields: Unread<wire.CreatedConnectSession['data']>): ConnectSession {
  return {
    token: text(fields, 'token'),
    connectLink: text(fields, 'connect_link'),
    expiresAt: text(fields, 'expires_at'),
  };
}

function readState(fields: Unread<wire.ConnectSession['data']>): ConnectSessionState {
  const connectionId = optionalText(fields, 'connection_id');
  const providerConfigKey = optionalText(fields, 'provider_config_key');
  const error = optionalFields(fields, 'error');
  return {
    status: text(fields, 'status'),
    endUser: readEndUser(optionalFields(fields, 'endUser')),
    allowedIntegrations: textList(fields, 'allowed_integrations'),
    isReconnecting: optionalBoolean(fields, 'isReconnecting') ?? false,
    connection:
      connectionId === undefined || providerConfigKey === undefined ? undefined : { connectionId, providerConfigKey },
    error:
      error === undefined ? undefined : { type: text(error, 'type'), message: optionalText(error, 'message') ?? '' },
    picked: recordList(fields, 'picked').map((file) => ({
      id: text(file, 'id'),
      mimeType: optionalText(file, 'mime_type'),
      confirmed: optionalBoolean(file, 'confirmed') ?? false,
    })),
  };
}
