/** Which resource types the local runtime runs, which it may ignore, and that everything else is refused. */

const RUN_TYPES = new Set([
  'AWS::DynamoDB::GlobalTable',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Url',
  'AWS::IAM::Role',
  'AWS::IAM::Policy',
  'AWS::IAM::ManagedPolicy',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::Stage',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::SecretsManager::Secret',
  'AWS::KMS::Key',
  'AWS::Scheduler::Schedule',
  'AWS::Lambda::EventSourceMapping',
  'AWS::SQS::Queue',
  'AWS::Events::EventBus',
  'AWS::Events::Rule',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolClient',
  'AWS::Cognito::UserPoolDomain',
  'AWS::Cognito::UserPoolIdentityProvider',
]);

/** Types that change nothing in how a request runs: logs, alarms, the edge. */
const IGNORED_TYPES = new Set([
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Alias',
  'AWS::Lambda::Version',
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::DomainName',
  'AWS::ApiGateway::BasePathMapping',
  'AWS::S3::Bucket',
  'AWS::S3::BucketPolicy',
  'AWS::Scheduler::ScheduleGroup',
  'AWS::KMS::Alias',
  'AWS::Cognito::ManagedLoginBranding',
  // The first operator of a deployment; the local issuer has operators of its own.
  'AWS::Cognito::UserPoolUser',
  'AWS::CDK::Metadata',
]);

const IGNORED_SERVICES = [
  // What a stack declares: the function `declared` is asked for it, by tests as by CloudFormation.
  'Custom::Gateway',
  'AWS::IAM::',
  'AWS::Logs::',
  'AWS::CloudWatch::',
  'AWS::WAFv2::',
  'AWS::CloudFront::',
  'AWS::SQS::',
  'AWS::SNS::',
];

export type ResourceClass = 'run' | 'ignored' | 'refused';

/** Puts a CloudFormation resource type into exactly one of the three lists. */
export function classifyResourceType(type: string): ResourceClass {
  if (RUN_TYPES.has(type)) return 'run';
  if (IGNORED_TYPES.has(type) || IGNORED_SERVICES.some((service) => type.startsWith(service))) return 'ignored';
  return 'refused';
}
