/** cfn-lint, CloudFormation's own linter, over the template of every option. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { MISSING_SERVICES } from '../../lib/missing-services.ts';
import { WITHOUT_FUNCTION_URLS } from '../../lib/option-values.ts';
import { optionSets } from '../support/option-combinations.ts';
import { EVERYTHING_ON, type Options } from '../support/option-samples.ts';
import { resourcesOf, synthesize, temporaryFolder, writePlaceholderBundles } from '../support/synthesize.ts';
import { capture, WORK_FOLDER } from '../tools/installed-programs.ts';
import { plainTemplate } from '../tools/release/template.ts';
import { PROJECT_ROOT } from '../tools/run.ts';
import exceptions from './cfn-lint-exceptions.json' with { type: 'json' };
import type { Opinion, Verdict } from './opinion.ts';
import { pythonTool } from './tools.ts';

const TEMPLATES = join(WORK_FOLDER, 'templates');
const DEFAULT_REGION = 'us-east-1';
/** cfn-lint's rule about resource types that a region does not have. */
const MISSING_TYPE = 'E3006';
/** Templates given to one process: the first one takes two seconds longer than the others. */
const TEMPLATES_PER_RUN = 9;
const RUN_TIMEOUT_MS = 300_000;
/** cfn-lint without Python's search for unused objects, which matter little in a process that soon ends. */
const PROGRAM = ['-c', 'import gc, sys; gc.disable(); from cfnlint.runner import main; sys.exit(main())'];

const findingsSchema = z.array(
  z.object({
    Filename: z.string(),
    Level: z.string(),
    Message: z.string(),
    Rule: z.object({ Id: z.string() }),
    Location: z.object({ Path: z.array(z.union([z.string(), z.number()])).nullable() }),
  }),
);
type Finding = z.output<typeof findingsSchema>[number];

/** Judges what `npm run deploy` gives to CloudFormation, whatever the options are. */
export const cfnLint: Opinion = {
  name: 'cfn-lint',
  judges: 'templates of combinations of options, in several regions',
  async ask(say) {
    const python = await pythonTool('python');
    say('synthesize');
    const templates = await writeTemplates();
    const batches = [...Map.groupBy(templates, ({ region }) => region)].flatMap(([region, files]) =>
      Array.from({ length: Math.ceil(files.length / TEMPLATES_PER_RUN) }, (_, index) => ({
        region,
        paths: files.slice(index * TEMPLATES_PER_RUN, (index + 1) * TEMPLATES_PER_RUN).map(({ path }) => path),
      })),
    );
    const findings: Finding[] = [];
    const worker = async () => {
      for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
        say(`${batch.region}: ${batch.paths.map((path) => basename(path, '.json')).join(', ')}`);
        findings.push(...(await lint(python, batch.region, batch.paths)));
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, worker));
    const judged = judge(
      templates.map(({ path }) => path),
      findings,
    );
    say('every region');
    const regions = await judgeRegions(python, EVERYTHING_ON);
    return { passed: judged.passed + regions.passed, failures: [...judged.failures, ...regions.failures] };
  },
};

/** Compares the services that each region is said to lack with the resource types that cfn-lint does not know there. */
async function judgeRegions(python: string, options: Options): Promise<Verdict> {
  const types = new Set(Object.values(resourcesOf(await synthesize(options))).map(({ Type }) => Type));
  // Resources without properties break many rules, but only the one about types is read.
  const Resources = Object.fromEntries([...types].map((Type) => [Type.replaceAll('::', ''), { Type }]));
  const template = join(TEMPLATES, 'types.json');
  writeFileSync(template, JSON.stringify({ Resources }, undefined, 1));
  const missing = (await lint(python, 'ALL_REGIONS', [template])).flatMap(({ Rule, Message }) => {
    const [, type, region] = /^Resource type '([\w:]+)' does not exist in '([\w-]+)'$/.exec(Message) ?? [];
    return Rule.Id === MISSING_TYPE && type !== undefined && region !== undefined ? [{ type, region }] : [];
  });
  const unsaid = missing.filter(
    ({ type, region }) =>
      !(type === 'AWS::Lambda::Url' && WITHOUT_FUNCTION_URLS.includes(region)) &&
      !MISSING_SERVICES.some(
        ({ types, regions }) => regions.includes(region) && types.some((start) => type.startsWith(start)),
      ),
  );
  const wronglySaid = MISSING_SERVICES.flatMap(({ types, regions }) =>
    types.flatMap((start) =>
      regions
        .filter((region) => !missing.some((one) => one.region === region && one.type.startsWith(start)))
        .map((region) => `${region} has ${start}: take it out of lib/missing-services.ts and docs/deploy.md`),
    ),
  );
  const failures = [
    ...unsaid.map(
      ({ type, region }) =>
        `${region} lacks ${type}: add it to ${type === 'AWS::Lambda::Url' ? 'lib/option-values.ts' : 'lib/missing-services.ts and docs/deploy.md'}`,
    ),
    ...wronglySaid,
  ];
  return { passed: failures.length === 0 ? 1 : 0, failures };
}

interface WrittenTemplate {
  readonly path: string;
  readonly region: string;
}

async function writeTemplates(): Promise<WrittenTemplate[]> {
  rmSync(TEMPLATES, { recursive: true, force: true });
  mkdirSync(TEMPLATES, { recursive: true });
  const written: WrittenTemplate[] = [];
  for (const { name, options } of optionSets()) {
    const path = join(TEMPLATES, `${name}.json`);
    writeFileSync(path, JSON.stringify((await synthesize(options)).toJSON(), undefined, 1));
    writeFileSync(join(TEMPLATES, `${name}.options.json`), JSON.stringify(options, undefined, 1));
    written.push({ path, region: options.region ?? DEFAULT_REGION });
  }
  // The same file for every region: judged in two.
  using folder = temporaryFolder();
  const { template } = plainTemplate(writePlaceholderBundles(folder.path));
  for (const region of [DEFAULT_REGION, 'eu-central-1']) {
    const path = join(TEMPLATES, `plain-template-${region}.json`);
    writeFileSync(path, JSON.stringify(template, undefined, 1));
    written.push({ path, region });
  }
  for (const path of ['sam/template.yaml', 'terraform/gateway.yaml'])
    written.push({ path: join(PROJECT_ROOT, 'examples', path), region: DEFAULT_REGION });
  return written;
}

async function lint(python: string, region: string, templates: readonly string[]): Promise<Finding[]> {
  const args = [
    ...PROGRAM,
    '--format',
    'json',
    '--include-checks',
    'I',
    '--regions',
    region,
    '--template',
    ...templates,
  ];
  const { code, out, err } = await capture(python, args, { timeoutMs: RUN_TIMEOUT_MS });
  // Its exit code is a sum of bits: 2 errors, 4 warnings, 8 information. 1 and 32 mean that it could not work.
  if (code % 2 === 1 || code >= 32) throw new Error(`cfn-lint ended with exit code ${code}:\n${err || out}`);
  return findingsSchema.parse(JSON.parse(out || '[]'));
}

/** Takes away what is excepted with a reason; an exception that nothing needs any more is a failure itself. */
function judge(templates: readonly string[], findings: readonly Finding[]): Verdict {
  const unused = new Set(exceptions);
  const open = findings.filter((finding) => {
    const exception = exceptions.find(
      ({ rule, message }) => rule === finding.Rule.Id && new RegExp(message).test(finding.Message),
    );
    if (exception !== undefined) unused.delete(exception);
    return exception === undefined;
  });
  const bad = Map.groupBy(open, ({ Filename }) => Filename);
  return {
    passed: templates.filter((path) => !bad.has(path)).length,
    failures: [
      ...[...bad].map(([path, found]) => [basename(path, '.json'), ...found.map(line)].join('\n  ')),
      ...[...unused].map(({ rule, message }) => `the exception ${rule} "${message}" excepts nothing: remove it`),
    ],
  };
}

function line({ Rule, Message, Location }: Finding): string {
  return `${Rule.Id} ${Message} (${(Location.Path ?? []).join('/')})`;
}
