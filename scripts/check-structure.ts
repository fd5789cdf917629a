import { join } from 'node:path'
import { checkStructure } from './structure.ts'

const problems = checkStructure(join(import.meta.dirname, '..', 'src'))
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
