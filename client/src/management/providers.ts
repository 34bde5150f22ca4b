import { fieldsList, fieldsOf, optionalBoolean, recordList, text, textList, type Unread } from '../http/fields.ts';
import type { ReviewedScope } from './integration-types.ts';
import { type CallOptions, type Manage, path } from './manage.ts';
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
}

/** The providers the gateway knows. Methods throw GatewayError, NetworkError and TimeoutError. */
export class Providers {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /** All providers, or those whose names hold a text. */
  async list(options?: CallOptions & { search?: string }): Promise<Provider[]> {
    const params = { search: options?.search };
    const { data } = await this.#manage({ method: 'GET', path: '/providers', params, options });
    return fieldsList(data, 'data').map(readProvider);
  }

  /** One provider. */
  async get(name: string, options?: CallOptions): Promise<Provider> {
    const { data } = await this.#manage({ method: 'GET', path: path`/providers/${name}`, options });
    return readProvider(fieldsOf(data, 'data'));
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
  };
}
