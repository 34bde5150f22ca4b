/** A gateway on this computer whose Google is the echo, in a folder of its own that goes with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { type LocalGateway, startLocal } from '../../../dev/local/start.ts';
import { echoEndpoints, startEcho } from './echo/server.ts';
import type { EventTap } from './forwarding-checks.ts';

const EVENT_TIMEOUT_MS = 10_000;

/** Starts both, hands the gateway to `use`, and ends both. @param frontDoor where proxied calls come in; by default through the API */
export async function withLocalTrial<T>(
  frontDoor: string | undefined,
  use: (gateway: LocalGateway, events: EventTap) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-verify-'));
  try {
    await using echo = await startEcho();
    const gateway = await startLocal({
      dataDir,
      quiet: true,
      schedules: false,
      ...(frontDoor === undefined ? {} : { stackOptions: { frontDoor } }),
      googleEndpoints: echoEndpoints(echo.origin),
    });
    try {
      return await use(gateway, localTap(gateway));
    } finally {
      await gateway.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The events of a local gateway. */
export function localTap(gateway: LocalGateway): EventTap {
  return {
    async waitFor(detailType, connectionId) {
      const wanted = z.looseObject({ connection_id: z.literal(connectionId) });
      const event = await gateway
        .waitForEvent(
          (one) => one['detail-type'] === detailType && wanted.safeParse(one.detail).success,
          EVENT_TIMEOUT_MS,
        )
        .catch(() => undefined);
      return event === undefined ? undefined : wanted.parse(event.detail);
    },
  };
}
