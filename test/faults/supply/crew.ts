import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#platform/project.ts'
import type { Chance } from '../chance.ts'
import type { FromWorker, Heard, ToWorker, WorkerSettings } from './messages.ts'

/** Who answers the calls of workers, in their own process or behind sockets. */
export interface Answering {
  readonly take: (supplier: string, body: string, worker: string) => Heard
  readonly lose: (supplier: string, body: string) => void
}

export interface Crew {
  /** Every worker does everything that is due; those that are killed meanwhile have successors that do. */
  readonly turn: (aheadMs: number) => Promise<void>
  /** Workers that died in the last turn. */
  readonly dead: () => ReadonlySet<string>
  readonly figures: () => { readonly calls: number; readonly kills: number; readonly races: number }
  readonly faults: readonly string[]
  readonly stop: () => Promise<void>
}

interface Member {
  readonly name: string
  readonly child: ChildProcess
  /** Turns and races it has not ended, its start among them. */
  busy: number
  isReady: boolean
}

interface Options {
  readonly settings: WorkerSettings
  readonly chance: Chance
  /** Kills between the sending of a purchase and the storing of what came of it, over so many calls. */
  readonly kills: number
  readonly calls: number
  /** Null where suppliers answer behind sockets. */
  readonly answering: Answering | null
}

const WORKERS = 2
const WORKER = join(PROJECT_ROOT, 'test/faults/supply/worker.ts')

/** Two workers at a time, killed (`SIGKILL`) as a call leaves them, before its answer, or as the answer comes. */
export async function startCrew({
  settings,
  chance,
  kills,
  calls,
  answering,
}: Options): Promise<Crew> {
  const doomed = new Set<number>()
  while (doomed.size < kills) doomed.add(1 + chance.below(calls))
  const members: Member[] = []
  const faults: string[] = []
  const dead = new Set<string>()
  const counted = { calls: 0, kills: 0, races: 0, started: 0 }
  let aheadMs = 0
  let heard = Promise.withResolvers<void>()
  const send = (member: Member, message: ToWorker) => {
    if (message.kind !== 'heard') member.busy += 1
    member.child.send(message, () => {})
  }
  const kill = (member: Member) => {
    counted.kills += 1
    dead.add(member.name)
    members.splice(members.indexOf(member), 1)
    member.child.kill('SIGKILL')
    // Its successor goes on at once with what it has left.
    start()
  }
  const onCall = (member: Member, call: Extract<FromWorker, { kind: 'call' }>) => {
    counted.calls += 1
    const isDoomed = doomed.has(counted.calls)
    if (!answering) {
      if (isDoomed) kill(member)
      return
    }
    const way = isDoomed ? chance.pick(['before', 'between', 'after'] as const) : null
    if (way === 'before') {
      answering.lose(call.supplier, call.body)
      return kill(member)
    }
    const answer = answering.take(call.supplier, call.body, member.name)
    if (way !== 'between') send(member, { kind: 'heard', id: call.id, heard: answer })
    if (way !== null) kill(member)
  }
  const onMessage = (member: Member, message: FromWorker) => {
    if (!members.includes(member)) return
    switch (message.kind) {
      case 'ready':
        member.isReady = true
        send(member, { kind: 'turn', aheadMs })
        member.busy -= 1
        return
      case 'call':
        return onCall(member, message)
      case 'called':
        return
      case 'took': {
        const other = members.find((each) => each !== member && each.isReady)
        if (!other) return
        counted.races += 1
        const { supplier, unit } = message
        return send(other, { kind: 'race', supplier, unit })
      }
      case 'over':
        member.busy -= 1
        return heard.resolve()
      case 'fault':
        return void faults.push(message.text)
      default:
        return message satisfies never
    }
  }
  function start(): void {
    const child = fork(WORKER, [JSON.stringify(settings)])
    const member: Member = {
      name: `worker ${(counted.started += 1)}`,
      child,
      busy: 1,
      isReady: false,
    }
    members.push(member)
    child.on('message', (message: FromWorker) => onMessage(member, message))
    child.once('exit', (code) => {
      if (!members.includes(member)) return
      faults.push(`${member.name} ended by itself with ${code}`)
      kill(member)
    })
  }
  const isOver = () => members.every(({ busy }) => busy === 0)
  const settled = async () => {
    while (!isOver()) {
      heard = Promise.withResolvers()
      await heard.promise
    }
  }
  for (let count = 0; count < WORKERS; count += 1) start()
  await settled()
  return {
    faults,
    dead: () => dead,
    figures: () => ({ calls: counted.calls, kills: counted.kills, races: counted.races }),
    async turn(ahead) {
      aheadMs = ahead
      dead.clear()
      for (const member of members) send(member, { kind: 'turn', aheadMs })
      await settled()
    },
    async stop() {
      const leaving = members.splice(0)
      for (const { child } of leaving) {
        const gone = once(child, 'exit')
        child.disconnect()
        await gone
      }
    },
  }
}
