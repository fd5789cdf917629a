import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { present } from '#kernel/assert.ts'
import { refusal } from './refusal.ts'

export interface LocalAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface LocalCall {
  /** "/read/avatar" */
  readonly path: string
  readonly body: Buffer
}

/** What a process is asked to see whether it answers at all. */
export const ALIVE_PATH = '/alive'

/** The process on the other side is not there, or went away before it answered. */
export class ServiceGone extends Error {
  /** Whether it had taken the call: that may be what ended it. */
  readonly hadTaken: boolean

  constructor(socket: string, hadTaken: boolean, cause: unknown) {
    super(`${socket}: ${String(cause)}`, { cause })
    this.hadTaken = hadTaken
  }
}

/** What the kernel takes as the address of a unix socket, with room for its end (unix(7)). */
const ADDRESS_MAX_BYTES = 100
const BODY_MAX_BYTES = 16 * 1024 * 1024
const RETRY_MS = 50

/**
 * Where one of this shop's processes listens for its others: a socket that this user alone may use, in the data directory, or where that
 * has too long a name, in a folder of this user's own among the temporary ones.
 */
export function socketOf(dataDirectory: string, name: string): string {
  const usual = join(dataDirectory, 'run', `${name}.sock`)
  if (Buffer.byteLength(usual) <= ADDRESS_MAX_BYTES) return usual
  const mark = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)
  return join(tmpdir(), `lukado-${process.getuid?.() ?? 0}-${mark}`, `${name}.sock`)
}

/** Where a process that `start` started listens itself; reading the whole configuration would make it half as large again. */
export function ownSocket(name: string): string {
  return socketOf(present(process.env.DATA_DIR, 'DATA_DIR'), name)
}

/** Serves calls of processes on this machine, over a socket that only this user may open. */
export async function serveLocally(
  socket: string,
  answer: (call: LocalCall) => Promise<LocalAnswer>,
): Promise<Server> {
  const folder = dirname(socket)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(folder)
  if (uid !== process.getuid?.()) throw refusal(`${folder} belongs to another user.`)
  rmSync(socket, { force: true })
  const server = createServer({ keepAliveTimeout: 1, requestTimeout: 30_000 }, (req, res) => {
    res.setHeader('connection', 'close')
    readWhole(req)
      .then((body) => answer({ path: req.url ?? '/', body }))
      .catch((error: unknown) => failed(error))
      .then(({ status, headers, body }) => {
        res.writeHead(status, { ...headers, 'content-length': body.length })
        res.end(body)
      })
      .catch(() => res.destroy())
  })
  // The socket is born with its mode: nobody gets a moment before it is closed to them.
  const before = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(socket, resolve)
    })
  } finally {
    process.umask(before)
  }
  return server
}

function failed(error: unknown): LocalAnswer {
  const text = error instanceof Error ? error.message : String(error)
  return { status: 500, headers: {}, body: Buffer.from(text) }
}

export interface AskOptions {
  /** For the whole call. */
  readonly timeoutMs: number
  /** While nobody takes the call: the process is just being started. */
  readonly connectMs: number
  /** Asked so often when the process goes away over it. */
  readonly tries: number
}

/** Asks a process of this machine. Throws ServiceGone when there is none, or it ends or keeps silent over this call. */
export async function askLocally(
  socket: string,
  path: string,
  body: Uint8Array | string,
  { timeoutMs, connectMs, tries }: AskOptions,
): Promise<LocalAnswer> {
  const until = performance.now() + connectMs
  for (let left = tries; ; ) {
    const asked = await askOnce(socket, path, body, timeoutMs)
    if ('answer' in asked) return asked.answer
    if (asked.wasTaken) left -= 1
    if (left <= 0 || (!asked.wasTaken && performance.now() >= until))
      throw new ServiceGone(socket, asked.wasTaken, asked.error)
    if (!asked.wasTaken) await sleep(RETRY_MS)
  }
}

type Asked =
  | { readonly answer: LocalAnswer }
  | { readonly wasTaken: boolean; readonly error: unknown }

/** The body is sent once the other side has said that it takes the call: what fails earlier can be asked again without harm. */
function askOnce(
  socket: string,
  path: string,
  body: Uint8Array | string,
  timeoutMs: number,
): Promise<Asked> {
  return new Promise((resolve) => {
    let wasTaken = false
    const fail = (error: unknown) => resolve({ wasTaken, error })
    const call = request({
      socketPath: socket,
      path,
      method: 'POST',
      agent: false,
      headers: { 'content-length': Buffer.byteLength(body), expect: '100-continue' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    call.once('error', fail)
    call.once('continue', () => {
      wasTaken = true
      call.end(body)
    })
    call.once('response', (answer) => {
      readWhole(answer).then(
        (whole) =>
          resolve({
            answer: {
              status: answer.statusCode ?? 0,
              headers: textHeaders(answer),
              body: whole,
            },
          }),
        fail,
      )
    })
    call.flushHeaders()
  })
}

function textHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}

async function readWhole(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    if (length > BODY_MAX_BYTES) throw new Error('too large')
  }
  return Buffer.concat(chunks)
}
