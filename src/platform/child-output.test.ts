import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const from = (file: string) => JSON.stringify(join(import.meta.dirname, file))

/** Starts children while it talks, as the supervisor does, and tells over the channel when it has said more than a pipe holds. */
const PARENT = `
import { spawn } from 'node:child_process'
const { surviveOutput } = await import(${from('output.ts')})
const { passOn } = await import(${from('child-output.ts')})
surviveOutput()
process.on('message', () => process.exit(7))
for (let started = 0; started < 3; started += 1) {
  const child = spawn(process.execPath, ['--eval', 'console.log("a line of a child"); console.error("and its error")'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  passOn(child)
  for (let line = 0; line < 100; line += 1) process.stdout.write('x'.repeat(1000) + '\\n')
  await new Promise((resolve) => child.once('close', resolve))
  for (let line = 0; line < 100; line += 1) process.stdout.write('x'.repeat(1000) + '\\n')
}
process.send('said')`

function parent(program = PARENT) {
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

test('a reader that stands still holds nobody who starts children, and hears them when it reads on', async () => {
  const child = parent()
  child.stdout?.pause()
  await once(child, 'message')
  let said = ''
  child.stdout?.on('data', (chunk) => (said += String(chunk)))
  child.stdout?.resume()
  await expect.poll(() => said.match(/^a line of a child$/gm)?.length, { timeout: 60_000 }).toBe(3)
  child.send('end')
  expect((await once(child, 'exit'))[0]).toBe(7)
})

test('lines of several children do not mix, and the last one needs no end', async () => {
  const child = parent(`
import { spawn } from 'node:child_process'
const { passOn } = await import(${from('child-output.ts')})
const say = (letter) => 'for (let n = 0; n < 50; n += 1) process.stdout.write("' + letter + '".repeat(3000) + "\\\\n"); process.stdout.write("' + letter + ' is done")'
for (const letter of ['a', 'b', 'c']) {
  passOn(spawn(process.execPath, ['--eval', say(letter)], { stdio: ['ignore', 'pipe', 'pipe'] }))
}`)
  let said = ''
  child.stdout?.on('data', (chunk) => (said += String(chunk)))
  await once(child, 'close')
  for (const letter of ['a', 'b', 'c']) {
    expect(said.split(letter.repeat(3000)).length - 1).toBe(50)
    expect(said).toContain(`${letter} is done`)
  }
})
