import type { Command } from 'commander';
import { GatewayClient } from '../client/src/index.ts';
import { findGateway, type GatewayAddress } from './gateway-address.ts';
import { CommandProblem } from './problems.ts';

/** What a command works with. */
export interface CommandContext {
  readonly address: GatewayAddress;
  readonly gateway: GatewayClient;
  readonly json: boolean;
  /** Delete without asking. */
  readonly assumeYes: boolean;
}

interface GlobalOptions {
  readonly baseUrl?: string;
  readonly proxyUrl?: string;
  readonly keySecret?: string;
  readonly data: string;
  readonly allowHttp?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** @throws CommandProblem for an address over which the key would be readable, in this program's words */
function clientOf({ baseUrl, proxyUrl, secretKey }: GatewayAddress, allowHttp: boolean): GatewayClient {
  try {
    return new GatewayClient({ baseUrl, ...(proxyUrl === undefined ? {} : { proxyUrl }), secretKey, allowHttp });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandProblem(error.message.replace('allowHttp: true', '--allow-http'));
  }
}

/** Finds the gateway that a command's options name. @throws CommandProblem */
export async function openContext(command: Command): Promise<CommandContext> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const address = await findGateway(options, process.env);
  return {
    address,
    gateway: clientOf(address, options.allowHttp === true),
    json: options.json === true,
    assumeYes: options.yes === true,
  };
}
