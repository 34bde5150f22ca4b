import { environmentOptions } from './environment.ts';
import { clientsOfFeatures } from './features/clients.ts';
import { AuditTrail } from './management/audit.ts';
import { Calls } from './management/calls.ts';
import { ConnectSessions } from './management/connect-sessions.ts';
import { Connections } from './management/connections.ts';
import { withMembers } from './management/feature-slots.ts';
import { Integrations } from './management/integrations.ts';
import { manager } from './management/manage.ts';
import { overviewReader, type ReadOverview } from './management/overview.ts';
import { Providers } from './management/providers.ts';
import { quotaReader, type ReadQuota } from './management/quota.ts';
import { Revocations } from './management/revocations.ts';
import { SecretKeys } from './management/secret-keys.ts';
import { TestCredentialsOfProviders } from './management/test-credentials.ts';
import { connectionCountsReader, type ReadConnectionCounts, type ReadUsage, usageReader } from './management/usage.ts';
import { ItemSequence } from './paging/item-sequence.ts';
import { type ListCall, PageSequence } from './paging/page-sequence.ts';
import { sender } from './proxy/proxy-call.ts';
import type { AnyMethodCall, Method, ProxyAnswer, ProxyCall, Send } from './proxy/types.ts';
import { type GatewayClientOptions, readSettings, type Settings } from './settings.ts';
import type { UploadCall } from './upload/types.ts';
import { uploadFile } from './upload/upload-file.ts';

/**
 * Client of one gateway.
 *
 * Calls to the provider resolve for 2xx, 304 and the 308 of an unfinished upload. They reject with `GatewayError`,
 * `ProviderError`, `NetworkError` or `TimeoutError`, with the reason of an aborted signal, and with `TypeError` for a call
 * that cannot be sent. Redirects are never followed, nothing is repeated unless `retries` asks the gateway to.
 */
export class GatewayClient extends withMembers(clientsOfFeatures) {
  readonly get: Send<ProxyCall>;
  readonly head: Send<ProxyCall>;
  readonly post: Send<ProxyCall>;
  readonly put: Send<ProxyCall>;
  readonly patch: Send<ProxyCall>;
  readonly delete: Send<ProxyCall>;
  /** A call whose method is given with it. */
  readonly proxy: Send<AnyMethodCall>;

  readonly integrations: Integrations;
  readonly connections: Connections;
  /** The call log: proxied calls, without content. */
  readonly calls: Calls;
  /** Proxied calls by day. */
  readonly usage: ReadUsage;
  readonly connectionCounts: ReadConnectionCounts;
  /** Today's use of Google's quotas, and its forecast. */
  readonly quota: ReadQuota;
  /** Events of the account, and their actors. */
  readonly audit: AuditTrail;
  readonly connectSessions: ConnectSessions;
  readonly providers: Providers;
  readonly keys: SecretKeys;
  readonly revocations: Revocations;
  readonly testCredentials: TestCredentialsOfProviders;
  /** The account at a glance: connections by state, and problems that need attention. */
  readonly overview: ReadOverview;

  /** Private to the language, so that logging a client shows no secret key. */
  readonly #settings: Settings;

  /**
   * @param options @default - address and role of the environment, as `grantCall` of the construct gives them to a function
   * @throws TypeError naming the option that is wrong
   */
  constructor(options: GatewayClientOptions = environmentOptions()) {
    const settings = readSettings(options);
    const manage = manager(settings);
    super(manage);
    const fixed = (method: Method): Send<ProxyCall> => sender<ProxyCall>(settings, () => method);
    this.get = fixed('GET');
    this.head = fixed('HEAD');
    this.post = fixed('POST');
    this.put = fixed('PUT');
    this.patch = fixed('PATCH');
    this.delete = fixed('DELETE');
    this.proxy = sender<AnyMethodCall>(settings, ({ method }) => method ?? 'GET');
    this.integrations = new Integrations(manage);
    this.connections = new Connections(manage);
    this.calls = new Calls(manage);
    this.usage = usageReader(manage);
    this.connectionCounts = connectionCountsReader(manage);
    this.quota = quotaReader(manage);
    this.audit = new AuditTrail(manage);
    this.connectSessions = new ConnectSessions(manage);
    this.providers = new Providers(manage);
    this.keys = new SecretKeys(manage);
    this.revocations = new Revocations(manage);
    this.testCredentials = new TestCredentialsOfProviders(manage);
    this.overview = overviewReader(manage);
    this.#settings = settings;
  }

  /**
   * The pages of a list, following `nextPageToken`.
   *
   * @throws TypeError for limits and fields that cannot work
   *
   * @example
   * for await (const page of client.pages({ ...connection, endpoint: '/drive/v3/files' })) console.log(page);
   */
  pages<T = unknown>(call: ListCall): PageSequence<T> {
    return new PageSequence<T>(call, (page) => this.get<Record<string, unknown>>({ ...page, responseType: 'json' }));
  }

  /**
   * The entries of a list, one by one, following `nextPageToken`.
   *
   * @throws TypeError as `pages`
   *
   * @example
   * for await (const file of client.items<{ id: string }>({ ...connection, endpoint: '/drive/v3/files' })) console.log(file.id);
   */
  items<T = unknown>(call: ListCall): ItemSequence<T> {
    return new ItemSequence<T>(this.pages<T>(call));
  }

  /**
   * Uploads a file of any size in chunks and resumes after transient failures.
   *
   * @returns the file's resource
   * @throws UploadError when the session is gone or the body is not as long as `size`; else errors of a call
   *
   * @example
   * const endpoint = '/upload/drive/v3/files';
   * await client.uploadFile({ ...connection, endpoint, contentType: 'text/csv', body: new Blob(['a,b']) });
   */
  uploadFile<T = unknown>(call: UploadCall): Promise<ProxyAnswer<T>> {
    return uploadFile<T>(this.#settings, call);
  }
}
