import { rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { busRows, impatientPipe } from './rows/bus.ts';
import { editedTemplate } from './support/assemblies.ts';
import { describeRows } from './support/describe-rows.ts';

const assemblyFolder = await editedTemplate(impatientPipe);
afterAll(() => rmSync(assemblyFolder, { recursive: true }));
describeRows('a pipe that gives up early', busRows, { assemblyFolder });
