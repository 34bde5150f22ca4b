import { setTimeout } from 'node:timers/promises';
import { readAskingConfig } from '../../../gateway/config.ts';
import { ENVIRONMENT } from '../../../gateway/core/contract.ts';
import { innerDoor } from '../../../gateway/platform/inner-door.ts';
import { jsonLogger } from '../../../gateway/platform/telemetry.ts';
import { signInSettings } from '../settings.rules.ts';
import { doorTools } from './door-tools.ts';
import { IDENTITY } from './identity.ts';
import type { ServeDependencies } from './serve-request.ts';

/** What this function stands on: the proxy, and no table, key or secret. @throws Error naming every wrong setting */
export function openMcpDependencies() {
  const config = readAskingConfig();
  const { baseUrl, proxyFunctionName } = config;
  if (baseUrl === '') throw new Error(`The function's environment is not usable: ${ENVIRONMENT.baseUrl} is not set.`);
  const issuer = signInSettings(config)?.issuer;
  const logger = jsonLogger('mcp');
  const door = innerDoor(proxyFunctionName, 'mcp');
  return {
    logger,
    /** For one invocation. */
    serving(remainingMs: () => number): ServeDependencies {
      const time = { remainingMs, nowMs: Date.now, pause: (ms: number) => setTimeout(ms) };
      return {
        identity: IDENTITY,
        allowedOrigins: [new URL(baseUrl).origin],
        signIn: issuer === undefined ? undefined : { issuer, resource: `${baseUrl}/mcp` },
        toolsOf: (request) => doorTools({ door, ...time }, request),
        logger,
      };
    },
  };
}
