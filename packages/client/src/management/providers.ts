import {
  fieldsList,
  fieldsOf,
  optionalBoolean,
  optionalFields,
  optionalText,
  recordList,
  text,
  textList,
  type Unread,
} from '../http/fields.ts';
import type { ReviewedScope } from './integration-types.ts';
import type { CallOptions, Manage } from './manage.ts';
import { readScope } from './read-integration.ts';
import type * as wire from './wire.ts';

/** A provider of the catalogue. */
export interface Provider {
  readonly name: string;
  readonly displayName: string;
  readonly authMode: string;
  readonly logoUrl: string;
  /** URL. */
  readonly docs: string;
  readonly categories: readonly string[];
  /** Asked for when an integration names none. */
  readonly defaultScopes: readonly string[];
  /** To begin a new integration with: they need the fewest reviews. */
  readonly recommendedScopes: readonly string[];
  /** Whether users can select files for it, in a session with `pick`. */
  readonly hasPicker: boolean;
  readonly scopes: readonly ReviewedScope[];
  /** Where its users grant access. */
  readonly server: AuthorizationServer;
  readonly console: {
    readonly clientsUrl: string;
    readonly enableApiUrl: string | undefined;
    /** Where the provider's MCP server is enabled; undefined: agentic integrations of it are refused. */
    readonly enableToolServerUrl?: string | undefined;
  };
  /** Path and query of a call to begin with. */
  readonly firstCall: string;
  readonly sampleCalls: readonly SampleCall[];
}

/** An authorization server; providers of one maker share it. */
export interface AuthorizationServer {
  readonly id: string;
  readonly displayName: string;
  /** Whether it reviews apps, and ends grants of those that are not published. */
  readonly hasTestingMode: boolean;
}

/** A call to start from: path and query at the provider. */
export interface SampleCall {
  readonly label: string;
  readonly target: string;
}

/** What a provider says of an OAuth client. */
export interface ClientCheck {
  /** `accepted`, `unknown_client_id`, `wrong_secret`, `refused` or `unreachable`. */
  readonly verdict: string;
  /** Error code of the provider. */
  readonly error: string | undefined;
  readonly message: string;
}

/** The providers the gateway knows. Methods throw GatewayError, NetworkError and TimeoutError. */
export class Providers {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * All providers, or those whose names hold a text.
   *
   * @example
   * const providers = await client.providers.list({ search: 'drive' });
   */
  async list(options?: CallOptions & { search?: string }): Promise<Provider[]> {
    const { data } = await this.#manage('listProviders', { query: { search: options?.search }, options });
    return fieldsList(data, 'data').map(readProvider);
  }

  /**
   * One provider.
   *
   * @example
   * const { defaultScopes } = await client.providers.get('google-drive');
   */
  async get(name: string, options?: CallOptions): Promise<Provider> {
    const { data } = await this.#manage('getProvider', { ids: { provider: name }, options });
    return readProvider(fieldsOf(data, 'data'));
  }

  /**
   * Asks a provider whether it accepts an OAuth client, before you store the client. Nothing is granted.
   *
   * @example
   * const { verdict, message } = await client.providers.checkClient('google-drive', { clientId: 'id', clientSecret: 'secret' });
   */
  async checkClient(
    name: string,
    client: { readonly clientId: string; readonly clientSecret: string },
    options?: CallOptions,
  ): Promise<ClientCheck> {
    const body = { client_id: client.clientId, client_secret: client.clientSecret };
    const { data } = await this.#manage('checkClient', { ids: { provider: name }, body, options });
    const fields = fieldsOf(data, 'data');
    return {
      verdict: text(fields, 'verdict'),
      error: optionalText(fields, 'error'),
      message: text(fields, 'message'),
    };
  }
}

function readProvider(fields: Unread<wire.Provider>): Provider {
  return {
    name: text(fields, 'name'),
    displayName: text(fields, 'display_name'),
    authMode: text(fields, 'auth_mode'),
    logoUrl: text(fields, 'logo_url'),
    docs: text(fields, 'docs'),
    categories: textList(fields, 'categories'),
    defaultScopes: textList(fields, 'default_scopes'),
    recommendedScopes: textList(fields, 'recommended_scopes'),
    hasPicker: optionalBoolean(fields, 'has_picker') ?? false,
    scopes: recordList(fields, 'scopes').map(readScope),
    server: readServer(optionalFields(fields, 'server') ?? {}),
    console: readConsole(optionalFields(fields, 'console') ?? {}),
    firstCall: optionalText(fields, 'first_call') ?? '',
    sampleCalls: recordList(fields, 'sample_calls').map((call) => ({
      label: text(call, 'label'),
      target: text(call, 'target'),
    })),
  };
}

function readServer(fields: Partial<Unread<wire.Provider['server']>>): AuthorizationServer {
  return {
    id: optionalText(fields, 'id') ?? '',
    displayName: optionalText(fields, 'display_name') ?? '',
    hasTestingMode: optionalBoolean(fields, 'has_testing_mode') ?? false,
  };
}

function readConsole(fields: Partial<Unread<wire.Provider['console']>>): Provider['console'] {
  return {
    clientsUrl: optionalText(fields, 'clients_url') ?? '',
    enableApiUrl: optionalText(fields, 'enable_api_url'),
    enableToolServerUrl: optionalText(fields, 'enable_tool_server_url'),
  };
}
