/** A template as CloudFormation returns it: in JSON or YAML, as it was uploaded. */
// The CDK brings the library with it, and reads templates with it, too.
import YAML from '../../../node_modules/aws-cdk-lib/node_modules/yaml/index.js';

/** The parts of a template that a comparison needs. */
export interface Template {
  readonly Parameters?: Readonly<Record<string, { readonly Type?: string }>>;
  readonly Resources?: Readonly<Record<string, { readonly Properties?: Readonly<Record<string, unknown>> }>>;
}

/** Functions that have a short form (User Guide, "Intrinsic function reference"). */
const FUNCTIONS = [
  ...['And', 'Base64', 'Cidr', 'Equals', 'FindInMap', 'GetAtt', 'GetAZs', 'If', 'ImportValue', 'Join', 'Length'],
  ...['Not', 'Or', 'Select', 'Split', 'Sub', 'ToJsonString', 'Transform'],
];
const SHORT_FORMS: readonly (readonly [tag: string, name: string])[] = [
  ['!Ref', 'Ref'],
  ['!Condition', 'Condition'],
  ...FUNCTIONS.map((name) => [`!${name}`, `Fn::${name}`] as const),
];

/** @throws SyntaxError for text that is neither JSON nor YAML */
export function readTemplate(body: string): Template {
  const value: unknown = body.trimStart().startsWith('{') ? JSON.parse(body) : parseYaml(body);
  return typeof value === 'object' && value !== null ? value : {};
}

function parseYaml(text: string): unknown {
  return YAML.parse(text, {
    // Without it, a date such as that of a policy's version becomes a number of milliseconds.
    schema: 'core',
    customTags: SHORT_FORMS.map(([tag, name]) => ({
      tag,
      default: false,
      // Only for writing, which nothing does.
      identify: () => false,
      resolve: (_document: unknown, node: { toString(): string }) => ({
        [name]: parseYaml(node.toString().slice(tag.length)),
      }),
    })),
  });
}
