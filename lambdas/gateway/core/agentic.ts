import { GatewayError } from './errors.ts';

/** An integration, as far as its mark goes. */
interface Marked {
  readonly agentic?: true | undefined;
}

/**
 * Refuses what needs the REST APIs to an integration whose OAuth client is marked for agents. Whether Google accepts REST calls with
 * tokens of such a client is not known (GA-2).
 *
 * @param why what calls REST, as a sentence without its end
 * @throws GatewayError `agentic_integration`
 */
export function refuseAgentic(integration: Marked, why: string): void {
  const obstacle = agenticObstacle(integration, why);
  if (obstacle !== undefined) throw new GatewayError('agentic_integration', obstacle);
}

/** The same as a sentence; undefined for an ordinary integration. */
export function agenticObstacle({ agentic }: Marked, why: string): string | undefined {
  if (agentic !== true) return undefined;
  return `${why}, and the OAuth client of this integration is marked for AI agents (agentic). Whether Google accepts REST calls with its tokens is not known, so the gateway sends none. Create another integration with an OAuth client that is not marked, and connect the user there.`;
}

/** What is wrong with a change of the mark; undefined where nothing changes. */
export function agenticChangeProblem({ agentic }: Marked, wanted: boolean | undefined): string | undefined {
  if (wanted === undefined || wanted === (agentic === true)) return undefined;
  return 'is fixed when an integration is created, as the mark of an OAuth client is at Google; create another integration with another OAuth client, and have users connect there';
}
