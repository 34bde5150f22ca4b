import { RemovalPolicy } from 'aws-cdk-lib';

/**
 * Retains a resource with deletion protection, even when the deploy that created it fails. CloudFormation could not delete it, and
 * would leave the whole stack in ROLLBACK_FAILED, which no further deploy can repair.
 */
export function protection(removalPolicy: RemovalPolicy): {
  deletionProtection: boolean;
  removalPolicy: RemovalPolicy;
} {
  return removalPolicy === RemovalPolicy.DESTROY
    ? { deletionProtection: false, removalPolicy }
    : { deletionProtection: true, removalPolicy: RemovalPolicy.RETAIN };
}
