import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PATIENCE_MS, type Browser, type Engine, type Screen } from './browser.ts'
import { startProgram } from './program.ts'

type Params = Readonly<Record<string, unknown>>
type Listener = (params: Record<string, unknown>) => void

/** WebDriver BiDi: commands and events as JSON over one socket. */
interface Bidi {
  readonly send: (method: string, params: Params) => Promise<Record<string, unknown>>
  readonly listen: (event: string, listener: Listener) => void
  readonly close: () => void
}

/** Firefox with an empty profile, which asks nobody but the proxy. */
export async function startFirefox(proxyPort: number): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'lukado-firefox-'))
  writeFileSync(join(folder, 'user.js'), preferences(proxyPort))
  const args = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0']
  const program = startProgram('firefox-esr', args, {
    HOME: folder,
    // Else the address of its settings cannot be changed.
    MOZ_REMOTE_SETTINGS_DEVTOOLS: '1',
  })
  try {
    const address = await program.says(/WebDriver BiDi listening on (ws:\S+)/)
    const bidi = await connect(`${address}/session`)
    const { capabilities } = await bidi.send('session.new', { capabilities: {} })
    await bidi.send('session.subscribe', { events: ['log.entryAdded'] })
    return {
      version: String((capabilities as Params)['browserVersion']),
      hearsConsole: true,
      openWindow: (screen) => openWindow(bidi, screen),
      stop: async () => {
        bidi.close()
        await program.stop()
        rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
      },
    }
  } catch (error) {
    await program.stop()
    throw error
  }
}

function preferences(proxyPort: number): string {
  const wanted = {
    'network.proxy.type': 1,
    'network.proxy.http': '127.0.0.1',
    'network.proxy.http_port': proxyPort,
    'network.proxy.ssl': '127.0.0.1',
    'network.proxy.ssl_port': proxyPort,
    'network.proxy.allow_hijacking_localhost': true,
    // What the browser asks for of its own accord is no fault of the shop's.
    'app.normandy.enabled': false,
    'browser.safebrowsing.malware.enabled': false,
    'browser.safebrowsing.phishing.enabled': false,
    'browser.safebrowsing.update.enabled': false,
    'datareporting.healthreport.uploadEnabled': false,
    'dom.push.connection.enabled': false,
    'media.gmp-manager.updateEnabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'services.settings.server': 'data:,#remote-settings-dummy/v1',
    'toolkit.telemetry.enabled': false,
  }
  return Object.entries(wanted)
    .map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`)
    .join('')
}

async function openWindow(bidi: Bidi, { width, height }: Screen): Promise<Browser> {
  const { userContext } = await bidi.send('browser.createUserContext', {})
  const { context } = await bidi.send('browsingContext.create', { type: 'tab', userContext })
  await bidi.send('browsingContext.setViewport', { context, viewport: { width, height } })
  const errors: string[] = []
  bidi.listen('log.entryAdded', ({ level, text, source }) => {
    if (level === 'error' && (source as Params)['context'] === context) errors.push(String(text))
  })
  return {
    async goTo(url) {
      await bidi.send('browsingContext.navigate', { context, url, wait: 'none' })
    },
    async back() {
      await bidi.send('browsingContext.traverseHistory', { context, delta: -1 })
    },
    async evaluate(expression) {
      const told = await bidi.send('script.evaluate', {
        expression,
        target: { context },
        awaitPromise: false,
      })
      if (told['type'] !== 'success') throw new Error(JSON.stringify(told['exceptionDetails']))
      return String((told['result'] as Params)['value'])
    },
    async perform(actions) {
      await bidi.send('input.performActions', { context, actions })
    },
    errors: () => errors,
    async close() {
      await bidi.send('browser.removeUserContext', { userContext })
    },
  }
}

async function connect(address: string): Promise<Bidi> {
  const socket = new WebSocket(address)
  const listeners: { readonly event: string; readonly listener: Listener }[] = []
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>()
  let serial = 0
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`${address} does not answer`)))
  })
  socket.addEventListener('message', ({ data }) => {
    const told = JSON.parse(String(data)) as Record<string, unknown>
    if (told['type'] === 'event')
      for (const { event, listener } of listeners)
        if (event === told['method']) listener(told['params'] as Record<string, unknown>)
    const asker = waiting.get(Number(told['id']))
    if (told['type'] === 'success') asker?.resolve(told['result'] as Record<string, unknown>)
    if (told['type'] === 'error')
      asker?.reject(new Error(`${String(told['error'])}: ${String(told['message'])}`))
  })
  return {
    async send(method, params) {
      const id = (serial += 1)
      const answer = Promise.withResolvers<Record<string, unknown>>()
      waiting.set(id, answer)
      const late = setTimeout(
        () => answer.reject(new Error(`Firefox did not answer ${method}`)),
        PATIENCE_MS,
      )
      socket.send(JSON.stringify({ id, method, params }))
      return answer.promise.finally(() => {
        clearTimeout(late)
        waiting.delete(id)
      })
    },
    listen: (event, listener) => void listeners.push({ event, listener }),
    close: () => socket.close(),
  }
}
