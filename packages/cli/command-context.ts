import type { Command } from 'commander';
import { GatewayClient } from '../client/src/index.ts';
import { type Manage, manager } from '../client/src/management/manage.ts';
import { type Fetch, readSettings, type Settings } from '../client/src/settings.ts';
import { findGateway, type GatewayAddress } from './gateway-address.ts';
import { CommandProblem } from './problems.ts';

/** Context of a command. */
export interface CommandContext {
  readonly address: GatewayAddress;
  /** Data folder of a local gateway, whether or not the commands go to that one. */
  readonly dataFolder: string;
  readonly gateway: GatewayClient;
  /** Requests of the API without a reading of their answers. */
  readonly api: Manage;
  /** How requests of no client method are sent. */
  readonly settings: Settings;
  readonly json: boolean;
  /** The API's answer to the last request, in the API's spelling. */
  readonly lastAnswer: () => Promise<unknown>;
  /** Delete without asking. */
  readonly assumeYes: boolean;
}

/** Options that every command takes. */
export interface GlobalOptions {
  readonly baseUrl?: string;
  readonly proxyUrl?: string;
  readonly keySecret?: string;
  readonly profile?: string;
  readonly data: string;
  readonly allowHttp?: boolean;
  readonly json?: boolean;
  /** Columns that tables show. */
  readonly columns?: readonly string[];
  readonly yes?: boolean;
}

/** @throws CommandProblem for an address over which the key would be readable, in this program's words */
function clientsOf(
  { baseUrl, proxyUrl, secretKey }: GatewayAddress,
  allowHttp: boolean,
  fetch: Fetch,
): Pick<CommandContext, 'gateway' | 'api' | 'settings'> {
  const options = { baseUrl, ...(proxyUrl === undefined ? {} : { proxyUrl }), secretKey, allowHttp, fetch };
  try {
    const settings = readSettings(options);
    return { gateway: new GatewayClient(options), api: manager(settings), settings };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandProblem(error.message.replace('allowHttp: true', '--allow-http'));
  }
}

/** Finds the gateway that a command's options name. @throws CommandProblem */
export async function openContext(command: Command): Promise<CommandContext> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const address = await findGateway(options, process.env);
  const json = options.json === true;
  let last: Response | undefined;
  const keeping: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    last = response.clone();
    return response;
  };
  return {
    address,
    dataFolder: options.data,
    // Bodies of proxied calls may be large, and no command shows them a second time.
    ...clientsOf(address, options.allowHttp === true, json && command.name() !== 'call' ? keeping : fetch),
    json,
    lastAnswer: async () => {
      const text = (await last?.text()) ?? '';
      return text === '' ? {} : JSON.parse(text);
    },
    assumeYes: options.yes === true,
  };
}
