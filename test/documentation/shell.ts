export interface ShellCommand {
  readonly settings: readonly string[]
  readonly program: string
  readonly words: readonly string[]
}

/** The commands of a script, as the pages write them: words, quotes, `&&`, comments and pipes. */
export function commandsOf(script: string): readonly ShellCommand[] {
  const words = [
    ...script.matchAll(/[^\S\n]*(\n|&&|\||#[^\n]*|(?:"[^"]*"|'[^']*'|[^\s"'|])+)/g),
  ].map(([, word = '']) => word)
  const commands: string[][] = [[]]
  for (const word of words)
    if (word === '\n' || word === '&&' || word.startsWith('#')) commands.push([])
    else commands.at(-1)?.push(word)
  return commands
    .filter((command) => command.length > 0)
    .map((command) => {
      const at = command.findIndex((word) => !/^[A-Z_]+=/.test(word))
      // What a pipe leads to is of the machine.
      const end = command.includes('|') ? command.indexOf('|') : command.length
      return {
        settings: command.slice(0, at),
        program: command[at] ?? '',
        words: command.slice(at + 1, end).map(unquoted),
      }
    })
}

export const unquoted = (word: string) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2')
