import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Accepts one finding of template validation on a construct and everything under it.
 * @param id rule id as the report prints it, with the finding in brackets where the rule has several
 * @param reason why the finding does not apply, for the person who reads the report
 */
export function acknowledge(scope: IConstruct, id: string, reason: string): void {
  Validations.of(scope).acknowledge({ id, reason });
}
