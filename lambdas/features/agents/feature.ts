import type { Feature } from '../feature.rules.ts';

/** Tools that assistants call ([agents.md](../../../docs/agents.md)): who they are, what they may, and their calls. */
export const feature = {
  id: 'agents',
  title: 'tools for assistants',
  needs: ['approvals'],
  /** The function of assistants, which asks the proxy for all that needs a token. */
  functions: ['mcp'],
  doorAliases: ['mcp'],
  memoryMb: { mcp: 512 },
  paths: ['account/agents', 'mcp', '.well-known'],
  environment: {
    /** The issuer of assistants' access tokens, JSON of `AgentSignIn`; empty: none. Proxy, management, grants and mcp. */
    agentSignIn: 'AGENT_SIGN_IN',
    /** Whether assistants are served over the REST APIs, `allow` or `refuse`. Proxy, management and grants. */
    agentsOverRest: 'AGENTS_OVER_REST',
  },
  lazy: { agents: ['proxy'], google: ['proxy'], 'sign-in': ['proxy'], 'signed-in': ['grants', 'proxy'] },
} as const satisfies Feature;
