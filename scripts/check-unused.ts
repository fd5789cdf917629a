import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Files, exports and dependencies that nothing uses; what is found some other way stands in knip.jsonc. */
const ROOT = join(import.meta.dirname, '..')
const KNIP = join(ROOT, 'node_modules', 'knip', 'bin', 'knip.js')

const { status } = spawnSync(process.execPath, [KNIP, '--no-progress'], {
  cwd: ROOT,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
