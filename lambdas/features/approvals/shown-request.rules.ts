import { headerValues } from '../../gateway/core/http-message.ts';
import type { UpstreamPlan } from '../../gateway/proxying/upstream-request.rules.ts';
import { headersToSend } from './read-call.rules.ts';
import { shownLines, shownText } from './shown-text.rules.ts';

/** Characters of a body that are shown; the rest is counted. */
const BODY_MAX = 100_000;

/** The request itself, for a person who wants to see it. */
export interface ShownRequest {
  readonly method: string;
  /** Path and query, escapes read where they stand for visible characters. */
  readonly target: string;
  readonly contentType: string | undefined;
  readonly body: string | undefined;
}

/** A request as it is sent, characters that nobody sees by their numbers. */
export function shownRequest(plan: Pick<UpstreamPlan, 'method' | 'target' | 'headers' | 'body'>): ShownRequest {
  const [contentType] = headerValues(headersToSend(plan.headers), 'content-type');
  const { body = new Uint8Array() } = plan;
  const text = Buffer.from(body).toString('utf8');
  return {
    method: plan.method,
    target: shownLines(plan.target, BODY_MAX),
    contentType: contentType === undefined ? undefined : shownText(contentType),
    body: body.length === 0 ? undefined : shownLines(text, BODY_MAX),
  };
}
