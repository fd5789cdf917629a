import { join } from 'node:path'
import { checkTableWriters } from './table-writers.ts'

const problems = checkTableWriters(join(import.meta.dirname, '..'))
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
