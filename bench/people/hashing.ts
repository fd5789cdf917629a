import { hashPassword } from '#platform/password-hash.ts'
import { median } from '../median.ts'

export interface HashingFigures {
  /** Milliseconds, one at a time. */
  readonly ms: number
  /** Of the hash: "argon2id, 19 MiB, 2 passes, 1 lane". */
  readonly parameters: string
}

const TIMES = 25

export async function measureHashing(): Promise<HashingFigures> {
  const times: number[] = []
  const hash = await hashPassword('Warm4Up')
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now()
    await hashPassword('Kelapa7Muda')
    times.push(performance.now() - began)
  }
  return { ms: median(times), parameters: parametersOf(hash) }
}

/** Hashes a second, with the shop's own limit on how many run at the same time: what sign-ins cannot exceed. */
export async function hashesPerSecond(seconds: number): Promise<number> {
  const began = performance.now()
  let count = 0
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (; performance.now() - began < seconds * 1000; count += 1)
        await hashPassword('Kelapa7Muda')
    }),
  )
  return (count * 1000) / (performance.now() - began)
}

/** From the PHC text: "$argon2id$v=19$m=19456,t=2,p=1$…". */
function parametersOf(hash: string): string {
  const [, algorithm, memory, passes, lanes] =
    /^\$(\w+)\$v=\d+\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(hash) ?? []
  return `${algorithm}, ${Number(memory) / 1024} MiB, ${passes} passes, ${lanes} ${lanes === '1' ? 'lane' : 'lanes'}`
}
