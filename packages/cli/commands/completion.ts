import { Argument, type Command } from 'commander';
import { printLine } from '../output.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const HELP = `
  bash   source <(gateway completion bash)         in ~/.bashrc
  zsh    source <(gateway completion zsh)          in ~/.zshrc, after compinit
  fish   gateway completion fish | source          in ~/.config/fish/config.fish`;

/** `completion`: a script with which a shell completes commands and options. */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('prints a script with which the shell completes commands and options')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell) => printLine(completionScript(program, shell)));
}

/** A command by its words after the program's name, what may follow it, and its words for people. */
interface Place {
  readonly path: string;
  readonly commands: readonly Command[];
  readonly options: readonly string[];
}

/**
 * The script for a shell. Everything is in it: completing starts no Node.
 * @param program the whole command line
 */
export function completionScript(program: Command, shell: Shell): string {
  return shell === 'fish' ? fishScript(program) : bashScript(program, shell);
}

function placesOf(command: Command, path: readonly string[] = [], inherited: readonly string[] = []): Place[] {
  const own = command.options.flatMap(({ long, hidden }) => (long == null || hidden ? [] : [long]));
  const options = [...new Set([...own, ...inherited, '--help'])];
  return [
    { path: path.join(' '), commands: command.commands, options },
    ...command.commands.flatMap((sub) => placesOf(sub, [...path, sub.name()], own.concat(inherited))),
  ];
}

function bashScript(program: Command, shell: 'bash' | 'zsh'): string {
  const places = placesOf(program);
  const rows = places.map(({ path, commands, options }) => {
    const words = [...commands.map((sub) => sub.name()), ...options].join(' ');
    return `    '${path}') words='${words}' ;;`;
  });
  const paths = places.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`])).join('|');
  return `${shell === 'zsh' ? 'autoload -U bashcompinit && bashcompinit\n' : ''}_gateway_completion() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place='' word words='' index
  for ((index = 1; index < COMP_CWORD; index += 1)); do
    word="\${place:+$place }\${COMP_WORDS[index]}"
    case "$word" in ${paths}) place="$word" ;; esac
  done
  case "$place" in
${rows.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _gateway_completion gateway`;
}

function fishScript(program: Command): string {
  const lines = placesOf(program).flatMap(({ path, commands, options }) => {
    const at = path === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`;
    return [
      ...commands.map((sub) => `complete -c gateway -n '${at}' -f -a ${sub.name()} -d ${quoted(sub.description())}`),
      ...options.map((option) => `complete -c gateway -n '${at}' -l ${option.slice(2)}`),
    ];
  });
  return lines.join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '')}'`;
}
