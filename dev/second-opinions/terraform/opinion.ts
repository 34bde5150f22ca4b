/** python-hcl2, a parser of Terraform's language, reads the example for Terraform. Terraform itself is not run. */
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import * as z from 'zod';
import { synthesize } from '../../support/synthesize.ts';
import { capture, pythonEnvironment } from '../../tools/installed-programs.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import type { Opinion, Verdict } from '../opinion.ts';

const EXAMPLE = join(PROJECT_ROOT, 'examples/terraform');

const readSchema = z.strictObject({
  declared: z.array(z.string()),
  references: z.array(z.string()),
  parameters: z.array(z.array(z.string())),
  templates: z.array(z.string()),
});

export const terraform: Opinion = {
  name: 'terraform',
  judges: 'the example for Terraform: its syntax, its references, and what it passes to its stack',
  async ask(): Promise<Verdict> {
    const python = join(
      await pythonEnvironment('terraform', join(import.meta.dirname, 'requirements.txt')),
      'bin/python',
    );
    const { code, out, err } = await capture(python, [join(import.meta.dirname, 'judge.py'), join(EXAMPLE, 'main.tf')]);
    if (code !== 0) return { passed: 0, failures: [`main.tf cannot be read: ${err.slice(-2000)}`] };
    const read = readSchema.parse(JSON.parse(out));
    const outputs = Object.keys((await synthesize({ iamCallers: true })).findOutputs('*'));
    const parameters = Object.keys(parametersOf('gateway.yaml')).toSorted();
    const failures = [
      ...read.references
        .filter((one) => !read.declared.includes(one.replace(/^(local\.\w+)\..*/, '$1')))
        .map((one) => `main.tf refers to ${one} and declares no such thing`),
      ...read.references
        .flatMap((one) => /^local\.gateway\.(\w+)$/.exec(one)?.[1] ?? [])
        .filter((output) => !outputs.includes(output))
        .map((output) => `main.tf reads the output ${output}, which the gateway's stack does not have`),
      ...(JSON.stringify(read.parameters) === JSON.stringify([parameters])
        ? []
        : [`main.tf passes ${JSON.stringify(read.parameters)}; gateway.yaml has ${JSON.stringify(parameters)}`]),
      ...(/^\$\{file\("\$\{path\.module\}\/gateway\.yaml"\)\}$/.test(read.templates.join())
        ? []
        : [`the stack of main.tf has another template than gateway.yaml: ${read.templates.join()}`]),
    ];
    return { passed: failures.length === 0 ? read.references.length + parameters.length : 0, failures };
  },
};

function parametersOf(template: string): object {
  const stack = new Stack(new App(), 'Terraform');
  new CfnInclude(stack, 'Template', { templateFile: join(EXAMPLE, template) });
  const { BootstrapVersion: _, ...parameters } = Template.fromStack(stack).findParameters('*');
  return parameters;
}
