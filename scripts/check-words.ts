import { join } from 'node:path'
import { wordProblems } from './words.ts'

/** Fails when a text uses a word that docs/words forbids, or calls a thing by another name than the glossary does. */
const problems = wordProblems(join(import.meta.dirname, '..'))
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
