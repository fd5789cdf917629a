import { createServer } from 'node:http'

/**
 * A payment service that keeps nothing: what it says of a payment stands in the payment's name. Told to be mute it takes every
 * request and answers none. A process of its own, as the shop under test shall wait for it and not with it.
 */
let isMute = true
const server = createServer((req, res) => {
  const path = new URL(req.url ?? '/', 'http://service').pathname
  const control = /^\/(mute|answer)$/.exec(path)?.[1]
  if (control) {
    isMute = control === 'mute'
    return void res.end('{}')
  }
  req.resume()
  // A connection that is never answered ends when who asked gives up.
  if (isMute) return
  const [, reference = '', action = ''] = /\/sessions\/([^/]+)(?:\/(cancel))?$/.exec(path) ?? []
  res.setHeader('content-type', 'application/json')
  res.end(JSON.stringify(payment(reference, action === 'cancel')))
})

function payment(reference: string, isCancelled: boolean): object {
  return {
    id: reference,
    our_reference: reference.slice('mute_'.length),
    status: isCancelled ? 'voided' : 'requires_action',
    captured: null,
    disputed: false,
    reversed: '0',
    failure: null,
    redirect_url: null,
  }
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0)
})
process.once('disconnect', () => process.exit(0))
