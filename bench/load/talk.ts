import { connect, type Socket } from 'node:net'

export interface Answered {
  readonly status: number
  readonly text: string
}

/** Asks one server: method, path with query, further header lines, and a body of JSON. */
export type Talk = (
  method: 'GET' | 'POST',
  path: string,
  headers: readonly string[],
  body?: object,
) => Promise<Answered>

interface Line {
  readonly socket: Socket
  received: Buffer
  /** Milliseconds of `performance.now()`. */
  idleSince: number
  waiting: {
    readonly resolve: (answer: Answered) => void
    readonly reject: (error: Error) => void
  } | null
}

const HEADER_END = '\r\n\r\n'
/** Well before a server closes what nobody uses: a request must not meet it just then. */
const IDLE_MS = 2_000

/**
 * A client of as many connections as are needed at once, kept open, for requests whose answers are read: over plain sockets, since it
 * shares the machine with the servers that it measures, and node:http's own client costs several times as much. Answers tell their length.
 */
export function createTalk(port: number): Talk {
  const idle: Line[] = []
  return (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const line = freshOf(idle) ?? open(port, idle)
      line.waiting = { resolve, reject }
      line.socket.write(
        [
          `${method} ${path} HTTP/1.1`,
          `host: 127.0.0.1:${port}`,
          ...headers,
          ...(body === undefined
            ? []
            : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
          '',
          text,
        ].join('\r\n'),
      )
    })
}

/** The line used last, unless that is long ago: then all others were, too. */
function freshOf(idle: Line[]): Line | undefined {
  const line = idle.pop()
  if (line === undefined || performance.now() - line.idleSince < IDLE_MS) return line
  for (const old of [line, ...idle.splice(0)]) old.socket.destroy()
  return undefined
}

function open(port: number, idle: Line[]): Line {
  const line: Line = {
    socket: connect({ port, host: '127.0.0.1', noDelay: true }),
    received: Buffer.alloc(0),
    idleSince: 0,
    waiting: null,
  }
  const over = (error: Error) => {
    const at = idle.indexOf(line)
    if (at >= 0) idle.splice(at, 1)
    line.waiting?.reject(error)
    line.waiting = null
  }
  line.socket.on('data', (chunk) => {
    line.received = line.received.length === 0 ? chunk : Buffer.concat([line.received, chunk])
    const answer = wholeAnswer(line.received)
    if (!answer) return
    line.received = Buffer.alloc(0)
    const { waiting } = line
    line.waiting = null
    line.idleSince = performance.now()
    idle.push(line)
    waiting?.resolve(answer)
  })
  line.socket.once('error', over)
  line.socket.once('close', () => over(new Error('The server closed the connection')))
  return line
}

/** Null while some of it is still to come. */
function wholeAnswer(received: Buffer): Answered | null {
  const headerEnd = received.indexOf(HEADER_END)
  if (headerEnd < 0) return null
  const header = received.toString('latin1', 0, headerEnd)
  const length = /^content-length: (\d+)/im.exec(header)?.[1]
  if (length === undefined) throw new Error(`Answer without length: ${header}`)
  const begin = headerEnd + HEADER_END.length
  if (received.length < begin + Number(length)) return null
  return { status: Number(header.slice(9, 12)), text: received.toString('utf8', begin) }
}
