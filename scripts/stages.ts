/** `lastWords`: how the stage's own output ended. */
export type StageOutcome = Readonly<{ isGood: boolean; lastWords: string }>
export type Stage = Readonly<{
  name: string
  /** Run for a night, or when it is asked for by its name. */
  isLong?: boolean
  run(): Promise<StageOutcome>
}>

/** Without names, all stages; those of a night only then. */
export type Asked = Readonly<{ names: readonly string[]; isLong: boolean }>

/**
 * Runs the stages asked for, or all of them, and tells at the end how each went: one that fails stops no other, and what it said
 * last is said again, as thousands of lines of later stages stand between. Answers the exit code; the last line says how it went.
 */
export async function runStages(
  stages: readonly Stage[],
  { names, isLong }: Asked,
  say: (line: string) => void,
): Promise<number> {
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name))
  if (unknown.length > 0) {
    const known = stages.map(({ name }) => name).join(', ')
    say(`Unknown stage ${unknown.join(', ')}; there are ${known}.`)
    return 2
  }
  const passed: string[] = []
  const failed: string[] = []
  const lastWords: string[] = []
  const isAsked = (stage: Stage) =>
    names.length > 0 ? names.includes(stage.name) : isLong || stage.isLong !== true
  for (const { name, run } of stages.filter(isAsked)) {
    say(`=== ${name}`)
    const began = performance.now()
    const outcome = await run()
    const into = outcome.isGood ? passed : failed
    into.push(`${name} ${Math.round((performance.now() - began) / 1000)} s`)
    if (!outcome.isGood) lastWords.push(`=== ${name} failed, and said last:\n${outcome.lastWords}`)
  }
  for (const words of lastWords) say(words)
  const others = passed.length > 0 ? ` Passed: ${passed.join(', ')}.` : ''
  say(
    failed.length === 0
      ? `All tests passed: ${passed.join(', ')}.`
      : `Tests failed: ${failed.join(', ')}.${others}`,
  )
  return failed.length === 0 ? 0 : 1
}
