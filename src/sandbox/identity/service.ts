import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { readBody } from '#platform/http/body.ts'
import { signingKeys } from './kept-keys.ts'
import { PAGE_HEADERS, choicePage, problemPage } from './page.ts'
import { demoPeople, PEOPLE, type People, type Typed } from './people.ts'
import { demoProvider, INTERACTION_PATH, PATH } from './provider.ts'

export interface ServiceOptions {
  /** On 127.0.0.1; 0 for any. */
  readonly port: number
  readonly publicUrl: string
  /** Where its keys are kept. */
  readonly folder: string
  readonly clientSecret: string
}

const BODY_MAX = 8 * 1024
const NOBODY: Typed = { person: PEOPLE[0]?.subject ?? '', email: '', name: '', verified: true }

/** Starts the provider on this machine; what reaches it from outside comes through the shop. */
export async function startService(options: ServiceOptions): Promise<Server> {
  const people = demoPeople()
  const provider = demoProvider({ ...options, people, keys: signingKeys(options.folder) })
  const protocol = provider.callback()
  const { host, protocol: scheme } = new URL(options.publicUrl)
  const server = createServer((req, res) => {
    // Addresses it makes are the shop's, whatever the request says about how it came.
    Object.assign(req.headers, {
      host,
      'x-forwarded-host': host,
      'x-forwarded-proto': scheme.slice(0, -1),
    })
    const path = req.url?.split('?')[0] ?? ''
    if (path.startsWith(`${INTERACTION_PATH}/`)) void interact(provider, people, host, req, res)
    else if (path.startsWith(`${PATH}/`)) void protocol(mounted(req), res)
    else answer(res, 404, problemPage(localesOf(req), 'over'))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  return server
}

/** The provider finds its place by what a Connect server tells: the address whole, and the part below the mount. */
function mounted(req: IncomingMessage): IncomingMessage {
  return Object.assign(req, { originalUrl: req.url, url: req.url?.slice(PATH.length) })
}

async function interact(
  provider: Provider,
  people: People,
  shop: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  try {
    const { prompt, params } = await provider.interactionDetails(req, res)
    // Tags with blanks between them (OpenID Connect Core §3.1.2.1).
    const locales =
      typeof params['ui_locales'] === 'string'
        ? params['ui_locales'].replaceAll(' ', ',')
        : localesOf(req)
    if (prompt.name !== 'login') throw new Error(`prompt ${prompt.name} has no page`)
    if (req.method === 'GET' || req.method === 'HEAD')
      return answer(res, 200, choicePage(locales, shop, NOBODY, null))
    if (req.method !== 'POST')
      return answer(res, 405, problemPage(locales, 'fault', 'method not allowed'))
    const form = await readForm(req)
    if (form.get('decision') === 'refuse') {
      return await provider.interactionFinished(
        req,
        res,
        { error: 'access_denied', error_description: 'The person refused' },
        { mergeWithLastSubmission: false },
      )
    }
    const typed = typedIn(form)
    const chosen = people.choose(typed)
    if (typeof chosen === 'string')
      return answer(res, 422, choicePage(locales, shop, typed, chosen))
    await provider.interactionFinished(
      req,
      res,
      { login: { accountId: chosen.subject, remember: false } },
      { mergeWithLastSubmission: false },
    )
  } catch (error) {
    const isOver = error instanceof Error && error.name === 'SessionNotFound'
    if (!isOver)
      process.stderr.write(
        `identity sandbox: ${error instanceof Error ? error.stack : String(error)}\n`,
      )
    answer(res, isOver ? 410 : 500, problemPage(localesOf(req), isOver ? 'over' : 'fault'))
  }
}

function localesOf(req: IncomingMessage): string {
  return req.headers['accept-language'] ?? ''
}

function typedIn(form: URLSearchParams): Typed {
  return {
    person: form.get('person') ?? '',
    email: form.get('email') ?? '',
    name: form.get('name') ?? '',
    verified: form.get('verified') === '1',
  }
}

async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams((await readBody(req, BODY_MAX)).toString('utf8'))
}

function answer(res: ServerResponse, status: number, html: string): void {
  if (res.headersSent) return
  res.writeHead(status, PAGE_HEADERS)
  res.end(html)
}
