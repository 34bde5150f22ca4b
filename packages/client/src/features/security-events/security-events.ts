import { fieldsOf, optionalText, recordList, text, textList, type Unread } from '../../http/fields.ts';
import type { CallOptions, Manage } from '../../management/manage.ts';
import type * as wire from '../../management/wire.ts';

/** A Cloud project, and whether Google's security events of its users reach the gateway. */
export interface SecurityEventProject {
  /** The number with which the ids of its OAuth clients begin. */
  readonly cloudProject: string;
  readonly integrations: readonly string[];
  /** `not_registered`, `not_verified` or `verified`. */
  readonly state: string;
  /** ISO 8601, UTC, as the others. */
  readonly registeredAt: string | undefined;
  readonly verifiedAt: string | undefined;
  readonly lastEventAt: string | undefined;
}

/** Values to register at Google, and the projects of the account. */
export interface SecurityEventSetup {
  readonly receiverUrl: string;
  readonly eventTypes: readonly string[];
  readonly projects: readonly SecurityEventProject[];
}

/** Which projects' security events the gateway accepts. Methods throw GatewayError, NetworkError and TimeoutError. */
export class SecurityEvents {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * The Cloud projects of the account's OAuth clients, and where Google is to send their security events.
   *
   * @example
   * const { receiverUrl, projects } = await client.securityEvents.list();
   */
  async list(options?: CallOptions): Promise<SecurityEventSetup> {
    const { data } = await this.#manage('listSecurityEventProjects', { options });
    const fields = fieldsOf(data, 'data');
    return {
      receiverUrl: text(fields, 'receiver_url'),
      eventTypes: textList(fields, 'event_types'),
      projects: recordList(fields, 'projects').map(readProject),
    };
  }

  /**
   * Accepts the security events of a project.
   *
   * @param verification text that the next verification from Google must contain; the stream counts as proven once it has come
   * @example
   * await client.securityEvents.register('123456789012', { verification: crypto.randomUUID() });
   */
  async register(
    cloudProject: string,
    { verification, ...options }: CallOptions & { readonly verification?: string } = {},
  ): Promise<SecurityEventProject> {
    const body = { verification };
    const { data } = await this.#manage('registerSecurityEvents', { ids: { cloudProject }, body, options });
    return readProject(fieldsOf(data, 'data'));
  }

  /**
   * Refuses the security events of a project from now on.
   *
   * @example
   * await client.securityEvents.remove('123456789012');
   */
  async remove(cloudProject: string, options?: CallOptions): Promise<void> {
    await this.#manage('removeSecurityEvents', { ids: { cloudProject }, options });
  }
}

function readProject(fields: Unread<wire.SecurityEventProjectAnswer['data']>): SecurityEventProject {
  return {
    cloudProject: text(fields, 'cloud_project'),
    integrations: textList(fields, 'integrations'),
    state: text(fields, 'state'),
    registeredAt: optionalText(fields, 'registered_at'),
    verifiedAt: optionalText(fields, 'verified_at'),
    lastEventAt: optionalText(fields, 'last_event_at'),
  };
}
