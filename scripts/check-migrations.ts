import { join } from 'node:path'
import { checkSchema, earlierOf } from './migrations.ts'

const root = join(import.meta.dirname, '..')
const problems = checkSchema(root, earlierOf(root))
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
