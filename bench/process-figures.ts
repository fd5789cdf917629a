import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Kernel ticks a second in /proc (sysconf(_SC_CLK_TCK)); 100 on every Linux in use. */
const TICKS_PER_SECOND = 100

/** Processor time of all threads of a process so far, in seconds; null where there is no /proc. */
export function cpuSeconds(pid: number): number | null {
  const text = readProc(pid, 'stat')
  if (text === null) return null
  // proc(5): fields 14 and 15 are utime and stime; the name in brackets may hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

export interface MemoryFigures {
  readonly residentMb: number
  /** The most it ever was; null where the system does not tell. */
  readonly peakMb: number | null
}

export function memoryOf(pid: number): MemoryFigures {
  const status = readProc(pid, 'status')
  if (status === null)
    return {
      residentMb:
        Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024,
      peakMb: null,
    }
  const kilobytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1])
  return { residentMb: kilobytes('VmRSS') / 1024, peakMb: kilobytes('VmHWM') / 1024 }
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}
