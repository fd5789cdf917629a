import { createServer } from 'node:http'
import type { RecordedAnswer } from './record.ts'

/**
 * The yardstick, in a process of its own: node:http alone, giving recorded answers in turn whatever is asked. It does what no
 * server on Node can leave out: read a request, write the same headers and the same bytes.
 */
let answers: readonly RecordedAnswer[] = []
let next = 0

const server = createServer({ keepAliveTimeout: 65_000 }, (_, res) => {
  const answer = answers[next++ % answers.length] as RecordedAnswer
  res.writeHead(200, answer.headers as string[])
  res.end(answer.body)
})

process.on('message', (message: readonly RecordedAnswer[]) => {
  answers = message.map(({ headers, body }) => ({ headers, body: Buffer.from(body) }))
  process.send?.({ ready: true })
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
