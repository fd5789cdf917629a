import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Email } from 'postal-mime'
import { freePort } from '#platform/free-port.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { openStripeSandbox, type StripeSandbox } from '../../src/sandbox/stripe/service.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'
import { removeDataFolder } from '../support/data-folder.ts'

export const OPERATORS_PASSWORD = 'correct horse battery'
const STRIPE_KEY = 'sk_test_realshopwalk0001'
const WEBHOOK_SECRET = 'whsec_realshopwalk0001'
/** Bounds on hanging alone. */
const PATIENCE_MS = 400_000

type Settings = Readonly<Record<string, string>>

export interface Answer<Data> {
  readonly code: number
  readonly msg: string
  readonly data: Data
}

export interface Said {
  readonly code: number | null
  readonly out: string
}

/** A shop of somebody's own as they run it: started by the program, on the embedded database, beside a mail server and a payment service. */
export interface OwnShop {
  /** Everything of it is below; it stands for the folders that the pages name. */
  readonly folder: string
  readonly origin: string
  readonly mail: MailServer
  readonly stripe: StripeSandbox
  /** What STRIPE_… variables an owner would set. */
  readonly stripeSettings: Settings
  /** `npm start` with these variables beside where the data are, until it is ready. */
  readonly start: (settings: Settings) => Promise<void>
  readonly stop: () => Promise<void>
  /** `npm run cli -- …`, with the variables of the last start. */
  readonly cli: (words: readonly string[], settings?: Settings) => Promise<Said>
  /** The page of an address. */
  readonly page: (path: string) => Promise<string>
  /** A call by the one visitor whose cookies are kept. */
  readonly call: <Data>(path: string, body?: object) => Promise<Answer<Data>>
  readonly file: (path: string) => Promise<Buffer>
  /** The newest mail to an address with this in its subject. */
  readonly mailTo: (address: string, subject: RegExp) => Promise<Email>
  readonly close: () => Promise<void>
}

export async function openOwnShop(): Promise<OwnShop> {
  const folder = mkdtempSync(join(tmpdir(), 'lukado-own-'))
  // Open to the user that runs the server for root.
  chmodSync(folder, 0o711)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const mail = await startMailServer()
  const stripe = await openStripeSandbox({
    port: 0,
    secretKey: STRIPE_KEY,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrl: `${origin}/api/webhook/stripe`,
  })
  let environment: Settings = {
    PATH: process.env.PATH ?? '',
    PORT: String(port),
    LOG_LEVEL: 'error',
    OPERATOR_PASSWORD: OPERATORS_PASSWORD,
    OPERATOR_NEW_PASSWORD: OPERATORS_PASSWORD,
  }
  let running: ChildProcess | null = null
  const stop = async () => {
    const child = running
    running = null
    if (child?.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await ended
  }
  const browser = openBrowser(origin)
  return {
    folder,
    origin,
    mail,
    stripe,
    stripeSettings: {
      STRIPE_SECRET_KEY: STRIPE_KEY,
      STRIPE_WEBHOOK_SECRETS: WEBHOOK_SECRET,
      STRIPE_API_URL: stripe.origin,
    },
    start: async (settings) => {
      environment = { ...environment, ...settings }
      running = await started(environment)
    },
    stop,
    cli: (words, settings) => said(['src/run.js', ...words], { ...environment, ...settings }),
    ...browser,
    mailTo: (address, subject) =>
      until(
        async () => {
          const mails = await mail.received()
          const isIt = (one: Email) =>
            one.to?.some((to) => to.address === address) === true && subject.test(one.subject ?? '')
          return mails.findLast(isIt) ?? null
        },
        `a mail to ${address} with ${String(subject)}`,
      ),
    close: async () => {
      await stop()
      await mail.stop()
      stripe.close()
      removeDataFolder(folder)
    },
  }
}

/** One visitor with cookies. */
function openBrowser(origin: string): Pick<OwnShop, 'page' | 'call' | 'file'> {
  const cookies = new Map<string, string>()
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`${origin}${path}`, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: {
        'content-type': 'application/json',
        origin,
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      },
    })
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';', 1)[0] ?? '').split('=')
      cookies.set(name, value)
    }
    return answer
  }
  return {
    page: async (path) => (await ask(path)).text(),
    call: async <Data>(path: string, body?: object) =>
      (await (await ask(`/api/${path}`, body)).json()) as Answer<Data>,
    file: async (path) => Buffer.from(await (await ask(`/api/${path}`)).arrayBuffer()),
  }
}

async function started(env: Settings): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['src/run.js', 'start'], {
    cwd: PROJECT_ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000)
    })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the shop does not start: ${output}`)
    return output.includes('Ready: ') ? true : null
  }, 'the shop to start').catch((error: unknown) => {
    child.kill('SIGTERM')
    throw error
  })
  return child
}

async function said(args: readonly string[], env: Settings): Promise<Said> {
  const child = spawn(process.execPath, args, {
    cwd: PROJECT_ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
  return { code: await new Promise((resolve) => child.once('close', resolve)), out }
}

export async function until<T>(look: () => Promise<T | null>, what: string): Promise<T> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(250)) {
    const found = await look()
    if (found !== null) return found
  }
  throw new Error(`waited too long for ${what}`)
}
