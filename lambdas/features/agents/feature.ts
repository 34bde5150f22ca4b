import type { Feature } from '../feature.rules.ts';

/**
 * The tools that assistants call ([agents.md](../../../docs/agents.md)): who they are, what they may, and their calls. Keys, routes and pages
 * are in the core still, so no deployment can leave it out.
 */
export const feature = {
  id: 'agents',
  title: 'tools for assistants',
  required: true,
  needs: ['approvals'],
  lazy: { agents: ['proxy'], google: ['proxy'], 'sign-in': ['proxy'] },
} as const satisfies Feature;
