import { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { GatewayFunction } from './function.ts';

/** Saved queries of the functions' logs (CloudWatch Logs Insights); log lines contain the fields named here and no secret. */
const QUERIES = {
  Why: `filter ispresent(entry)
| stats count(*) as lines, min(@timestamp) as first, max(@timestamp) as last by entry
| sort last desc`,
  Counts: `filter ispresent(_aws.CloudWatchMetrics.0.Metrics.0.Name)
| stats count(*) as lines by _aws.CloudWatchMetrics.0.Metrics.0.Name as metric, outcome, cause, limit, reason, status
| sort lines desc`,
  Errors: `fields @timestamp, function, message, code, error.name, error.code, error.at.0, requestId
| filter level = "ERROR"
| sort @timestamp desc
| limit 200`,
  'Failures by code': `filter level in ["WARN", "ERROR"]
| fields coalesce(code, error.code, error.name) as what
| stats count(*) as failures by function, message, what
| sort failures desc`,
  'One request': `fields @timestamp, function, level, message, code, status, cause
| filter requestId = "paste the x-request-id of an answer here"
| sort @timestamp asc`,
  'Refresh failures by integration': `filter message = "refresh failed for now"
| stats count(*) as failures by accountId, integrationId, cause
| sort failures desc`,
  Sweeps: `fields @timestamp, count, outcome
| filter message = "sweep done"
| sort @timestamp desc
| limit 200`,
} as const;

/** The functions whose logs are queried. */
export interface LogQueriesProps {
  readonly functions: readonly GatewayFunction[];
}

/** Log queries that the runbook refers to, saved under the stack's name. */
export class LogQueries extends Construct {
  constructor(scope: Construct, id: string, props: LogQueriesProps) {
    super(scope, id);
    for (const [name, queryString] of Object.entries(QUERIES)) {
      new CfnQueryDefinition(this, name.replaceAll(/\W/g, ''), {
        name: `${Stack.of(this).stackName}/${name}`,
        logGroupNames: props.functions.map(({ lambda }) => lambda.logGroup.logGroupName),
        queryString,
      });
    }
  }
}
