/** Synthesizes a CDK app that has the gateway in its stack, for a start that runs both. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type AssemblyOptions, ensureAssembly } from '../tools/assembly.ts';
import { asObject, asString, parseJson } from '../tools/json.ts';

/** Alongside the app, and never what `cdk deploy` reads. */
const OUTPUT_FOLDER = 'cdk.out.local';

export interface SynthesizeAppOptions extends Pick<AssemblyOptions, 'mode' | 'step'> {
  /** Folder of the app. */
  readonly folder: string;
  /** @default - `cdk.out.local` in that folder */
  readonly outdir?: string;
}

/**
 * Runs the command that the app's cdk.json names.
 *
 * @returns the folder of the assembly
 * @throws Error with the output of the app
 */
export async function synthesizeApp(options: SynthesizeAppOptions): Promise<string> {
  const { folder, mode, step } = options;
  const settings = join(folder, 'cdk.json');
  if (!existsSync(settings)) throw new Error(`--app: ${settings} is missing. Name the folder of a CDK app.`);
  const { app, context = {} } = asObject(parseJson(readFileSync(settings, 'utf8'), settings), settings);
  const command = asString(app ?? null, `${settings}: app`);
  // The gateway of the app takes the bundles of this project.
  await ensureAssembly({ mode, step });
  const outdir = resolve(options.outdir ?? join(folder, OUTPUT_FOLDER));
  await step(`synthesize ${folder}`, () => run(command, folder, { outdir, context: JSON.stringify(context) }));
  // As in Lambda, a `.js` of a function is CommonJS, whatever the package.json around the app says.
  writeFileSync(join(outdir, 'package.json'), '{}\n');
  return outdir;
}

async function run(command: string, cwd: string, given: { outdir: string; context: string }): Promise<void> {
  // The CDK's own validation of the template belongs to deployment; here it would double the time.
  const env = { CDK_VALIDATION: 'false', ...process.env, CDK_OUTDIR: given.outdir, CDK_CONTEXT_JSON: given.context };
  const child = spawn(command, { cwd, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0)
    throw new Error(`The app in ${cwd} cannot be synthesized: ${command} ended with ${code}.\n${out}${err}`);
}
