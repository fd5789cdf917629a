import { join } from 'node:path'
import { checkLengths, checkStructure } from './structure.ts'

const root = join(import.meta.dirname, '..')
const problems = [
  ...checkStructure(join(root, 'src')),
  ...['test', 'bench', 'scripts'].flatMap((folder) => checkLengths(join(root, folder))),
]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
