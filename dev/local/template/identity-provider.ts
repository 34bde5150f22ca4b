/** A company's sign-in at the operators' user pool, and the function that writes roles into tokens. */
import { asObject, asString, isObject, type JsonObject } from '../../tools/json.ts';
import type { ResolvedResource } from './resolved.ts';
import { requireKnownProperties } from './resource.ts';

/** What the local issuer needs to send operators there. */
export interface LocalIdentityProvider {
  /** Name in the user pool, which begins the names of its users. */
  name: string;
  issuer: string;
  clientId: string;
  scopes: readonly string[];
  /** Claims by the attribute of the user pool that gets them. */
  mapping: Readonly<Record<string, string>>;
  /** Source of the function before tokens, and its environment. */
  roles: { code: string; environment: Readonly<Record<string, string>> };
}

const KNOWN_PROPERTIES = ['AttributeMapping', 'ProviderDetails', 'ProviderName', 'ProviderType', 'UserPoolId'];

/** Whether a function's source stands in the template itself: the user pool calls it, and nothing else. */
export function isInline({ properties }: ResolvedResource): boolean {
  return isObject(properties.Code) && properties.Code.ZipFile !== undefined;
}

/** The OpenID Connect provider of a stack; undefined without one, and for SAML, which has no part here. */
export function readIdentityProvider(
  provider: ResolvedResource | undefined,
  writer: ResolvedResource | undefined,
): LocalIdentityProvider | undefined {
  if (provider === undefined || writer === undefined) return undefined;
  const { logicalId, properties } = provider;
  requireKnownProperties(properties, KNOWN_PROPERTIES, logicalId);
  if (properties.ProviderType !== 'OIDC') return undefined;
  const details = asObject(properties.ProviderDetails, logicalId);
  const text = (object: JsonObject, name: string) => asString(object[name], `${logicalId}.${name}`);
  const { Variables = {} } = asObject(writer.properties.Environment, writer.logicalId);
  return {
    name: text(properties, 'ProviderName'),
    issuer: text(details, 'oidc_issuer'),
    clientId: text(details, 'client_id'),
    scopes: text(details, 'authorize_scopes').split(' '),
    mapping: texts(properties.AttributeMapping, logicalId),
    roles: {
      code: asString(asObject(writer.properties.Code, writer.logicalId).ZipFile, writer.logicalId),
      environment: texts(Variables, writer.logicalId),
    },
  };
}

function texts(value: JsonObject[string] | undefined, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(asObject(value, name)).map(([key, one]) => [key, asString(one, name)]));
}
