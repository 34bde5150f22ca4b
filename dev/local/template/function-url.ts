/** `AWS::Lambda::Url` -> the front door that a function has of its own. */
import { asString, optionalString } from '../../tools/json.ts';
import type { ResolvedResource } from './resolved.ts';
import { requireKnownProperties } from './resource.ts';

/** A function URL that anyone may call. */
export interface LocalFunctionUrl {
  /** First label of its address. */
  id: string;
  /** With the alias, where the address leads to one. */
  functionArn: string;
  streaming: boolean;
}

const KNOWN_PROPERTIES = ['AuthType', 'InvokeMode', 'Qualifier', 'TargetFunctionArn'];

/** Reads one function URL. @throws Error for signed requests, CORS settings and everything else that is not emulated */
export function readFunctionUrl({ logicalId, reference, properties }: ResolvedResource): LocalFunctionUrl {
  requireKnownProperties(properties, KNOWN_PROPERTIES, logicalId);
  if (properties.AuthType !== 'NONE') {
    throw new Error(`${logicalId}.AuthType is ${String(properties.AuthType)}; only NONE is emulated locally.`);
  }
  const arn = asString(properties.TargetFunctionArn, `${logicalId}.TargetFunctionArn`);
  const qualifier = optionalString(properties.Qualifier, `${logicalId}.Qualifier`);
  return {
    id: reference,
    functionArn: qualifier === undefined ? arn : `${arn}:${qualifier}`,
    streaming: properties.InvokeMode === 'RESPONSE_STREAM',
  };
}
