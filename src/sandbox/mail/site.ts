import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isSameOrigin } from '#platform/http/same-origin.ts'
import type { StoredMail, Mailbox } from './mailbox.ts'
import { BASE, listPage, MAIL_POLICY, mailPage, missingPage, PAGE_POLICY } from './pages.ts'

/** The mailbox over HTTP: pages for people, `/sandbox/mail.json` for programs. */
export function createSite(mailbox: Mailbox, publicUrl: string): RequestListener {
  return (req, res) => {
    answer(req, res).catch(() => {
      if (!res.headersSent)
        reply(req, res, 500, 'text/plain; charset=utf-8', 'This mail cannot be shown.', {})
    })
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', 'http://sandbox.invalid')
    if (url.pathname === `${BASE}/delete`) return removeAll(req, res, mailbox, publicUrl)
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return reply(req, res, 405, 'text/plain; charset=utf-8', 'Read only', { allow: 'GET, HEAD' })
    const to = url.searchParams.get('to') ?? ''
    if (url.pathname === BASE || url.pathname === `${BASE}/`)
      return html(req, res, 200, listPage(await mailbox.list(to), to))
    if (url.pathname === `${BASE}.json`) return json(req, res, await mailbox.list(to))
    const [id = '', part] = url.pathname.slice(BASE.length + 1).split('/')
    const mail = await mailbox.find(id)
    if (!mail || (part !== undefined && part !== 'html')) return html(req, res, 404, missingPage())
    if (part === undefined) return html(req, res, 200, mailPage(mail))
    reply(req, res, 200, 'text/html; charset=utf-8', inNewWindow(mail.html), {
      'content-security-policy': MAIL_POLICY,
    })
  }
}

/** Mails are shown newest first, as on the page. */
function json(req: IncomingMessage, res: ServerResponse, mails: readonly StoredMail[]): void {
  const list = mails.map(({ id, receivedAt, from, to, subject, text, html: body, links }) => ({
    id,
    received_at: receivedAt,
    from,
    to,
    subject,
    text,
    html: body,
    links,
  }))
  reply(req, res, 200, 'application/json; charset=utf-8', JSON.stringify(list), {})
}

function removeAll(
  req: IncomingMessage,
  res: ServerResponse,
  mailbox: Mailbox,
  publicUrl: string,
): void {
  const { headers } = req
  if (req.method !== 'POST')
    return reply(req, res, 405, 'text/plain; charset=utf-8', 'POST to delete', { allow: 'POST' })
  if (
    !isSameOrigin(
      {
        fetchSite: headers['sec-fetch-site'] as string | undefined,
        origin: headers.origin,
        host: headers.host,
      },
      publicUrl,
    )
  ) {
    return reply(
      req,
      res,
      403,
      'text/plain; charset=utf-8',
      'This form came from another site.',
      {},
    )
  }
  mailbox.clear()
  reply(req, res, 303, 'text/plain; charset=utf-8', 'Deleted', { location: BASE })
}

/** Links of a mail would else open inside the small frame. */
function inNewWindow(document: string): string {
  return document.replace(/<head[^>]*>/i, '$&<base target="_blank">')
}

function html(req: IncomingMessage, res: ServerResponse, status: number, body: string): void {
  reply(req, res, status, 'text/html; charset=utf-8', body, {
    'content-security-policy': PAGE_POLICY,
  })
}

function reply(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Record<string, string>,
): void {
  res.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    ...headers,
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}
