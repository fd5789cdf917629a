export type Stage = Readonly<{ name: string; run(): boolean }>

/**
 * Runs the stages asked for, or all of them, and tells at the end how each went: one that fails stops no other. Answers the exit
 * code; the last line says how it went.
 */
export function runStages(
  stages: readonly Stage[],
  names: readonly string[],
  say: (line: string) => void,
): number {
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name))
  if (unknown.length > 0) {
    const known = stages.map(({ name }) => name).join(', ')
    say(`Unknown stage ${unknown.join(', ')}; there are ${known}.`)
    return 2
  }
  const passed: string[] = []
  const failed: string[] = []
  for (const { name, run } of stages) {
    if (names.length > 0 && !names.includes(name)) continue
    say(`=== ${name}`)
    const began = performance.now()
    const into = run() ? passed : failed
    into.push(`${name} ${Math.round((performance.now() - began) / 1000)} s`)
  }
  const others = passed.length > 0 ? ` Passed: ${passed.join(', ')}.` : ''
  say(
    failed.length === 0
      ? `All tests passed: ${passed.join(', ')}.`
      : `Tests failed: ${failed.join(', ')}.${others}`,
  )
  return failed.length === 0 ? 0 : 1
}
