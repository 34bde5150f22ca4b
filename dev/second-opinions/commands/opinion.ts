/** The oldest Nodes that the project takes: each runs npm with every command of CONTRIBUTING.md. */
import { lowestNodes } from '../../tools/release/launcher.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { nodeProgram } from '../packages/nodes.ts';
import { verdictOfTests } from '../tests.ts';

const TESTS = ['--project', 'unit', 'test/unit/tools/contributing.test.ts'];

export const commands: Opinion = {
  name: 'commands',
  judges: 'the commands of CONTRIBUTING.md on the oldest Nodes',
  async ask() {
    const verdicts: Verdict[] = [];
    for (const version of lowestNodes('.')) {
      verdicts.push(await verdictOfTests('commands', TESTS, { READERS_NODE: await nodeProgram(version) }));
    }
    return {
      passed: verdicts.reduce((sum, { passed }) => sum + passed, 0),
      failures: verdicts.flatMap(({ failures }) => failures),
    };
  },
};
