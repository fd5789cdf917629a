import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** What came of one part of a run; the same part is not run again when the run is resumed. */
export interface Done {
  readonly part: string
  readonly report: object
  readonly faults: readonly string[]
  readonly seconds: number
}

interface Head {
  readonly seed: number
  readonly options: string
}

/** What has been done of a run, in a file where there is one. */
export interface Progress {
  readonly seed: number
  readonly done: ReadonlyMap<string, Done>
  readonly note: (done: Done) => void
}

/** Takes up the run of a file, or begins one in it. @param head of a new run; the seed of one that is taken up is its own */
export function openProgress(file: string | undefined, head: Head): Progress {
  const [first, ...rest] = file && existsSync(file) ? linesOf(file) : []
  const begun = first as Head | undefined
  if (begun && begun.options !== head.options)
    throw new Error(`${file} is of a run with ${begun.options}, not with ${head.options}`)
  if (file && begun && !readFileSync(file, 'utf8').endsWith('\n')) appendFileSync(file, '\n')
  if (file && !begun) appendFileSync(file, `${JSON.stringify(head)}\n`)
  const done = new Map((rest as Done[]).map((entry) => [entry.part, entry]))
  return {
    seed: begun?.seed ?? head.seed,
    done,
    note: (entry) => {
      done.set(entry.part, entry)
      if (file) appendFileSync(file, `${JSON.stringify(entry)}\n`)
    },
  }
}

/** The last line may have been cut off. */
function linesOf(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as unknown]
      } catch {
        return []
      }
    })
}
