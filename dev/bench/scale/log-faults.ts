import { LEVEL_MS } from '../../../lambdas/gateway/calls/page.rules.ts';
import type { Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { fake } from '../../support/fake.ts';
import { seededRandom } from '../day/seeded-random.ts';

/** What goes wrong between the roll-up, the log and the table. */
export interface LogFaults {
  /** Milliseconds after its call at which a line can be seen, by a draw in [0, 1) of its own. */
  readonly lateMs: (draw: number) => number;
  /** A question is refused because too many run. */
  readonly isRefused: () => boolean;
  /** How often a question is answered with that it runs. */
  readonly runs: () => number;
  /** An answer is no longer there. */
  readonly isLost: () => boolean;
  /** A command of the table takes effect and its reply does not arrive. */
  readonly losesReply: () => boolean;
}

/** One line in a hundred is up to ten minutes late, and one in a thousand up to two hours. */
export function logFaults(seed: number): LogFaults {
  const random = seededRandom(seed * 7_919);
  const oneIn = (times: number) => random() * times < 1;
  return {
    lateMs: (draw) => {
      if (draw < 0.001) return draw * 1_000 * 2 * LEVEL_MS.hour;
      return draw < 0.01 ? (draw / 0.01) * 10 * LEVEL_MS.minute : 0;
    },
    isRefused: () => oneIn(20),
    runs: () => (oneIn(5) ? Math.floor(random() * 3) : 0),
    isLost: () => oneIn(50),
    losesReply: () => oneIn(200),
  };
}

/** The table, some of whose replies do not arrive. */
export function losingReplies({ client, ...table }: Table, faults: LogFaults): Table {
  return {
    ...table,
    client: fake<Table['client']>({
      send: async (command: Parameters<typeof client.send>[0]) => {
        const reply = await client.send(command);
        if (faults.losesReply()) throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });
        return reply;
      },
    }),
  };
}
