/** Whether a request is allowed. Pure. AWS IAM guide, "Policy evaluation logic", within one account. */
import type { RequestContext } from './conditions.ts';
import type { PrincipalPattern, Statement } from './policy.ts';

/** The principal: a session of a role, or a service of AWS on its own behalf. */
export type Principal =
  | { kind: 'session'; account: string; roleArn: string; sessionArn: string }
  | { kind: 'service'; name: string };

export interface AccessRequest {
  principal: Principal;
  /** `dynamodb:Query`. */
  action: string;
  /** The ARN; `*` where the action knows no resources. */
  resource: string;
  context: RequestContext;
}

/** Everything attached to the two sides of a request. */
export interface AttachedPolicies {
  /** The role's; empty for a service. */
  identity: readonly Statement[];
  /** The resource's. */
  resource: readonly Statement[];
  /**
   * The resource's own policy must let the caller in, be it by naming the caller's account, as for KMS keys and for the
   * trust of roles. Elsewhere an identity policy is enough.
   */
  resourceMustAllow: boolean;
}

export type PolicyType = 'identity-based' | 'resource-based';

/** `explicit`: a statement denies. Else nothing of that type allows. */
export type Decision =
  | { allowed: true }
  | { allowed: false; policyType: PolicyType; explicit: boolean; sid: string | undefined };

/** How a statement's principals stand to a caller: not at all, by its account, or by itself. */
type Reach = 'none' | 'account' | 'principal';

/** Decides: a denial anywhere counts, then what allows. */
export function evaluate(
  request: AccessRequest,
  { identity, resource, resourceMustAllow }: AttachedPolicies,
): Decision {
  const ofIdentity = identity.filter((statement) => applies(statement, request));
  const ofResource = resource
    .map((statement) => ({ statement, reach: reachOf(statement, request.principal) }))
    .filter(({ statement, reach }) => reach !== 'none' && applies(statement, request));

  const denial = ofIdentity.find(isDenial);
  if (denial !== undefined) return denied('identity-based', denial);
  const resourceDenial = ofResource.find(({ statement }) => isDenial(statement));
  if (resourceDenial !== undefined) return denied('resource-based', resourceDenial.statement);

  if (ofResource.some(({ reach }) => reach === 'principal')) return { allowed: true };
  if (resourceMustAllow && ofResource.length === 0) return denied('resource-based');
  if (request.principal.kind === 'service') return denied('resource-based');
  return ofIdentity.length > 0 ? { allowed: true } : denied('identity-based');
}

/** The reason in the words of AWS IAM guide, "Troubleshoot access denied error messages". */
export function denialReason(action: string, decision: Exclude<Decision, { allowed: true }>): string {
  const article = decision.policyType === 'identity-based' ? 'an' : 'a';
  return decision.explicit
    ? `with an explicit deny in ${article} ${decision.policyType} policy`
    : `because no ${decision.policyType} policy allows the ${action} action`;
}

function applies(statement: Statement, { action, resource, context }: AccessRequest): boolean {
  return statement.matchesAction(action) && statement.matchesResource(resource) && statement.conditionsHold(context);
}

function isDenial(statement: Statement): boolean {
  return statement.effect === 'Deny';
}

function reachOf(statement: Statement, principal: Principal): Reach {
  const reaches = (statement.principals ?? []).map((pattern) => reachOfPattern(pattern, principal));
  return reaches.find((reach) => reach === 'principal') ?? reaches.find((reach) => reach === 'account') ?? 'none';
}

function reachOfPattern(pattern: PrincipalPattern, principal: Principal): Reach {
  if (pattern.kind === 'everyone') return 'principal';
  if (principal.kind === 'service') {
    return pattern.kind === 'service' && pattern.name === principal.name ? 'principal' : 'none';
  }
  if (pattern.kind === 'account') return pattern.account === principal.account ? 'account' : 'none';
  const isNamed = pattern.kind === 'arn' && [principal.roleArn, principal.sessionArn].includes(pattern.arn);
  return isNamed ? 'principal' : 'none';
}

function denied(policyType: PolicyType, by?: Statement): Decision {
  return { allowed: false, policyType, explicit: by !== undefined, sid: by?.sid };
}
