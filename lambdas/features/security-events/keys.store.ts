import { KEY_FAMILIES } from '../../gateway/core/contract.ts';
import { keyPart as part, sha256Hex } from '../../gateway/core/identifiers.ts';
import { grantKey, type ItemKey } from '../../gateway/platform/dynamodb/keys.ts';

/** A statement about accounts or tokens, by the provider's own id for it; several events of one are in one partition. */
export function securityEventItemKey(statement: {
  readonly cloudProject: string;
  readonly jti: string;
  readonly index: number;
}): ItemKey {
  const { cloudProject, jti, index } = statement;
  return { pk: `${KEY_FAMILIES.securityEvent}#${part(cloudProject)}#${part(jti)}`, sk: `STATEMENT#${index}` };
}

/** The same from a key of the due index. */
export function securityEventOfKey({ pk, sk }: ItemKey) {
  const [tag, cloudProject, jti] = pk.split('#');
  const [kind, index] = sk.split('#');
  if (tag !== KEY_FAMILIES.securityEvent || cloudProject === undefined || jti === undefined) return undefined;
  if (kind !== 'STATEMENT' || index === undefined) return undefined;
  return { cloudProject: decodeURIComponent(cloudProject), jti: decodeURIComponent(jti), index: Number(index) };
}

/** A Cloud project whose statements the gateway accepts. */
export function securityProjectItemKey(cloudProject: string): ItemKey {
  return { pk: `${KEY_FAMILIES.securityProject}#${part(cloudProject)}`, sk: 'PROJECT' };
}

/** Statements about an account; the account is in no key, because evidence outlives connections. */
export function accountEvidenceItemKey(cloudProject: string, subject: string): ItemKey {
  return { pk: `${KEY_FAMILIES.evidence}#${sha256Hex(grantKey(cloudProject, subject))}`, sk: 'EVIDENCE' };
}

/** Statements about a token. @param print see `tokenPrint` */
export function tokenEvidenceItemKey(print: string): ItemKey {
  return { pk: `${KEY_FAMILIES.evidence}#${print}`, sk: 'EVIDENCE' };
}
