import type { FeatureDependencies } from '../../gateway/feature-dependencies.ts';
import type { SecurityProjects } from './ports.ts';
import { securityProjects } from './statement.store.ts';

/** Dependencies of the routes of security events, in addition to those of all routes. */
export interface SecurityEventServices {
  readonly securityProjects: SecurityProjects;
}

/** Opens nothing: costs a request nothing. */
export function securityEventServices({ table }: Pick<FeatureDependencies, 'table'>): SecurityEventServices {
  return { securityProjects: securityProjects(table) };
}
