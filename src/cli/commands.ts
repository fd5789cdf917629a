import type { OperatorCtx } from '#features/team/operator/commands.ts'
import type { Permission } from '#features/team/operator/rules.ts'

/** What a command does with its positional arguments and options, in the order given; resolves to its exit code, throws a refusal for what the operator can set right. */
export type Run = (args: readonly string[]) => Promise<number>

/** The same for somebody who has proved to be an operator. */
export type OperatorRun = (ctx: OperatorCtx, args: readonly string[]) => Promise<number>

type Described = Readonly<{
  name: string
  /** Names of its positional arguments, as `<folder>`. */
  parameters: readonly string[]
  /** Options that must be given, as `--reason <code>`. */
  needed?: readonly string[]
  /** Options it knows beside those, as `--dry-run`, or with what follows them, as `--as <name>`. */
  options?: readonly string[]
  summary: string
  description: string
}>

/** For whoever may run programs on the shop's machine: it starts, checks or copies, and decides nothing about orders, goods or money. */
export type TechnicalCommand = Described & Readonly<{ load(): Promise<Run> }>

/** For an operator whose role has the permission; null for what every operator may do. */
export type OperatorCommand = Described &
  Readonly<{ permission: Permission | null; act(): Promise<OperatorRun> }>

export type Command = TechnicalCommand | OperatorCommand

/** How an operator says who they are; every command of theirs knows these. */
export const PROOF_OPTIONS = ['--as <name>', '--token-file <file>']

export function optionsOf(command: Command): readonly string[] {
  const own = [...(command.needed ?? []), ...(command.options ?? [])]
  return 'act' in command ? [...own, ...PROOF_OPTIONS] : own
}

/** What was given with an option that takes something; null when it was not given. */
export function optionOf(args: readonly string[], option: string): string | null {
  return args.find((arg) => arg.startsWith(`${option}=`))?.slice(option.length + 1) ?? null
}
