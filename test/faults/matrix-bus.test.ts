import { rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { busRows, impatientTrigger } from './rows/bus.ts';
import { editedTemplate } from './support/assemblies.ts';
import { describeRows } from './support/describe-rows.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
describeRows('a trigger that gives up early', busRows, {
  async assembly() {
    const folder = await editedTemplate(impatientTrigger);
    folders.push(folder);
    return folder;
  },
});
