import { differentMembers } from './compared.ts';
import { DeclarationError, propertyOf } from './declaration-error.ts';
import { runnerOf } from './declare.ts';
import type { Declaring } from './ports.ts';

/** A resource of the gateway's as a stack has it. */
export interface StackResourceState {
  readonly logicalId: string;
  readonly type: string;
  readonly physicalId: string;
  /** Properties with their values; those that refer to other resources are in `unresolved`. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly unresolved: readonly string[];
}

/** A property that has another value than its stack declares. */
export interface Difference {
  readonly property: string;
  readonly declared: unknown;
  readonly now: unknown;
}

/** What became of a declared resource. */
export interface Drift {
  readonly logicalId: string;
  readonly type: string;
  readonly state: 'same' | 'changed' | 'missing' | 'unknown';
  readonly differences: readonly Difference[];
  /** Properties whose values are not in the template, so nobody compared them. */
  readonly notCompared: readonly string[];
  /** Why the state is unknown. */
  readonly reason?: string;
}

/** Values that pass the checks of properties which nobody compares. */
const STAND_INS: Readonly<Record<string, unknown>> = {
  RoleArn: 'arn:aws:iam::111111111111:role/unresolved',
  ...standIns(
    ['SecretArn', 'SigningSecretArn', 'ClientSecretArn'],
    'arn:aws:secretsmanager:us-east-1:111111111111:secret:unresolved',
  ),
  ...standIns(['Provider', 'ClientId', 'Url', 'Integration', 'ConnectionId', 'Resource'], 'unresolved'),
  ...standIns(['Scopes', 'Allow'], ['unresolved']),
};

function standIns(names: readonly string[], value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

/** Compares what a stack declares with what the gateway has. Nothing is changed. */
export async function driftOf(declaring: Declaring, resource: StackResourceState): Promise<Drift> {
  const { logicalId, type, physicalId, properties, unresolved } = resource;
  const found = { logicalId, type, notCompared: unresolved };
  const run = runnerOf(type);
  if (run === undefined)
    return { ...found, state: 'unknown', differences: [], reason: 'This version has no such type.' };
  // The name of an integration, which is its display name where it has no other, is its physical id.
  const known = { ...STAND_INS, UniqueKey: physicalId };
  const stoodIn = Object.entries(known).filter(([name]) => unresolved.includes(name));
  try {
    const compared = await run.compare(declaring, { ...properties, ...Object.fromEntries(stoodIn) }, physicalId);
    if (compared === undefined) return { ...found, state: 'missing', differences: [] };
    const differences = differentMembers(compared)
      .map(({ name, declared, now }) => ({ property: propertyOf(name), declared, now }))
      .filter(({ property }) => !unresolved.includes(property));
    return { ...found, state: differences.length === 0 ? 'same' : 'changed', differences };
  } catch (error) {
    if (error instanceof DeclarationError)
      return { ...found, state: 'unknown', differences: [], reason: error.message };
    throw error;
  }
}
