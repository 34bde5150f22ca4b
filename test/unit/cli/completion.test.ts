import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { completionScript } from '../../../packages/cli/commands/completion.ts';
import { makeProgram } from '../../../packages/cli/program.ts';

/** What bash offers at the end of the words. */
function offered(...words: string[]): string[] {
  const line = ['gateway', ...words].map((word) => `'${word}'`).join(' ');
  const script = `${completionScript(makeProgram(), 'bash')}
COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _gateway_completion; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc'], { input: script, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion in bash', () => {
  test('offers every command and the options that all of them take', () => {
    const some = ['connections', 'restore', 'verify', '--base-url', '--version'];
    expect(offered('')).toEqual(expect.arrayContaining(some));
  });

  test('offers the commands below a command, with options in between', () => {
    expect(offered('--json', 'data-keys', '--table', 'T', 're')).toEqual(['rewrite', 'retire']);
  });

  test('offers the options of a command and of those above it', () => {
    expect(offered('restore', '--in')).toEqual(['--into', '--integration', '--include-deleted', '--include-keys']);
    expect(offered('data-keys', 'rotate', '--tab')).toEqual(['--table']);
    expect(offered('data-keys', 'status', '--key')).toEqual(['--key-secret']);
  });
});

test('completion in fish names every command of the first level once', () => {
  const lines = completionScript(makeProgram(), 'fish').split('\n');
  for (const command of makeProgram().commands) {
    const named = `'__fish_use_subcommand' -f -a ${command.name()} `;
    expect(lines.filter((line) => line.includes(named))).toHaveLength(1);
  }
});

test('shows the options of every command in each command’s help', () => {
  const helps = (command: Command): string[] =>
    command.commands.length === 0 ? [command.helpInformation()] : command.commands.flatMap(helps);
  const all = makeProgram().commands.flatMap(helps);
  expect(all.length).toBeGreaterThan(30);
  for (const help of all) expect(help).toMatch(/Global Options:[\s\S]*--base-url[\s\S]*--json/);
});
