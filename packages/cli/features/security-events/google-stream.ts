import { type Fields, isFields, optionalFields, optionalText, textList } from '../../../client/src/http/fields.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { type ServiceAccount, signedToken } from './service-account.ts';

/** Where Google delivers a project's security events. */
export interface StreamConfiguration {
  readonly url: string;
  readonly eventTypes: readonly string[];
}

/** A Cloud project's stream of security events, as its service account sees and sets it at Google. */
export interface GoogleStream {
  /** Undefined for a project that has none yet. */
  read(): Promise<StreamConfiguration | undefined>;
  /** `enabled` or `disabled`. */
  status(): Promise<string>;
  update(configuration: StreamConfiguration): Promise<void>;
  setStatus(status: 'enabled' | 'disabled'): Promise<void>;
  /** Has Google send a verification with this text to the receiver. */
  verify(state: string): Promise<void>;
}

/** Google's RISC API. */
export const RISC_URL = 'https://risc.googleapis.com';
const PUSH = 'https://schemas.openid.net/secevent/risc/delivery-method/push';
const ANSWER_MS = 20_000;

/**
 * The stream of a service account's project ("Protect user accounts with Cross-Account Protection"). The account's key signs here and goes
 * nowhere.
 *
 * @param baseUrl the RISC API, or the simulator that plays it
 * @returns what throws CommandProblem with Google's words for all that it refuses
 */
export function googleStream(account: ServiceAccount, baseUrl: string): GoogleStream {
  const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Fields | undefined> => {
    const url = `${baseUrl}/v1beta/${path}`;
    const token = await signedToken(account);
    let answer: Response;
    let content: string;
    try {
      answer = await fetch(url, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        // A redirect would carry the token elsewhere.
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      content = await answer.text();
    } catch (error) {
      const why = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : '';
      throw new CommandProblem(`${baseUrl} cannot be reached: ${why}`, EXIT.unreachable);
    }
    if (answer.ok) return readFields(content);
    if (answer.status === 404 && method === 'GET') return undefined;
    throw refused(account, answer.status, messageIn(content));
  };

  return {
    async read() {
      const found = await call('GET', 'stream');
      const url = optionalText(optionalFields(found, 'delivery'), 'url');
      return url === undefined ? undefined : { url, eventTypes: textList(found, 'events_requested') };
    },
    async status() {
      return optionalText(await call('GET', 'stream/status'), 'status') ?? 'unknown';
    },
    async update({ url, eventTypes }) {
      await call('POST', 'stream:update', { delivery: { delivery_method: PUSH, url }, events_requested: eventTypes });
    },
    async setStatus(status) {
      await call('POST', 'stream/status:update', { status });
    },
    async verify(state) {
      await call('POST', 'stream:verify', { state });
    },
  };
}

/** Google's refusal, with its usual reason. */
function refused({ email }: ServiceAccount, status: number, message: string): CommandProblem {
  const hints: Readonly<Record<number, string>> = {
    400: 'Google delivers to https addresses below an authorized domain of the Cloud project alone, and not for projects of Firebase with Google sign-in.',
    401: `Google does not accept the key of ${email}: it may be deleted, or this computer’s clock is wrong.`,
    403: `Enable the RISC API in the Cloud project, accept its terms, and give ${email} the role RISC Configuration Admin.`,
    404: 'The Cloud project has no stream of security events yet: gateway security-events register makes one.',
  };
  const hint = hints[status];
  return new CommandProblem(
    `Google answers ${status}: ${message}${hint === undefined ? '' : `\n${hint}`}`,
    EXIT.refused,
  );
}

function messageIn(content: string): string {
  return optionalText(optionalFields(readFields(content), 'error'), 'message') ?? 'no message';
}

function readFields(content: string): Fields {
  try {
    const answer: unknown = JSON.parse(content);
    return isFields(answer) ? answer : {};
  } catch {
    return {};
  }
}
