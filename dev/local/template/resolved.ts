/** A resource whose references are resolved: the form every reader of a type takes. */
import { asObject, type JsonObject } from '../../tools/json.ts';
import { type ReferenceScope, resolveIntrinsics } from './intrinsics.ts';
import type { TemplateResource } from './resource.ts';

export interface ResolvedResource {
  logicalId: string;
  type: string;
  /** The value of `Ref`. */
  reference: string;
  /** The physical name: the last part of the ARN or address for types whose `Ref` is one. */
  name: string;
  arn: string;
  properties: JsonObject;
}

/** Types that have no ARN of their own; asking the scope for one would invent it. */
const WITHOUT_ARN = new Set([
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::Cognito::UserPoolDomain',
  'AWS::Cognito::UserPoolIdentityProvider',
  'AWS::IAM::Policy',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Url',
]);

/** Resolves every property of one resource. @throws IntrinsicError naming resource and path. */
export function resolveResource(resource: TemplateResource, scope: ReferenceScope): ResolvedResource {
  const { logicalId, type } = resource;
  const reference = scope.ref(logicalId);
  return {
    logicalId,
    type,
    reference,
    name: /^(?:arn|https):/.test(reference) ? (reference.split(/[:/]/).at(-1) ?? reference) : reference,
    arn: WITHOUT_ARN.has(type) ? '' : scope.attribute(logicalId, 'Arn'),
    properties: asObject(resolveIntrinsics(resource.properties, scope, logicalId), logicalId),
  };
}
