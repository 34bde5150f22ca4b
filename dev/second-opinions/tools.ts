/** The programs that judge, in the versions pinned alongside this file, and what they judge. */
import { join } from 'node:path';
import { ensureAssembly } from '../tools/assembly.ts';
import { javaLibraries, pythonEnvironment } from '../tools/installed-programs.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const POM = join(import.meta.dirname, 'pom.xml');

/** The path of a program of the pinned Python packages, such as `cfn-lint`. @throws Error saying what is missing */
export async function pythonTool(name: string): Promise<string> {
  return join(await pythonEnvironment('python', REQUIREMENTS), 'bin', name);
}

/** The folder that holds DynamoDB Local and all its libraries. @throws Error saying what is missing */
export function dynamoDbLocalFolder(): Promise<string> {
  return javaLibraries('dynamodb-local', POM);
}

/** Bundles the functions and synthesizes the stack where sources have changed, for an opinion that starts a local gateway. */
export async function bringStackUpToDate(say: (progress: string) => void): Promise<void> {
  await ensureAssembly({
    mode: 'auto',
    step: (name, work) => {
      say(name);
      return work();
    },
  });
}
