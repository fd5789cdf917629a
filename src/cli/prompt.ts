import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Asks for a password at the terminal, without showing it; null where there is no terminal to ask at. */
export async function askSecret(question: string): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null
  process.stderr.write(`${question}: `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await new Promise<string | null>((resolve) => {
      terminal.once('line', resolve)
      terminal.once('SIGINT', () => resolve(null))
      terminal.once('close', () => resolve(null))
    })
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
