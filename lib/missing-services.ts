import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** A service that the stack uses and that CloudFormation does not offer in every region. */
export interface MissingService {
  /** Prefixes of the stack's resource types of this service. */
  readonly types: readonly string[];
  readonly regions: readonly string[];
  /** Its name in a warning, with its use in the gateway. */
  readonly service: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Whether only the dashboard needs it. */
  readonly forDashboard: boolean;
}

const WITHOUT_DASHBOARD =
  'Set gateway:dashboard=false: the API, its secret keys and the command line (npm run gateway) do not need it.';
const CHINA = ['cn-north-1', 'cn-northwest-1'];
const GOV_CLOUD = ['us-gov-east-1', 'us-gov-west-1'];

/** From the registries of CloudFormation in cfn-lint 1.58.0 (November 2026); `npm run second-opinions` compares the two. */
export const MISSING_SERVICES: readonly MissingService[] = [
  {
    types: ['AWS::Cognito::'],
    regions: CHINA,
    service: 'Cognito user pools, in which operators of the dashboard sign in',
    remedy: WITHOUT_DASHBOARD,
    forDashboard: true,
  },
  {
    types: ['AWS::CloudFront::Function', 'AWS::CloudFront::OriginAccessControl'],
    regions: CHINA,
    service: 'CloudFront functions and origin access control, through which the files of the dashboard are served',
    remedy: WITHOUT_DASHBOARD,
    forDashboard: true,
  },
  {
    types: ['AWS::CloudFront::'],
    regions: GOV_CLOUD,
    service: 'CloudFront, which serves the files of the dashboard',
    remedy: WITHOUT_DASHBOARD,
    forDashboard: true,
  },
];

/** Warns once for each service that a gateway needs and its region lacks, with the remedy; a deploy there would fail. */
export function warnOfMissingServices(scope: Construct, region: string, { dashboard }: { dashboard: boolean }): void {
  for (const { types, regions, service, remedy, forDashboard } of MISSING_SERVICES) {
    if (!regions.includes(region) || (forDashboard && !dashboard)) continue;
    Annotations.of(scope).addWarningV2(
      `integration-gateway:missing-${types[0]?.split('::')[1]}`,
      `${region} has no ${service}, so CloudFormation refuses the stack. ${remedy} What a region has today: docs/deploy.md.`,
    );
  }
}
