import type { Feature } from '../feature.rules.ts';

/**
 * What approvals do in functions of others ([approvals.md](../../../docs/approvals.md)): decisions, and runs of what was approved, in the proxy.
 * Their rules, pages and routes are in the core still,
 * so no deployment can leave them out.
 */
export const feature = {
  id: 'approvals',
  title: 'calls that wait until a person approves them',
  required: true,
  attention: ['approval'],
  environment: {
    /** Who may decide, one of `APPROVERS`. Proxy, management and grants. */
    approvers: 'APPROVERS',
  },
  lazy: { decisions: ['proxy'], 'held-tools': ['grants', 'proxy'], hold: ['proxy'] },
} as const satisfies Feature;
