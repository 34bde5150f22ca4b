import type { Api } from '../../../lambdas/declared/ports.ts';
import { GatewayError } from '../../client/src/errors.ts';
import { managementUrl } from '../../client/src/http/address.ts';
import { addIdentity } from '../../client/src/http/headers.ts';
import { requestBody } from '../../client/src/http/request-body.ts';
import { answerTo } from '../../client/src/management/manage.ts';
import type { Settings } from '../../client/src/settings.ts';

/** Statuses by which the gateway reports that it does not have something. */
const NOT_THERE: ReadonlySet<number> = new Set([400, 404]);

/**
 * The management API for comparisons, as the client sends its requests.
 *
 * @throws (the returned function) GatewayError of any other refusal, NetworkError, TimeoutError, UnexpectedAnswerError
 */
export function readingApi(settings: Settings): Api {
  return async ({ method, path, query = {} }) => {
    const headers = new Headers({ accept: 'application/json' });
    addIdentity(headers, settings.secretKey);
    const url = managementUrl(settings.baseUrl, path, query);
    const { timeoutMs } = settings;
    try {
      const request = { method, url, headers, body: requestBody(undefined, undefined), timeoutMs, signal: undefined };
      return { status: 200, body: await answerTo(settings, request) };
    } catch (error) {
      if (!(error instanceof GatewayError) || !NOT_THERE.has(error.status)) throw error;
      return { status: error.status, body: { error: { code: error.code, message: error.message } } };
    }
  };
}
