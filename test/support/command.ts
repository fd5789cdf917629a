import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#platform/project.ts'

export interface CommandResult {
  readonly code: number | null
  readonly out: string
  readonly complaint: string
}

/** A command in a process of its own, as people and scripts run it: it knows the environment given and nothing of the test's. */
export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'src/cli.ts'), ...args], {
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, complaint]: [string[], string[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => complaint.push(chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out: out.join(''), complaint: complaint.join('') }
}
