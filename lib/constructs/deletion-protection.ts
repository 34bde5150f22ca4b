import { RemovalPolicy } from 'aws-cdk-lib';

/**
 * How a resource with deletion protection is kept: for good, also when the deploy that made it fails. CloudFormation could
 * not delete it, and would leave the whole stack in ROLLBACK_FAILED, which no further deploy gets out of.
 */
export function protection(removalPolicy: RemovalPolicy): {
  deletionProtection: boolean;
  removalPolicy: RemovalPolicy;
} {
  return removalPolicy === RemovalPolicy.DESTROY
    ? { deletionProtection: false, removalPolicy }
    : { deletionProtection: true, removalPolicy: RemovalPolicy.RETAIN };
}
