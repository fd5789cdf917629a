/** Runs at most `jobs` tasks at once; up to `waiting` more stand in line. */
export type DrawingQueue = {
  /** Null, without starting anything, when the line is full. */
  run<T>(task: () => Promise<T>): Promise<T> | null
}

export function createDrawingQueue(limits: { jobs: number; waiting: number }): DrawingQueue {
  let running = 0
  const line: (() => void)[] = []

  const leave = () => {
    running -= 1
    line.shift()?.()
  }

  return {
    run(task) {
      if (running >= limits.jobs && line.length >= limits.waiting) return null
      return new Promise((resolve, reject) => {
        const start = () => {
          running += 1
          task().then(resolve, reject).finally(leave)
        }
        if (running < limits.jobs) start()
        else line.push(start)
      })
    },
  }
}
