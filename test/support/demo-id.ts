import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import { freePort } from '#platform/free-port.ts'

export interface DemoId {
  /** Of the shop that the provider stands below, which is the provider's own address here. */
  readonly publicUrl: string
  readonly port: number
  readonly clientSecret: string
}

const ENTRY = join(import.meta.dirname, '..', '..', 'src', 'sandbox', 'identity', 'main.ts')

/** The demo's OpenID provider as a process of its own, for the tests of one file. */
export function useDemoId(): DemoId {
  const clientSecret = 'a-secret-for-tests-of-the-demo-provider'
  const folder = mkdtempSync(join(tmpdir(), 'demo-id-'))
  const made: { port?: number; stop?: () => void } = {}
  beforeAll(async () => {
    made.port = await freePort()
    const child = spawn(process.execPath, [ENTRY], {
      env: {
        PATH: process.env.PATH,
        PORT: String(made.port),
        PUBLIC_URL: `http://127.0.0.1:${made.port}`,
        DATA_DIR: folder,
        SANDBOX_IDENTITY_SECRET: clientSecret,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    made.stop = () => child.kill()
    await until(`http://127.0.0.1:${made.port}/sandbox/identity/.well-known/openid-configuration`)
  })
  afterAll(() => {
    made.stop?.()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    clientSecret,
    get port() {
      return made.port ?? 0
    },
    get publicUrl() {
      return `http://127.0.0.1:${made.port}`
    },
  }
}

async function until(url: string): Promise<void> {
  for (const end = performance.now() + 120_000; performance.now() < end; await sleep(50)) {
    if (
      await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return
  }
  throw new Error(`nothing answers at ${url}`)
}

/** A browser as far as signing in needs one: it keeps cookies by path and follows the provider's redirects. */
export function browser(): {
  readonly open: (url: string | URL, form?: Record<string, string>) => Promise<Response>
} {
  const jar = new Map<string, { readonly value: string; readonly path: string }>()
  return {
    async open(url, form) {
      const address = new URL(url)
      const cookies = [...jar]
        .filter(([, { path }]) => address.pathname.startsWith(path))
        .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      const answer = await fetch(address, {
        redirect: 'manual',
        headers: { cookie: cookies.join('; '), accept: 'text/html' },
        ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
        const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/'
        const name = pair.slice(0, pair.indexOf('='))
        if (pair.length === name.length + 1) jar.delete(`${name} ${path}`)
        else jar.set(`${name} ${path}`, { value: pair.slice(name.length + 1), path })
      }
      return answer
    },
  }
}

/** Follows an authorization request, fills in the form and gives back what the provider sends to the shop. */
export async function signInAtDemoId(
  url: URL,
  form: Record<string, string>,
  visitor = browser(),
): Promise<Record<string, string>> {
  const page = await follow(visitor, url)
  if (page.address.pathname === '/loading/demo')
    return Object.fromEntries(page.address.searchParams)
  const posted = await visitor.open(page.address, { decision: 'allow', ...form })
  const landed = await follow(visitor, new URL(posted.headers.get('location') ?? '', page.address))
  return Object.fromEntries(landed.address.searchParams)
}

/** Goes where it is sent, but not to the shop. */
async function follow(
  visitor: ReturnType<typeof browser>,
  url: URL,
): Promise<{ readonly address: URL; readonly text: string }> {
  for (let address = url, hops = 0; hops < 10; hops += 1) {
    if (address.pathname === '/loading/demo') return { address, text: '' }
    const answer = await visitor.open(address)
    const next = answer.headers.get('location')
    if (!next) return { address, text: await answer.text() }
    address = new URL(next, address)
  }
  throw new Error('redirected too often')
}
