import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#platform/project.ts'
import { PACE } from './pace.ts'
import type { Result } from './perform.ts'

const FILE = join(PROJECT_ROOT, 'docs', 'operating', 'owner-tasks.md')

/** Says in docs/operating/owner-tasks.md what each task took. */
export function writePage(results: readonly Result[]): void {
  writeFileSync(FILE, pageOf(results))
}

function pageOf(results: readonly Result[]): string {
  const hard = results.filter(({ task }) => task.hard !== undefined)
  const sum = (of: (result: Result) => number) => results.reduce((all, one) => all + of(one), 0)
  return `# ${results.length} tasks of an owner

What somebody who runs a shop wants of a day, each done from the console's home in a browser and through the console alone. Written by

    npm run test:owner -- --write

which builds and starts a demo shop of its own, does every task in Chromium at 1440 by 900, counts, and looks where it counts: in the
shop's page, in the mail, in the file. A task whose end is not seen fails. \`npm run test:owner\` does the same without writing; names of
tasks (first column) do those alone.

Seconds of a person are the keystroke-level model's (Card, Moran and Newell, [CACM 23 (7), 1980](https://doi.org/10.1145/358886.358895)):
${PACE.key} s a key or a press of the mouse's button, ${PACE.point} s to point, ${PACE.home} s to bring the hand from mouse to keys, ${PACE.think} s to think and look before each step; what an
effect or a fault says is read at ${PACE.wordsPerMinute} words a minute ([Brysbaert 2019](https://doi.org/10.1016/j.jml.2019.104047)). They are those of somebody who knows the way, and make no errors: whoever looks
for it takes longer. Seconds of the machine run from home to the end that is seen, without a person's: answers, the worker's turns, and
the look in the shop; two processors that others use as well. Presses are of the mouse and of keys that command; fields are those filled or chosen.

| task | way | presses | fields | letters | pages | s, person | s, machine | ends |
|---|---|---|---|---|---|---|---|---|
${results.map(rowOf).join('\n')}
| **together** | | ${sum((one) => one.counted.presses)} | ${sum((one) => one.counted.fields)} | ${sum((one) => one.counted.letters)} | ${sum((one) => one.counted.pages)} | ${sum((one) => Math.round(one.counted.personSeconds))} | ${sum((one) => Math.round(one.machineSeconds))} | |

## What is hard about them
${hard.map(({ task }) => `- **${task.title}** (\`${task.name}\`): ${task.hard}`).join('\n')}
`
}

function rowOf({ task, counted, machineSeconds }: Result): string {
  return `| \`${task.name}\`: ${task.title} | ${task.way} | ${counted.presses} | ${counted.fields} | ${counted.letters} | ${counted.pages} | ${Math.round(counted.personSeconds)} | ${Math.round(machineSeconds)} | ${task.ends} |`
}
