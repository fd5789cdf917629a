import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { present } from '#kernel/assert.ts'
import { freePort } from '#platform/free-port.ts'
import { PATIENCE_MS, until, type Browser, type Engine, type Screen } from './browser.ts'
import { startProgram, type Program } from './program.ts'

/** Comes with the library that WebKitWebDriver needs, on no PATH. */
export const miniBrowser = () =>
  globSync('/usr/lib/*/{webkit2gtk-4.*,webkitgtk-6.*}/MiniBrowser').sort().at(-1)

type Call = (method: 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

/** WebKitGTK in its own small browser, on a screen that nobody sees: it has no mode without one. */
export async function startWebkit(proxyPort: number): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'lukado-webkit-'))
  const running: Program[] = []
  const stop = async () => {
    for (const program of running.reverse()) await program.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  try {
    const screen = startProgram(
      'Xvfb',
      ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
      {},
    )
    running.push(screen)
    const display = `:${await screen.says(/^(\d+)$/m)}`
    const port = await freePort()
    running.push(
      startProgram('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
        DISPLAY: display,
        GDK_BACKEND: 'x11',
        HOME: folder,
        XDG_RUNTIME_DIR: folder,
      }),
    )
    const call = callsTo(`http://127.0.0.1:${port}`)
    await until('WebKitWebDriver', () => fetch(`http://127.0.0.1:${port}/status`))
    const capabilities = capabilitiesOf(present(miniBrowser(), 'MiniBrowser'), proxyPort)
    return {
      version: await versionOf(call, capabilities),
      // Its driver has no call for it, and a window that is driven prints nothing.
      hearsConsole: false,
      openWindow: (size) => openWindow(call, capabilities, size),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function capabilitiesOf(binary: string, proxyPort: number): object {
  const args = ['--automation', `--proxy=http://127.0.0.1:${proxyPort}`]
  return {
    alwaysMatch: { pageLoadStrategy: 'none', 'webkitgtk:browserOptions': { binary, args } },
  }
}

async function versionOf(call: Call, capabilities: object): Promise<string> {
  const session = await openSession(call, capabilities)
  await call('DELETE', `/session/${session.sessionId}`)
  return session.capabilities.browserVersion
}

async function openSession(call: Call, capabilities: object) {
  return (await call('POST', '/session', { capabilities })) as {
    readonly sessionId: string
    readonly capabilities: { readonly browserVersion: string }
  }
}

async function openWindow(
  call: Call,
  capabilities: object,
  { width, height }: Screen,
): Promise<Browser> {
  const { sessionId } = await openSession(call, capabilities)
  const at = `/session/${sessionId}`
  await call('POST', `${at}/window/rect`, { x: 0, y: 0, width, height })
  return {
    async goTo(url) {
      await call('POST', `${at}/url`, { url })
    },
    async back() {
      await call('POST', `${at}/back`, {})
    },
    async evaluate(expression) {
      return String(
        await call('POST', `${at}/execute/sync`, { script: `return ${expression}`, args: [] }),
      )
    },
    async perform(actions) {
      await call('POST', `${at}/actions`, { actions })
    },
    errors: () => [],
    async close() {
      await call('DELETE', at)
    },
  }
}

function callsTo(driver: string): Call {
  return async (method, path, body) => {
    const answer = await fetch(`${driver}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const { value } = (await answer.json()) as { value: unknown }
    if (answer.ok) return value
    const { error, message } = value as { error: string; message: string }
    throw new Error(`${error}: ${message}`)
  }
}
