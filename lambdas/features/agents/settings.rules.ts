import { addressProblem, isLoopbackAddress } from '../../gateway/core/addresses.ts';

/** Whether assistants are served over the REST APIs, with ordinary OAuth clients. */
export type AgentsOverRest = 'allow' | 'refuse';

/** An issuer whose access tokens assistants may bring to `/mcp`. */
export interface AgentSignIn {
  /** As tokens have it, byte for byte. */
  readonly issuer: string;
  /** Accepted values of a token's `aud`. @default the address of `/mcp` */
  readonly audiences?: readonly string[] | undefined;
  /** The claim with the end user's id. */
  readonly subjectClaim: string;
  /** Integrations whose connections such assistants may use. */
  readonly integrations: readonly string[];
  /**
   * Page of the app to which the signed-in user returns with a new connection, which the app's backend confirms. @default no links are
   * created
   */
  readonly confirmUrl?: string | undefined;
  /** Permissions in addition to those of their scopes, in the API's terms. @default those of an agent key */
  readonly limits?: AgentSignInLimits | undefined;
}

/** Limits of all assistants that sign in. */
export interface AgentSignInLimits {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  readonly minute?: AgentAmounts | undefined;
  readonly day?: AgentAmounts | undefined;
}

/** Amounts of one end user's assistants together. */
export interface AgentAmounts {
  readonly calls?: number | undefined;
  readonly units?: number | undefined;
  readonly bytes?: number | undefined;
}

/** The same with defaults filled in. */
export interface AgentSignInSettings extends AgentSignIn {
  readonly audiences: readonly string[];
  /** True for the local runtime's own issuer: only it may use plain http and a private address. */
  readonly loopbackIssuer: boolean;
}

/** Settings of a deployment, as every function reads them. */
interface Given {
  readonly setting: (name: 'agentSignIn' | 'agentsOverRest') => string;
}

/** Whether assistants are served over the REST APIs. */
export function agentsOverRest({ setting }: Given): AgentsOverRest {
  return setting('agentsOverRest') === 'refuse' ? 'refuse' : 'allow';
}

/** The issuer of assistants' users; undefined without one. The template has validated it. */
export function signInOf({ setting }: Given): AgentSignIn | undefined {
  const given = setting('agentSignIn');
  return given === '' ? undefined : JSON.parse(given);
}

/** The same for those who call it: its address is validated again, as every address that is called. @throws Error for a wrong one */
export function signInSettings(config: Given & { readonly baseUrl: string }): AgentSignInSettings | undefined {
  const settings = signInOf(config);
  if (settings === undefined) return undefined;
  const problem = addressProblem(settings.issuer);
  if (problem !== undefined) throw new Error(`AGENT_SIGN_IN.issuer ${problem}`);
  const audiences = settings.audiences ?? [`${config.baseUrl}/mcp`];
  return { ...settings, audiences, loopbackIssuer: isLoopbackAddress(settings.issuer) };
}
