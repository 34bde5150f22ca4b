/** CloudWatch alarms of the template -> those that the local runtime can judge: sums of one metric. */
import { asArray, asNumber, asObject, asString, numberOr, optionalString } from '../../tools/json.ts';
import type { ResolvedResource } from './resolved.ts';
import type { TemplateResource } from './resource.ts';

/** An alarm that looks at the sum of one metric. */
export interface LocalAlarm {
  logicalId: string;
  description: string;
  namespace: string;
  metricName: string;
  dimensions: Readonly<Record<string, string>>;
  periodSec: number;
  evaluationPeriods: number;
  datapointsToAlarm: number;
  missingDataBreaches: boolean;
  breaches(sum: number): boolean;
}

const COMPARISONS: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanThreshold: (value, threshold) => value > threshold,
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
  LessThanOrEqualToThreshold: (value, threshold) => value <= threshold,
};

/** Whether a resource is an alarm that can be judged here: others look at an expression or at another statistic. */
export function isSumAlarm({ type, properties }: TemplateResource): boolean {
  return type === 'AWS::CloudWatch::Alarm' && properties.Metrics === undefined && properties.Statistic === 'Sum';
}

/** Reads one alarm. @throws Error for a comparison that is unknown */
export function readAlarm({ logicalId, properties }: ResolvedResource): LocalAlarm {
  const comparison = asString(properties.ComparisonOperator, `${logicalId}.ComparisonOperator`);
  const compare = COMPARISONS[comparison];
  if (compare === undefined) throw new Error(`${logicalId}.ComparisonOperator is ${comparison}, which is unknown.`);
  const threshold = asNumber(properties.Threshold, `${logicalId}.Threshold`);
  const evaluationPeriods = asNumber(properties.EvaluationPeriods, `${logicalId}.EvaluationPeriods`);
  const dimensions = asArray(properties.Dimensions ?? [], `${logicalId}.Dimensions`).map((one) => {
    const { Name, Value } = asObject(one, `${logicalId}.Dimensions`);
    return [asString(Name, `${logicalId}.Dimensions`), asString(Value, `${logicalId}.Dimensions`)] as const;
  });
  return {
    logicalId,
    description: optionalString(properties.AlarmDescription, `${logicalId}.AlarmDescription`) ?? '',
    namespace: asString(properties.Namespace, `${logicalId}.Namespace`),
    metricName: asString(properties.MetricName, `${logicalId}.MetricName`),
    dimensions: Object.fromEntries(dimensions),
    periodSec: asNumber(properties.Period, `${logicalId}.Period`),
    evaluationPeriods,
    datapointsToAlarm: numberOr(properties.DatapointsToAlarm, evaluationPeriods, `${logicalId}.DatapointsToAlarm`),
    missingDataBreaches: properties.TreatMissingData === 'breaching',
    breaches: (sum) => compare(sum, threshold),
  };
}
