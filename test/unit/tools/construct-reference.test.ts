import { expect, test } from 'vitest';
import { constructPage, declarationsIn } from '../../../dev/tools/construct-reference.ts';
import * as construct from '../../../lib/index.ts';

test('the reference of the construct package has a section for each class that declares, with its methods', () => {
  const page = constructPage();
  for (const name of Object.keys(construct).filter((one) => /^(Gateway|DeclaringGateway|IntegrationGateway)/.test(one)))
    expect(page).toContain(`\n## ${name}\n`);
  for (const method of ['addIntegration', 'addWebhook', 'addKey', 'addFeed', 'static fromAttributes', 'grantCall'])
    expect(page).toContain(`| \`${method}()\` |`);
  expect(page).not.toMatch(/_callerOf|constructor/);
});

test('the reference shows the default of an optional property, and refuses one that states none', () => {
  const source = (comment: string) =>
    `/** A thing. */\nexport interface Thing {\n  ${comment}\n  readonly size?: number;\n}\n`;
  expect(declarationsIn(source('/** Its size. @default - as large as needed */'))).toEqual([
    {
      ...{ kind: 'interface', name: 'Thing', text: 'A thing.', default: undefined },
      members: [{ name: 'size', type: 'number', text: 'Its size.', default: 'as large as needed' }],
    },
  ]);
  expect(() => declarationsIn(source('/** Its size. */'))).toThrow('Thing.size is optional without @default');
});
