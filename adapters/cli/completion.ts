import type { Command, Option } from 'commander';
import { EXPORT_OPTION_NAMES, exportOptionRow } from '#domain/exports/export-options.js';
import { publishedNames, SETTING_NAMES } from '#domain/presets/settings.js';
import { toFlag } from './setting-options.js';

export type Shell = 'bash' | 'zsh' | 'fish';

interface CompletedOption {
  readonly flags: readonly string[];
  readonly meaning: string;
  /** What may follow it; empty where anything may, undefined where nothing does. */
  readonly values: readonly string[] | undefined;
}

interface CompletedCommand {
  /** `keys create` */
  readonly words: string;
  readonly meaning: string;
  readonly options: readonly CompletedOption[];
  readonly subcommands: readonly string[];
}

/** The values of every option that has a choice of them, by its flag. */
const CHOICES: ReadonlyMap<string, readonly string[]> = new Map([
  ...EXPORT_OPTION_NAMES.flatMap((name) => {
    const row = exportOptionRow(name);
    return row.type === 'enum' ? [[toFlag(name), row.values] as const] : [];
  }),
  ...SETTING_NAMES.flatMap((setting) =>
    publishedNames(setting).flatMap(({ name, row }) =>
      row.type === 'enum' || row.type === 'list' ? [[toFlag(name), row.values] as const] : [],
    ),
  ),
]);

const toCompleted = (option: Option): CompletedOption => ({
  flags: [option.short, option.long].filter((flag): flag is string => typeof flag === 'string'),
  meaning: option.description,
  values: option.required || option.optional ? (CHOICES.get(option.long ?? '') ?? []) : undefined,
});

function commandsOf(command: Command, words = ''): readonly CompletedCommand[] {
  const own: CompletedCommand = {
    words,
    meaning: command.description(),
    options: command.options.map(toCompleted),
    subcommands: command.commands.map((sub) => sub.name()),
  };
  return [own, ...command.commands.flatMap((sub) => commandsOf(sub, `${words} ${sub.name()}`.trim()))];
}

const single = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ words, options, subcommands }) => {
    const offered = [...subcommands, ...options.flatMap(({ flags }) => flags), '--help'].join(' ');
    return `    ${single(words)}) offered=${single(offered)} ;;`;
  });
  const values = new Map<string, string>();
  for (const { options } of commands)
    for (const { flags, values: choice } of options)
      if (choice !== undefined) for (const flag of flags) values.set(flag, choice.join(' '));
  const choices = [...values].map(([flag, choice]) =>
    choice === ''
      ? `    ${flag}) COMPREPLY=($(compgen -f -- "$current")); return ;;`
      : `    ${flag}) COMPREPLY=($(compgen -W ${single(choice)} -- "$current")); return ;;`,
  );
  const known = commands.filter(({ words }) => words !== '').map(({ words }) => single(words));
  return `# bash completion of burin; made by: burin completion bash
_burin() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" named='' offered='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "\${named:+$named }$word" in
      ${known.join(' | ')}) named="\${named:+$named }$word" ;;
    esac
  done
  case "$previous" in
${choices.join('\n')}
  esac
  case "$named" in
${cases.join('\n')}
  esac
  if [[ "$current" == -* || -z "$named" ]]; then
    COMPREPLY=($(compgen -W "$offered" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$offered" -- "$current") $(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _burin burin
`;
}

/** A text in one of zsh's own descriptions: brackets and colons end it. */
const described = (text: string) => text.replaceAll('[', '(').replaceAll(']', ')').replaceAll(':', ';');

function zsh(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ words, options, subcommands }) => {
    const args = options.map(({ flags, meaning, values }) => {
      const value = values === undefined ? '' : `:value:${values.length === 0 ? '_files' : `(${values.join(' ')})`}`;
      const name = flags.length > 1 ? `{${flags.join(',')}}` : (flags[0] as string);
      return `'*'${name}${single(`[${described(meaning)}]${value}`)}`;
    });
    const rest = subcommands.length > 0 ? single(`1:command:(${subcommands.join(' ')})`) : "'*:file:_files'";
    return `    ${single(words)}) _arguments ${[...args, rest].join(' \\\n      ')} ;;`;
  });
  const known = commands.filter(({ words }) => words !== '').map(({ words }) => single(words));
  return `#compdef burin
# zsh completion of burin; made by: burin completion zsh
_burin() {
  local named='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${named:+$named }$word" in
      ${known.join(' | ')}) named="\${named:+$named }$word" ;;
    esac
  done
  local -a parts=(\${=named})
  local -i depth=$#parts
  words=("\${words[1]}" "\${(@)words[2+depth,-1]}")
  (( CURRENT -= depth ))
  case "$named" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_burin" ]; then _burin "$@"; else compdef _burin burin; fi
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ words, options, subcommands }) => {
    const parts = words === '' ? [] : words.split(' ');
    const seen = parts.map((part) => `__fish_seen_subcommand_from ${part}`);
    const condition = (extra: readonly string[] = []) =>
      single([...(seen.length === 0 ? ['__fish_use_subcommand'] : seen), ...extra].join('; and '));
    const subs = subcommands.map((name) => {
      const meaning = commands.find((command) => command.words === [...parts, name].join(' '))?.meaning ?? '';
      const none = parts.length === 0 ? [] : [`not __fish_seen_subcommand_from ${subcommands.join(' ')}`];
      return `complete -c burin -f -n ${condition(none)} -a ${name} -d ${single(meaning)}`;
    });
    const flags = options.map(({ flags: names, meaning, values }) => {
      const given = names.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
      const value = values === undefined ? '' : values.length === 0 ? ' -r' : ` -x -a ${single(values.join(' '))}`;
      return `complete -c burin -n ${condition()} ${given.join(' ')}${value} -d ${single(meaning)}`;
    });
    return [...subs, ...flags];
  });
  return `# fish completion of burin; made by: burin completion fish\n${lines.join('\n')}\n`;
}

const SCRIPTS: Readonly<Record<Shell, (commands: readonly CompletedCommand[]) => string>> = { bash, zsh, fish };

/** What the shell reads to complete every command, option and value that the program has. */
export const completionScript = (shell: Shell, program: Command): string => SCRIPTS[shell](commandsOf(program));
