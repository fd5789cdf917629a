import { join } from 'node:path'
import { problemsOf, sourcesOf } from './asvs.ts'

/** Fails when the table of ASVS 5.0 lacks a requirement of levels 1 and 2, or names a test that is not there. */
const problems = problemsOf(sourcesOf(join(import.meta.dirname, '..')))
for (const problem of problems) process.stderr.write(`docs/security/asvs.md: ${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
