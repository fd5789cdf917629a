import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Whether this process may install Debian's packages. */
export function isDebianRoot(): boolean {
  return (
    process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get')
  )
}

/** Installs them with apt-get; says so, and says what apt-get said when it fails. */
export function installPackages(packages: readonly string[], purpose: string): void {
  process.stdout.write(`Installing ${packages.join(', ')} for ${purpose}.\n`)
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const run = spawnSync('apt-get', ['-q', ...args], {
      encoding: 'utf8',
      env: environment,
      maxBuffer: 64 * 1024 * 1024,
    })
    if (run.status === 0) continue
    process.stderr.write(`${run.stdout}${run.stderr}apt-get ${args[0]} failed.\n`)
    return
  }
}
