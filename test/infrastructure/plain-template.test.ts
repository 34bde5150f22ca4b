import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { FUNCTION_NAMES } from '../../lambdas/gateway/contract.ts';
import { type PlainTemplate, plainTemplate } from '../../tools/release/template.ts';
import { temporaryFolder, writePlaceholderBundles } from './synthesize.ts';

describe('the plain template', () => {
  let made: PlainTemplate;
  let text: string;

  beforeAll(() => {
    using folder = temporaryFolder();
    made = plainTemplate(writePlaceholderBundles(folder.path));
    text = JSON.stringify(made.template);
  });

  test('fixes neither region nor account nor the name of the stack, and needs nothing of the CDK', () => {
    const { Resources, ...rest } = made.template;
    expect(JSON.stringify(rest)).not.toMatch(/NameOfTheStack|us-east-1|placeholder/);
    // What a logical id is made of stays inside the template.
    const values = JSON.stringify(Resources).replaceAll(
      /"(?:Ref|Fn::GetAtt)":(?:"[^"]*"|\["[^"]*")|"\w+":\{"Type"/g,
      '',
    );
    expect(values).not.toMatch(/NameOfTheStack|us-east-1|placeholder|prefix-of-the/);
    expect(text).not.toMatch(/cdk-hnb|cdk-bootstrap|aws:cdk|CDKMetadata/);
  });

  test('takes the code of each function from the bucket of its parameters', () => {
    const codes = [...text.matchAll(/"Code":\{"S3Bucket":\{"Ref":"CodeBucket"\},"S3Key":\{"Fn::Sub":"([^"]+)"\}\}/g)];
    const keys = codes.map(([, key]) => key);
    expect(keys).toHaveLength(FUNCTION_NAMES.length);
    expect(keys.toSorted()).toEqual(
      Object.keys(made.zips)
        .map((name) => `\${CodePrefix}${name}`)
        .toSorted(),
    );
  });

  test('comes with a zip of each function that holds its bundle', () => {
    const bundles = Object.values(made.zips).map((zip) => new TextDecoder().decode(unzipSync(zip)['index.mjs']));
    expect(bundles.toSorted()).toEqual(
      FUNCTION_NAMES.map((name) => `export const handler = () => '${name}';\n`).toSorted(),
    );
  });

  test('names what other code would change, so that an update takes it over', () => {
    expect(Object.keys(made.zips).every((name) => /^[a-z]+-[0-9a-f]{16}\.zip$/.test(name))).toBe(true);
  });

  test('invites an operator only where there is an address', () => {
    expect(text).toContain('"Type":"AWS::Cognito::UserPoolUser","Condition":"HasOperator"');
    expect(text).toContain('{"Ref":"OperatorEmail"}');
  });
});
