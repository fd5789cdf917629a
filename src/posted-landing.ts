import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { landingPath } from '#features/people/identity/rules.ts'
import { readForm } from '#platform/http/form.ts'
import { isSameOrigin } from '#platform/http/same-origin.ts'
import { appleLanding } from '#providers/identity/apple/landing.ts'

const APPLE = landingPath('apple')

/** Apple posts its answer from its own page; everything else, also the forms of our landing itself, goes to the listener. */
export function withPostedLanding(listener: RequestListener, publicUrl: string): RequestListener {
  return (req, res) => {
    const { headers } = req
    const sender = {
      fetchSite: headers['sec-fetch-site'] as string | undefined,
      origin: headers.origin,
      host: headers.host,
    }
    if (
      req.method === 'POST' &&
      req.url?.split('?')[0] === APPLE &&
      !isSameOrigin(sender, publicUrl)
    )
      void goOn(req, res)
    else listener(req, res)
  }
}

/** Changes nothing and believes nothing: the answer is checked where the page makes the call. */
async function goOn(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const form = await readForm(req, { takesFiles: false }).catch(() => null)
  const headers = {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'content-length': 0,
  }
  if (form) res.writeHead(303, { ...headers, location: appleLanding(form, APPLE) })
  else res.writeHead(400, { ...headers, connection: 'close' })
  res.end()
}
