import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { closeServer, listen } from '../../dev/local/network.ts';

/** Below the ports that Linux gives to connections and to anyone who asks for any (`ip_local_port_range`). */
const [LOWEST, HIGHEST] = [20_000, 32_000] as const;

/** The first of three free ports in a row, which the system does not assign by chance between two starts of a gateway. */
export async function freePorts(): Promise<number> {
  for (;;) {
    const first = randomInt(LOWEST, HIGHEST);
    const servers = [0, 1, 2].map(() => createServer());
    const bound = await Promise.allSettled(servers.map((server, i) => listen(server, first + i, 'test', '')));
    await Promise.all(servers.filter(({ listening }) => listening).map(closeServer));
    if (bound.every(({ status }) => status === 'fulfilled')) return first;
  }
}
