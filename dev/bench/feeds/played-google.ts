/** Google's Drive in memory, behind the gateway's way out: one history of changes for each access token. */
import type { Upstream, UpstreamRequest, UpstreamResponse } from '../../../lambdas/gateway/core/http-message.ts';

/** How a call is answered. */
export type Mood = 'well' | 'failing' | 'no_quota';

const PAGE_SIZE = 100;

/** Answers every call after a while; counts what it is asked. */
export class PlayedGoogle implements Upstream {
  /** Lists of changes that were asked for, the refused ones included. */
  pulls = 0;
  #pulling = 0;
  mostAtOnce = 0;
  readonly #answerMs: number;
  readonly #moodOf: (accessToken: string) => Mood;
  readonly #history = new Map<string, string[]>();

  constructor(answerMs: number, moodOf: (accessToken: string) => Mood = () => 'well') {
    this.#answerMs = answerMs;
    this.#moodOf = moodOf;
  }

  /** Something changes in the Drive of an access token. */
  change(accessToken: string, id: string): void {
    const history = this.#history.get(accessToken);
    if (history === undefined) this.#history.set(accessToken, [id]);
    else history.push(id);
  }

  async send({ path, headers }: UpstreamRequest): Promise<UpstreamResponse> {
    if (!path.startsWith('/drive/v3/changes?')) throw new Error(`Nobody asks for ${path} here`);
    this.pulls += 1;
    this.#pulling += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#pulling);
    await new Promise((resolve) => setTimeout(resolve, this.#answerMs));
    this.#pulling -= 1;
    const accessToken = headers.find(([name]) => name === 'authorization')?.[1].replace('Bearer ', '') ?? '';
    const mood = this.#moodOf(accessToken);
    if (mood === 'failing') return answer(503, { error: { code: 503 } });
    if (mood === 'no_quota') return answer(429, { error: { errors: [{ reason: 'rateLimitExceeded' }] } });
    return answer(200, this.#page(accessToken, Number(new URLSearchParams(path.split('?')[1]).get('pageToken'))));
  }

  close(): void {}

  #page(accessToken: string, from: number): object {
    const history = this.#history.get(accessToken) ?? [];
    const ids = history.slice(from, from + PAGE_SIZE);
    const next = String(from + ids.length);
    const time = new Date().toISOString();
    return {
      changes: ids.map((fileId) => ({
        changeType: 'file',
        time,
        removed: false,
        fileId,
        file: { mimeType: 'text/plain' },
      })),
      ...(from + ids.length < history.length ? { nextPageToken: next } : { newStartPageToken: next }),
    };
  }
}

function answer(status: number, body: object): UpstreamResponse {
  const bytes = Buffer.from(JSON.stringify(body));
  return {
    status,
    headers: [['content-type', 'application/json']],
    body: (async function* () {
      yield bytes;
    })(),
    abandon() {},
  };
}
