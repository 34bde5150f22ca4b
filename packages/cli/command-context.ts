import type { Command } from 'commander';
import { GatewayClient } from '../client/src/index.ts';
import { findGateway, type GatewayAddress } from './gateway-address.ts';

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
  readonly keySecret?: string;
  readonly data: string;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** Finds the gateway that a command's options name. @throws CommandProblem */
export async function openContext(command: Command): Promise<CommandContext> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const address = await findGateway(options, process.env);
  return {
    address,
    gateway: new GatewayClient(address),
    json: options.json === true,
    assumeYes: options.yes === true,
  };
}
