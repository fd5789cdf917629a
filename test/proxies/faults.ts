import { connect as connectHttp2 } from 'node:http2'
import { request, type RequestOptions } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'

/** A proxy in a folder of its own, before a shop. */
export interface Place {
  readonly folder: string
  readonly port: number
  readonly shopPort: number
  /** What must stand in no log. */
  readonly canary: string
}

const UP_MS = 30_000
/** More sign-ins than one address has at once. */
const SIGN_INS = 60
const TOO_MANY = 429
/** Below and above what a proxy of the example takes. */
const TAKEN_BYTES = 7 * 1024 * 1024
const REFUSED_BYTES = 9 * 1024 * 1024

/** Everything that is wrong with a running proxy, a sentence each. */
export async function findFaults(place: Place, logs: () => string): Promise<string[]> {
  const ask = askerOf(place)
  await untilUp(ask)
  const faults = [
    ...(await findPageFaults(ask)),
    ...(await findAddressFaults(ask)),
    ...(await findBodyFaults(ask)),
    ...((await speaksHttp2(place)) ? [] : ['it does not speak HTTP/2']),
  ]
  await ask({ path: `/?token=${place.canary}`, headers: { referer: `https://x/?${place.canary}` } })
  await ask({
    path: `/login?key=${place.canary}`,
    headers: { cookie: `session=${place.canary}`, authorization: `Bearer ${place.canary}` },
  })
  await sleep(1_000)
  if (!logs().includes('/login')) faults.push('its log does not tell of requests')
  if (logs().includes(place.canary)) faults.push('its log holds a secret')
  return faults
}

type Answer = Readonly<{ status: number; headers: Readonly<Record<string, unknown>>; text: string }>
type Ask = (options: RequestOptions, body?: string | Buffer) => Promise<Answer>

function askerOf({ port }: Place): Ask {
  return (options, body) =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          servername: 'localhost',
          rejectUnauthorized: false,
          agent: false,
          ...options,
          headers: { host: `localhost:${port}`, ...options.headers },
        },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8')
          answer.on('data', (chunk: string) => (text += chunk))
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
          )
          answer.on('error', reject)
        },
      )
      sent.setTimeout(30_000, () => sent.destroy(new Error('no answer')))
      sent.on('error', reject)
      sent.end(body)
    })
}

async function untilUp(ask: Ask): Promise<void> {
  for (const end = performance.now() + UP_MS; ; await sleep(100)) {
    const answer = await ask({ path: '/healthz' }).catch(() => null)
    if (answer?.status === 200) return
    if (performance.now() > end)
      throw new Error(`the proxy does not lead to the shop: ${answer?.status}`)
  }
}

async function findPageFaults(ask: Ask): Promise<string[]> {
  const page = await ask({ path: '/cards', headers: { 'accept-encoding': 'identity' } })
  const faults: string[] = []
  if (page.status !== 200 || !page.text.includes('</html>')) faults.push(`a page is ${page.status}`)
  if (!page.headers['strict-transport-security']) faults.push('HSTS does not come through')
  return faults
}

/** Sign-ins are counted by the visitor's own address, which no header of theirs may change. */
async function findAddressFaults(ask: Ask): Promise<string[]> {
  const faults: string[] = []
  const signIn = (localAddress: string, forged?: string) =>
    ask(
      {
        method: 'POST',
        path: '/api/user/login',
        localAddress,
        headers: {
          'content-type': 'application/json',
          ...(forged ? { 'x-forwarded-for': forged } : {}),
        },
      },
      JSON.stringify({
        account: `nobody-${localAddress}@example.org`,
        password: 'not the password',
      }),
    )
  let last = 0
  for (let i = 0; i < SIGN_INS && last !== TOO_MANY; i++) last = (await signIn('127.0.0.2')).status
  if (last !== TOO_MANY) faults.push('sign-ins of one visitor are not counted')
  if ((await signIn('127.0.0.2', '203.0.113.7')).status !== TOO_MANY)
    faults.push('a visitor can say that they are somebody else')
  if ((await signIn('127.0.0.3')).status === TOO_MANY) faults.push('visitors share one allowance')
  return faults
}

/** What the shop takes comes through; what it would refuse may end at the proxy. */
async function findBodyFaults(ask: Ask): Promise<string[]> {
  const send = (bytes: number) =>
    ask(
      {
        method: 'POST',
        path: '/api/upload/image',
        headers: {
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': String(bytes),
        },
      },
      Buffer.alloc(bytes),
    ).then(
      ({ status }) => status,
      () => 413,
    )
  const [taken, refused] = [await send(TAKEN_BYTES), await send(REFUSED_BYTES)]
  const faults: string[] = []
  if (taken >= 500) faults.push(`a large upload is answered ${taken}`)
  if (refused < 400 || refused >= 500)
    faults.push(`a body that is too large is answered ${refused}`)
  return faults
}

function speaksHttp2({ port }: Place): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connectHttp2(`https://localhost:${port}`, { rejectUnauthorized: false })
    const end = (isSpoken: boolean) => {
      session.destroy()
      resolve(isSpoken)
    }
    session.setTimeout(10_000, () => end(false))
    session.on('error', () => end(false))
    session.on('connect', () => {
      const stream = session.request({ ':path': '/healthz' })
      stream.on('response', (headers) => end(headers[':status'] === 200))
      stream.on('error', () => end(false))
    })
  })
}
