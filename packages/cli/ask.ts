import { text as readAll } from 'node:stream/consumers';
import { confirm, isCancel, password } from '@clack/prompts';
import { CommandProblem, EXIT } from './problems.ts';

/**
 * Asks before an irreversible action.
 *
 * @throws CommandProblem when the answer is no, and without a terminal
 */
export async function mustConfirm(question: string, assumeYes: boolean): Promise<void> {
  if (assumeYes) return;
  if (!process.stdin.isTTY) throw new CommandProblem(`${question} Add --yes to skip this question.`);
  const answer = await confirm({ message: question, initialValue: false });
  if (isCancel(answer) || !answer) throw new CommandProblem('Nothing was changed.', EXIT.refused);
}

/**
 * A secret that must not stand among the arguments: typed without being shown, or one line of standard input.
 *
 * @throws CommandProblem when there is none
 */
export async function askSecret(what: string): Promise<string> {
  if (process.stdin.isTTY) {
    const answer = await password({ message: what });
    if (isCancel(answer)) throw new CommandProblem('Nothing was changed.', EXIT.refused);
    return answer.trim();
  }
  const given = (await readAll(process.stdin)).trim();
  if (given === '')
    throw new CommandProblem(`${what}: send it on standard input, or run this in a terminal to type it.`);
  return given;
}
