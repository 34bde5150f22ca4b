import type { ConnectOptions, ConnectProblem, ConnectResult, PickedFile, SessionState } from './types.ts';

const STATUSES = [
  'pending',
  'authorizing',
  'pending_confirmation',
  'connected',
  'cancelled',
  'refused',
  'failed',
  'expired',
] as const;

/** The session token ended or was withdrawn. */
const OVER: SessionState = {
  status: 'expired',
  integrationId: undefined,
  connectionId: undefined,
  problem: { errorType: 'expired', message: 'The connect session is over. Make a new one.' },
  missingScopes: [],
  picked: undefined,
};

/** Address of the connect page for a session, whose token stays out of every request for it. */
export function linkOf(baseUrl: string, token: string, { language }: Pick<ConnectOptions, 'language'>): string {
  const look = language === undefined ? '' : `?language=${language}`;
  return `${baseUrl}/connect${look}#session_token=${encodeURIComponent(token)}`;
}

/**
 * Reads where a session stands (`GET /connect/session`).
 *
 * @throws TypeError when the gateway cannot be reached, or does not list this page's origin
 */
export async function readSession(baseUrl: string, token: string, signal?: AbortSignal): Promise<SessionState> {
  const answer = await fetch(`${baseUrl}/connect/session`, {
    headers: { authorization: `Bearer ${token}` },
    cache: 'no-store',
    credentials: 'omit',
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.status === 401) return OVER;
  const body: unknown = await answer.json().catch(() => undefined);
  const state = answer.ok ? parseState(member(body, 'data')) : undefined;
  if (state === undefined) throw new TypeError(`The gateway answered ${answer.status} without a session.`);
  return state;
}

function parseState(data: unknown): SessionState | undefined {
  const status = STATUSES.find((known) => known === member(data, 'status'));
  if (status === undefined) return undefined;
  const error = member(data, 'error');
  const missing = member(data, 'missing_scopes');
  return {
    status,
    integrationId: text(member(data, 'provider_config_key')),
    connectionId: text(member(data, 'connection_id')),
    problem:
      typeof error === 'object' && error !== null
        ? { errorType: text(member(error, 'type')) ?? 'unknown_err', message: text(member(error, 'message')) ?? '' }
        : undefined,
    missingScopes: Array.isArray(missing) ? missing.flatMap((one: unknown) => text(member(one, 'scope')) ?? []) : [],
    picked: readPicked(data),
  };
}

function readPicked(data: unknown): PickedFile[] | undefined {
  const pick = member(data, 'pick');
  if (pick === undefined || pick === null) return undefined;
  const files = member(data, 'picked');
  return !Array.isArray(files)
    ? []
    : files.flatMap((file: unknown) => {
        const id = text(member(file, 'id'));
        if (id === undefined) return [];
        return [{ id, mimeType: text(member(file, 'mime_type')), confirmed: member(file, 'confirmed') === true }];
      });
}

/**
 * The result a session's state amounts to, if it is over; a failed try is not, because it can be repeated.
 *
 * @param confirmationHandle from the window that finished, once it has sent one
 */
export function finalResult(state: SessionState, confirmationHandle: string | undefined): ConnectResult | undefined {
  const { integrationId, connectionId, missingScopes } = state;
  if (connectionId !== undefined && integrationId !== undefined) {
    const connection = { providerConfigKey: integrationId, integrationId, connectionId };
    if (state.status === 'connected') {
      const picked = state.picked === undefined ? {} : { picked: state.picked };
      return { status: 'connected', ...connection, missingScopes, ...picked };
    }
    if (state.status === 'pending_confirmation' && confirmationHandle !== undefined) {
      return { status: 'confirmation_required', confirmationHandle, ...connection, missingScopes };
    }
  }
  if (state.problem?.errorType === 'not_confirmed') return { status: 'failed', ...state.problem };
  return state.status === 'expired' ? { status: 'expired', ...(state.problem ?? EXPIRED) } : undefined;
}

const UNHEARD: ConnectProblem = {
  errorType: 'not_confirmed',
  message:
    'The window closed before it could hand over what confirms the connection. Make a new session, with a returnUrl.',
};

const EXPIRED: ConnectProblem = { errorType: 'expired', message: 'The connect session has expired. Make a new one.' };

/**
 * The result when the user leaves a session in this state.
 *
 * @param heard a problem reported by a page that the session does not record, such as a browser without cookies
 */
export function abandonedResult(state: SessionState | undefined, heard?: ConnectProblem): ConnectResult {
  if (state?.status === 'pending_confirmation') return { status: 'failed', ...UNHEARD };
  if (state?.problem === undefined) return heard === undefined ? { status: 'closed' } : { status: 'failed', ...heard };
  return { status: state.status === 'refused' ? 'refused' : 'failed', ...state.problem };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
