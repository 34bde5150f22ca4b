import { quietNowMs } from '../../support/quiet-time.ts';
import { TAG_PARAMETER } from './ledger.ts';

/** One request of a caller, and all that came back. */
export interface Transcript {
  readonly tag: string;
  /** Integration and connection. */
  readonly key: string;
  readonly method: string;
  /** Below `/proxy`, without the tag. */
  readonly path: string;
  readonly tookMs: number;
  /** Undefined where no status line came. */
  readonly status: number | undefined;
  /** Undefined where the body broke off: a failure the caller sees. */
  readonly body: Buffer | undefined;
}

const BODILESS = new Set([204, 205, 304]);

/** What every caller of a world asked and got. */
export class Transcripts {
  readonly all: Transcript[] = [];
  #count = 0;

  /** A path with a tag of its own, by which the provider's record shows whose request it serves. */
  tagged(path: string): { readonly tag: string; readonly target: string } {
    const tag = `call-${++this.#count}`;
    return { tag, target: `${path}${path.includes('?') ? '&' : '?'}${TAG_PARAMETER}=${tag}` };
  }

  /** Sends a request, reads the whole answer and notes both. @throws what `send` or the broken body throws */
  async record(
    about: Pick<Transcript, 'tag' | 'key' | 'method' | 'path'>,
    send: () => Promise<Response>,
  ): Promise<Response> {
    const startedMs = quietNowMs();
    let status: number | undefined;
    let body: Buffer | undefined;
    try {
      const answer = await send();
      status = answer.status;
      body = Buffer.from(await answer.arrayBuffer());
      return new Response(BODILESS.has(status) ? null : new Uint8Array(body), { status, headers: answer.headers });
    } finally {
      this.all.push({ ...about, tookMs: quietNowMs() - startedMs, status, body });
    }
  }
}
