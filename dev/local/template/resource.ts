/** One resource of the template, as read: raw properties, intrinsics not yet resolved. */
import { asObject, asString, isObject, type Json, type JsonObject } from '../../tools/json.ts';
import { classifyResourceType, type ResourceClass } from './resource-types.ts';

export interface TemplateResource {
  logicalId: string;
  type: string;
  class: Exclude<ResourceClass, 'refused'>;
  properties: JsonObject;
}

const KNOWN_SECTIONS = new Set([
  'AWSTemplateFormatVersion',
  'Description',
  'Metadata',
  'Parameters',
  'Rules',
  'Conditions',
  'Resources',
  'Outputs',
]);
const SKIPPED_PARAMETERS = new Set(['BootstrapVersion']);
const SKIPPED_CONDITIONS = new Set(['CDKMetadataAvailable']);

/**
 * Reads the resources of a CloudFormation template by logical id.
 * @param ofApp the template of an app with the gateway in it: what does not run on this computer is ignored
 * @throws Error listing every unknown section, parameter, condition and resource type at once.
 */
export function readResources(template: Json, ofApp = false): Map<string, TemplateResource> {
  const root = asObject(template, 'The template');
  const problems = [
    ...unknownMembers(root, KNOWN_SECTIONS, 'section'),
    ...unknownMembers(root.Parameters, SKIPPED_PARAMETERS, 'parameter'),
    ...unknownMembers(root.Conditions, SKIPPED_CONDITIONS, 'condition'),
  ];
  const resources = new Map<string, TemplateResource>();
  for (const [logicalId, raw] of Object.entries(asObject(root.Resources, 'Resources'))) {
    const resource = asObject(raw, `Resources.${logicalId}`);
    const type = asString(resource.Type, `Resources.${logicalId}.Type`);
    const resourceClass = classifyResourceType(type);
    if (resourceClass === 'refused' && ofApp) {
      resources.set(logicalId, { logicalId, type, class: 'ignored', properties: propertiesOf(resource, logicalId) });
      continue;
    }
    if (resourceClass === 'refused') {
      problems.push(`${logicalId} is a ${type}, which the local runtime does not know.`);
      continue;
    }
    if (resourceClass === 'run' && resource.Condition !== undefined) {
      problems.push(`${logicalId} has a Condition, which the local runtime does not evaluate.`);
    }
    resources.set(logicalId, { logicalId, type, class: resourceClass, properties: propertiesOf(resource, logicalId) });
  }
  if (problems.length > 0) {
    throw new Error(`The template cannot run locally:\n  ${problems.join('\n  ')}`);
  }
  return resources;
}

function propertiesOf(resource: JsonObject, logicalId: string): JsonObject {
  return resource.Properties === undefined ? {} : asObject(resource.Properties, logicalId);
}

/**
 * Refuses properties that would change behaviour and are not supported.
 * @throws Error naming the resource and each unknown property.
 */
export function requireKnownProperties(properties: JsonObject, known: readonly string[], where: string): void {
  const unknown = Object.keys(properties).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`${where} uses ${unknown.join(', ')}, which the local runtime does not implement.`);
  }
}

function unknownMembers(section: Json | undefined, known: ReadonlySet<string>, kind: string): string[] {
  if (!isObject(section)) return [];
  return Object.keys(section)
    .filter((name) => !known.has(name))
    .map((name) => `The ${kind} ${name} is not known to the local runtime.`);
}
