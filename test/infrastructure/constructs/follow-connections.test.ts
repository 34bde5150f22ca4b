import { expect, test } from 'vitest';
import { flatten, resourcesOf, synthesize } from '../../../dev/support/synthesize.ts';

const template = await synthesize();

test('CF-28: deaths and returns of connections lead from the bus to the feeds function, which is asked again where it fails', () => {
  const rules = Object.values(resourcesOf(template, 'AWS::Events::Rule')).map(({ Properties }) => Properties);
  const rule = rules.find(({ EventPattern }) => JSON.stringify(EventPattern).includes('ConnectionRecovered'));
  expect(rule).toMatchObject({
    EventPattern: {
      source: ['integration-gateway'],
      'detail-type': [
        'ConnectionReauthorizationRequired',
        'ConnectionRecovered',
        'ConnectionReauthorized',
        'ConnectionRestored',
      ],
    },
    Targets: [{ RetryPolicy: { MaximumEventAgeInSeconds: 900, MaximumRetryAttempts: 185 } }],
  });
  expect(flatten(rule?.EventBusName)).toBe('<GatewayEventsBus>');
  expect(JSON.stringify(rule?.Targets)).toContain('GatewayFeedsFunction');
  const settings = Object.values(resourcesOf(template, 'AWS::Lambda::EventInvokeConfig')).map(
    ({ Properties }) => Properties,
  );
  const ofFeeds = settings.find(({ FunctionName }) => flatten(FunctionName) === '<GatewayFeedsFunction>');
  expect(ofFeeds).toMatchObject({ MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 900 });
});
