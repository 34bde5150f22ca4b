import { type ClientRequest, request } from 'node:http';
import { isLoopbackAddress } from './channels.ts';
import type { SimulatorState } from './store.ts';

/** What happens to statements on their way. Counts are used up, one statement each. */
export interface StatementRules {
  /** Statements that never arrive. */
  drop: number;
  /** Statements that arrive twice. */
  double: number;
  /** Milliseconds that a statement is on its way. */
  delayMs: number;
  /** Milliseconds until a statement that was answered with 5xx is repeated; they double each time. */
  repeatAfterMs: number;
}

const USUAL_RULES: Readonly<StatementRules> = { drop: 0, double: 0, delayMs: 0, repeatAfterMs: 1_000 };

const SEND_TIMEOUT_MS = 5_000;
/** Delivery is repeated a limited number of times. */
const REPEATS_MAX = 3;

/** Statements on their way to the receivers of Cloud projects. */
export interface StreamStore {
  readonly rules: StatementRules;
  /** Delivers to the receiver of a project while its stream is enabled and asks for the type. */
  deliver(project: string, eventType: string, token: string): void;
  /** Sends once, to an address on this machine, and waits. @returns the answer's status; undefined without one */
  post(url: string, token: string): Promise<number | undefined>;
  close(): void;
}

/** No statement is on its way yet. */
export function createStreamStore(state: SimulatorState): StreamStore {
  const rules = { ...USUAL_RULES };
  const timers = new Set<NodeJS.Timeout>();
  const sending = new Set<ClientRequest>();

  const post = (url: string, token: string) =>
    new Promise<number | undefined>((resolve) => {
      if (!isLoopbackAddress(url)) {
        resolve(undefined);
        return;
      }
      const headers = {
        'content-type': 'application/secevent+jwt',
        'content-length': String(Buffer.byteLength(token)),
      };
      const message = request(url, { method: 'POST', headers, timeout: SEND_TIMEOUT_MS });
      sending.add(message);
      message.on('timeout', () => message.destroy());
      message.on('close', () => {
        sending.delete(message);
        resolve(undefined);
      });
      // A receiver that is not there misses it.
      message.on('error', () => message.destroy());
      message.on('response', (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      message.end(token);
    });

  const later = (ms: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  };

  const send = async (url: string, token: string, repeats: number): Promise<void> => {
    const status = await post(url, token);
    if (status === undefined || status < 500 || repeats === REPEATS_MAX) return;
    later(rules.repeatAfterMs * 2 ** repeats, () => void send(url, token, repeats + 1));
  };

  const used = (name: 'drop' | 'double'): boolean => {
    if (rules[name] === 0) return false;
    rules[name] -= 1;
    return true;
  };

  return {
    rules,
    post,
    deliver(project, eventType, token) {
      const stream = state.streams.get(project);
      if (stream === undefined || stream.status !== 'enabled' || !stream.events.includes(eventType)) return;
      if (used('drop')) return;
      const copies = used('double') ? 2 : 1;
      for (let copy = 0; copy < copies; copy++) {
        if (rules.delayMs > 0) later(rules.delayMs, () => void send(stream.url, token, 0));
        else void send(stream.url, token, 0);
      }
    },
    close() {
      Object.assign(rules, USUAL_RULES);
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      for (const message of sending) message.destroy();
    },
  };
}
