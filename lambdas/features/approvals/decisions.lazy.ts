/** Built as `decisions.mjs` next to the proxy's bundle, and loaded with the first question of the function of pages. */

import { rateCounter } from '../../gateway/calls/rate-counter.store.ts';
import { type DoorOperation, jsonAnswer } from '../../gateway/core/door.ts';
import type { DoorDependencies } from '../../gateway/forwarding/door-operations.ts';
import { bindingCookies } from '../../gateway/http/front-door.ts';
import { requireOwnPage } from '../../gateway/http/same-origin.ts';
import { secretKeyStore } from '../../gateway/keys/secret-key.store.ts';
import { idTokenVerifier } from '../../gateway/platform/oidc/id-token-verifier.ts';
import { PROVIDERS } from '../../gateway/providers/catalogue.ts';
import { DESCRIBED_METHODS } from '../../gateway/providers/described.ts';
import { pinnedListStore } from '../../gateway/server-tools/pinned-list.store.ts';
import type { SharedDependencies } from '../../gateway/wiring.ts';
import { approvalRefOf } from './approval.rules.ts';
import { approveStep } from './approve-steps.ts';
import { readApproveQuestion } from './approve-view.rules.ts';
import { isObject } from './read-call.rules.ts';
import { runApproval } from './run-approval.ts';
import { approvalServices } from './services.ts';
import { signInStore } from './sign-in.store.ts';

/**
 * What the function of pages may ask. A page is judged by the token in its address and the cookie of its browser, a run by the row of the
 * approval: that function can write neither (TB-3).
 */
export function openDecisions(
  shared: SharedDependencies & DoorDependencies,
): Readonly<Record<'page' | 'run', DoorOperation>> {
  const { config, table } = shared;
  const log = { ...table, tableName: config.callLog.tableName };
  const deps = {
    ...shared,
    providers: PROVIDERS,
    baseUrl: config.baseUrl,
    ...approvalServices(shared),
    pinnedLists: pinnedListStore(table),
    secretKeys: secretKeyStore(table),
    signIns: signInStore(log),
    rates: rateCounter(table),
    idTokens: idTokenVerifier(shared.upstream),
    ...{ bindingCookies, requireOwnPage },
    described: DESCRIBED_METHODS,
  };
  return {
    page: async (input, { requestId }) =>
      jsonAnswer(await approveStep(deps, { ...readApproveQuestion(input), requestId })),
    async run(input, context) {
      const ref = isObject(input) ? approvalRefOf(String(input.accountId), String(input.id)) : undefined;
      return jsonAnswer({ state: (ref && (await runApproval(deps, ref, context))) ?? 'none' });
    },
  };
}
