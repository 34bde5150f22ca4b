/** A generator of clients reads the API's document: it makes a method of each operation, without a warning, and what it makes is Python. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { operationsOf, textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { apiDocument } from '../../tools/api-document.ts';
import { capture, pythonEnvironment } from '../../tools/installed-programs.ts';
import type { Opinion, Verdict } from '../opinion.ts';

const TIMEOUT_MS = 300_000;

export const openapiPythonClient: Opinion = {
  name: 'openapi-python-client',
  judges: 'the OpenAPI document: a client in Python can be made of it, with a method for each operation',
  async ask(say): Promise<Verdict> {
    const environment = await pythonEnvironment('openapi-python-client', join(import.meta.dirname, 'requirements.txt'));
    const programs = join(environment, 'bin');
    const folder = mkdtempSync(join(tmpdir(), 'openapi-python-client-'));
    try {
      const document = apiDocument('https://gateway.example/v1');
      const source = join(folder, 'openapi.json');
      const made = join(folder, 'made');
      writeFileSync(source, JSON.stringify(document));
      say('makes a client');
      const { code, out, err } = await capture(
        join(programs, 'openapi-python-client'),
        ['generate', '--path', source, '--output-path', made, '--meta', 'none', '--fail-on-warning'],
        // It formats what it made by the ruff alongside it.
        {
          timeoutMs: TIMEOUT_MS,
          cwd: folder,
          env: { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH ?? ''}` },
        },
      );
      const said = `${out}${err}`.trim();
      const failures =
        code === 0 && !/WARNING|ERROR/.test(said) ? [] : [`it ended with ${code}: ${said.slice(0, 4_000)}`];
      const operations = operationsOf(document);
      for (const { operation } of operations) {
        const id = textAt(operation, 'operationId');
        const module = id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        const tag = String(Object(operation).tags?.[0]).toLowerCase().replaceAll(' ', '_');
        if (!existsSync(join(made, 'api', tag, `${module}.py`)))
          failures.push(`${id} has no method in api/${tag}/${module}.py`);
      }
      const compiled = await capture(join(programs, 'python'), ['-m', 'compileall', '-q', made], {
        timeoutMs: TIMEOUT_MS,
      });
      if (compiled.code !== 0) failures.push(compiled.out.slice(0, 4_000));
      return { passed: Math.max(0, operations.length - failures.length), failures };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
