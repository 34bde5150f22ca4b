import { fieldsOf, optionalText, text, type Unread } from '../http/fields.ts';
import type { OAuthClient } from './integration-types.ts';
import type { CallOptions, Manage } from './manage.ts';
import type * as wire from './wire.ts';

/** The operators' OAuth client of a provider, which integrations on test credentials use; its secret is never returned. */
export interface TestCredentials {
  readonly provider: string;
  /** Undefined: there are none. */
  readonly clientId: string | undefined;
}

/**
 * Test credentials of the gateway, for operators and full keys of their account. Methods throw GatewayError, NetworkError
 * and TimeoutError.
 */
export class TestCredentialsOfProviders {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * Whether a provider has test credentials, and which client they are.
   *
   * @example
   * const { clientId } = await client.testCredentials.get('google-drive');
   */
  async get(provider: string, options?: CallOptions): Promise<TestCredentials> {
    const { data } = await this.#manage('getTestCredentials', { ids: { provider }, options });
    return readTestCredentials(fieldsOf(data, 'data'));
  }

  /**
   * Sets the OAuth client. Connections made with another client have to be authorized again.
   *
   * @example
   * await client.testCredentials.put('google-drive', { clientId: '…', clientSecret: '…' });
   */
  async put(provider: string, client: OAuthClient, options?: CallOptions): Promise<TestCredentials> {
    const body = { client_id: client.clientId, client_secret: client.clientSecret };
    const { data } = await this.#manage('setTestCredentials', { ids: { provider }, body, options });
    return readTestCredentials(fieldsOf(data, 'data'));
  }

  /**
   * Removes the OAuth client; integrations on it stop working.
   *
   * @example
   * await client.testCredentials.delete('google-drive');
   */
  async delete(provider: string, options?: CallOptions): Promise<void> {
    await this.#manage('deleteTestCredentials', { ids: { provider }, options });
  }
}

function readTestCredentials(fields: Unread<wire.TestCredentials['data']>): TestCredentials {
  return { provider: text(fields, 'provider'), clientId: optionalText(fields, 'client_id') };
}
