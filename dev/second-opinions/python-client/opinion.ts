/** The Python client: ruff and mypy read it, its tests use it on a gateway on this computer, its wheel works where nothing else is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, downloadsOf, WORK_FOLDER } from '../../tools/installed-programs.ts';
import { pythonClientEnvironment } from '../../tools/release/python.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import type { Opinion, Verdict } from '../opinion.ts';

const PACKAGE_FOLDER = join(PROJECT_ROOT, 'packages', 'python');
/** The first start of a gateway builds it. */
const TIMEOUT_MS = 600_000;

const READERS: readonly (readonly string[])[] = [
  ['ruff', 'check', '--no-cache', PACKAGE_FOLDER],
  ['ruff', 'format', '--check', '--no-cache', PACKAGE_FOLDER],
  ['mypy', '--config-file', join(PACKAGE_FOLDER, 'pyproject.toml')],
];

export const pythonClient: Opinion = {
  name: 'python-client',
  judges: 'the Python client: style, types, behaviour on a local gateway, its wheel in an empty environment',
  async ask(say): Promise<Verdict> {
    const environment = await pythonClientEnvironment();
    const programs = join(environment, 'bin');
    const env = {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: join(PACKAGE_FOLDER, 'src'),
      PYTHON_PACKAGES_FOLDER: downloadsOf(environment),
      MYPY_CACHE_DIR: join(WORK_FOLDER, 'python-client-types'),
    };
    const failures: string[] = [];
    for (const [program = '', ...args] of READERS) {
      say(`${program} ${args[0]}`);
      const { code, out, err } = await capture(join(programs, program), args, { env, cwd: PACKAGE_FOLDER });
      if (code !== 0) failures.push(`${program}: ${`${out}${err}`.trim()}`);
    }
    say('its tests, on a gateway of their own');
    const report = join(WORK_FOLDER, 'python-client.xml');
    const options = ['-m', 'pytest', '--quiet', `--junitxml=${report}`];
    const { code, out, err } = await capture(join(programs, 'python'), options, {
      timeoutMs: TIMEOUT_MS,
      env,
      cwd: PACKAGE_FOLDER,
    });
    // pytest's exit codes: 1 is "some tests failed"; every other one says that it could not run them.
    if (code > 1)
      throw new Error(`pytest ended with ${code}: ${`${out}${err}`.trim().split('\n').slice(-20).join('\n')}`);
    const tests = readReport(readFileSync(report, 'utf8'));
    if (code !== 0) failures.push(out.trim());
    return { passed: READERS.length + tests.passed, failures };
  },
};

/** The counts of a JUnit report as pytest writes it. @throws Error where there are none */
function readReport(xml: string): { passed: number } {
  const count = (name: string) => Number(new RegExp(`<testsuite [^>]*\\b${name}="(\\d+)"`).exec(xml)?.[1]);
  const passed = count('tests') - count('failures') - count('errors') - count('skipped');
  if (!(passed > 0)) throw new Error('pytest ran no test.');
  return { passed };
}
