/** html-validate reads every page that the gateway, the simulator and the dashboard send: the elements, what they may hold and their attributes. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGE_IDS } from '../../../lambdas/gateway/languages/language.rules.ts';
import { capture, nodePackages, WORK_FOLDER } from '../../tools/installed-programs.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { openGateway } from '../own-gateway.ts';

/** Pages of the gateway that end users and developers open. */
const IN_EACH_LANGUAGE = [
  'connect',
  'connect?preview',
  'oauth/callback?state=x&error=access_denied',
  'oauth/connect/google-drive?connect_session_token=none',
];
const PAGES = [...IN_EACH_LANGUAGE, 'docs', 'docs?try'];
const OF_THE_SIMULATOR = ['', '/faults', '/requests', '/clients', '/agents', '/account?email=first.user%40example.com'];

export const htmlValidate: Opinion = {
  name: 'html-validate',
  judges: 'the HTML of every page, as it is sent, in each language',
  async ask(say): Promise<Verdict> {
    const installed = await nodePackages('html-validate', import.meta.dirname);
    const folder = join(WORK_FOLDER, 'html-pages');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    say('fetches the pages');
    const files = await savedPages(folder);
    const configuration = join(folder, '.htmlvalidate.json');
    writeFileSync(configuration, JSON.stringify({ root: true, extends: ['html-validate:standard'] }));
    const program = join(installed, 'node_modules', 'html-validate', 'bin', 'html-validate.mjs');
    const { code, out, err } = await capture(process.execPath, [
      program,
      '--config',
      configuration,
      '--formatter',
      'stylish',
      ...files,
    ]);
    const failures = code === 0 ? [] : [`${out}${err}`.trim().slice(0, 8_000)];
    return { passed: failures.length === 0 ? files.length : 0, failures };
  },
};

/** Paths of the pages of a gateway of its own. @throws Error for a page that is none */
async function savedPages(folder: string): Promise<string[]> {
  await using own = await openGateway();
  const { gatewayUrl, simulatorUrl, simulatorPageAddress } = own.gateway;
  const opened = await fetch(simulatorPageAddress ?? '', { redirect: 'manual' });
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const wanted = [
    ...PAGES.map((path) => ({ url: `${gatewayUrl}/${path}`, headers: {} })),
    ...LANGUAGE_IDS.flatMap((language) =>
      IN_EACH_LANGUAGE.map((path) => ({ url: `${gatewayUrl}/${path}`, headers: { 'accept-language': language } })),
    ),
    ...OF_THE_SIMULATOR.map((path) => ({ url: `${simulatorUrl}/__ui${path}`, headers: { cookie } })),
  ];
  const files = await Promise.all(
    wanted.map(async ({ url, headers }, index) => {
      const answer = await fetch(url, { headers });
      const text = await answer.text();
      if (!text.startsWith('<!doctype html>'))
        throw new Error(`${url} is no page: ${answer.status} ${text.slice(0, 200)}`);
      const file = join(folder, `${index}-${new URL(url).pathname.replaceAll(/\W/g, '-')}.html`);
      writeFileSync(file, text);
      return file;
    }),
  );
  const dashboard = join(folder, 'dashboard.html');
  writeFileSync(dashboard, readFileSync(join(import.meta.dirname, '../../../packages/dashboard/index.html')));
  return [...files, dashboard];
}
