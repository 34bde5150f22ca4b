import { rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { busRows, impatientPipe } from './rows/bus.ts';
import { editedTemplate } from './support/assemblies.ts';
import { describeRows } from './support/describe-rows.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
describeRows('a pipe that gives up early', busRows, {
  async assembly() {
    const folder = await editedTemplate(impatientPipe);
    folders.push(folder);
    return folder;
  },
});
