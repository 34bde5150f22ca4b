/** Buses and rules of the template -> what the buses run. */
import { asArray, asObject, asString, type Json } from '../../tools/json.ts';
import type { ResolvedResource } from './resolved.ts';
import { requireKnownProperties } from './resource.ts';
import { functionArnOf } from './schedules.ts';

export interface LocalBus {
  name: string;
}

/** A rule of a bus with Lambda targets. */
export interface LocalRule {
  logicalId: string;
  name: string;
  arn: string;
  busName: string;
  pattern: Json;
  functionArns: readonly string[];
}

const KNOWN = {
  Bus: ['Description', 'Name', 'Tags'],
  Rule: ['Description', 'EventBusName', 'EventPattern', 'Name', 'RoleArn', 'State', 'Targets'],
} as const;

/** Reads one bus. @throws Error for one with a key of its own, whose use nothing here judges. */
export function readBus({ logicalId, name, properties }: ResolvedResource): LocalBus {
  requireKnownProperties(properties, KNOWN.Bus, logicalId);
  return { name };
}

/** Reads one rule. @throws Error for a schedule or a target that is not a function. */
export function readRule({ logicalId, name, arn, properties }: ResolvedResource): LocalRule {
  requireKnownProperties(properties, KNOWN.Rule, logicalId);
  const bus = properties.EventBusName === undefined ? 'default' : asString(properties.EventBusName, logicalId);
  return {
    logicalId,
    name,
    arn,
    busName: bus.split('/').at(-1) ?? bus,
    pattern: asObject(properties.EventPattern, `${logicalId}.EventPattern`),
    functionArns: asArray(properties.Targets ?? [], `${logicalId}.Targets`).map((target) => {
      requireKnownProperties(
        asObject(target, logicalId),
        ['Arn', 'DeadLetterConfig', 'Id', 'RetryPolicy'],
        `${logicalId}.Targets`,
      );
      return functionArnOf(asObject(target, logicalId).Arn, `${logicalId}.Targets.Arn`);
    }),
  };
}
