/** The oldest Nodes that the project takes: each runs npm with every command of CONTRIBUTING.md. */
import type { Opinion } from '../opinion.ts';
import { OWN_TESTS, verdictOfTests } from '../tests.ts';

export const commands: Opinion = {
  name: 'commands',
  judges: 'the commands of CONTRIBUTING.md on the oldest Nodes',
  ask: () => verdictOfTests('commands', [...OWN_TESTS, 'dev/second-opinions/commands/commands.test.ts']),
};
