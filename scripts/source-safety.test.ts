import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

/** What may do harm stands in few known places; one more is seen here, and looked at by whoever adds it. */
const ROOT = join(import.meta.dirname, '..')
const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter(
    (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name),
  )
  .map((entry) => join(entry.parentPath, entry.name))
  .map((file) => ({ name: relative(ROOT, file).replaceAll('\\', '/'), text: codeOf(file) }))
  // The demo's sandboxes are tried against, and are in no production install.
  .filter(({ name }) => !name.startsWith('src/sandbox/'))

function codeOf(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/^\s*(?:\*|\/\/|\/\*).*$/gm, '')
}

function filesWith(pattern: RegExp): string[] {
  return SOURCES.filter(({ text }) => pattern.test(text)).map(({ name }) => name)
}

test('no statement of SQL is put together from text', () => {
  // Its text is a constant of the program.
  expect(filesWith(/\bsql\.(?:raw|lit)\b/)).toEqual(['src/features/buying/promise/queries.ts'])
})

test('no list is sorted by the text that it shows of a number or an id', () => {
  // `select id::text as id … order by id` sorts the text: 10 before 9, and by no index. The column is meant: `order by t.id`.
  const sorted = SOURCES.flatMap(({ name, text }) =>
    [...text.matchAll(/sql(?:<[^`]*?>)?`([^`]*)`/g)].flatMap(([, statement = '']) => {
      const shown = [...statement.matchAll(/::text as "?(\w+)"?/g)].map(([, alias]) => alias)
      const orders = [...statement.matchAll(/order by ([^)`]*)/g)].map(([, order = '']) => order)
      return shown
        .filter((alias) =>
          orders.some((order) => new RegExp(`(?:^|[\\s,])"?${alias}"?(?![\\w.:])`).test(order)),
        )
        .map((alias) => `${name}: ${alias}`)
    }),
  )
  expect(sorted).toEqual([])
})

test('nothing is run through a shell or made of text at run time', () => {
  expect(
    filesWith(/\beval\(|\bnew Function\(|node:vm|\bexecSync\(|\bexec\(['"`]|\bshell: true/),
  ).toEqual([])
  // Ends a server that outlives its parent; its script is constant.
  expect(filesWith(/'\/bin\/sh'/)).toEqual(['src/platform/postgres/embedded.ts'])
})

test('HTML is set from text in the known places alone', () => {
  // The symbols of the shop's own icons.
  expect(
    filesWith(/dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write/),
  ).toEqual([
    'src/ui/icon-sprite.tsx',
    // What the server wrote for those without script.
    'src/storefront/browser/without-script.ts',
  ])
})

test('only known hashes and ciphers are used', () => {
  // Digiflazz signs with MD5; the secret keys it, and nothing of the shop's own rests on it.
  const ownSources = SOURCES.filter(({ name }) => !name.includes('digiflazz'))
  const used = ownSources
    .flatMap(({ text }) => [
      ...text.matchAll(
        /\b(?:create(?:Hash|Hmac|Cipheriv|Decipheriv)|hkdfSync)\(\s*['"]([^'"]+)['"]/g,
      ),
    ])
    .map(([, algorithm]) => algorithm)
  expect([...new Set(used)].sort()).toEqual(['aes-256-gcm', 'sha256'])
  expect(
    filesWith(/['"](?:md5|md4|ripemd160|rc4|des(?:-\w+|3)?|aes-\d+-(?:ecb|cbc|ctr))['"]/i),
  ).toEqual(['src/providers/supply/digiflazz/digiflazz.ts'])
  // The codes of authenticator apps are HMAC-SHA-1 (RFC 6238), and so are the signatures of Digiflazz's notices.
  expect(filesWith(/['"]sha-?1['"]/i).sort()).toEqual([
    'src/features/base/authenticator/engine/time-code.ts',
    'src/providers/supply/digiflazz/digiflazz.ts',
    'src/providers/supply/wire/signed.ts',
  ])
})

test('randomness comes from one place', () => {
  expect(filesWith(/\bMath\.random\b/)).toEqual([])
  expect(filesWith(/\brandomBytes\b|getRandomValues|\brandomInt\b/).sort()).toEqual([
    'src/cli/start/sandboxes.ts',
    'src/console/browser/act-key.ts',
    'src/platform/ctx.ts',
    'src/platform/keys.ts',
    'src/platform/password-hash.ts',
    'src/platform/postgres/place.ts',
    'src/platform/vault-keys.ts',
    'src/storefront/browser/visit.ts',
    'src/storefront/state/order-now.ts',
  ])
})

test('certificates of other servers are always looked at', () => {
  expect(filesWith(/rejectUnauthorized|NODE_TLS_REJECT|checkServerIdentity/)).toEqual([])
})

test('other hosts are asked in the known places alone', () => {
  expect(filesWith(/(?<![.\w])fetch\(|\bcreateTransport\(|\bstartRequest\(/).sort()).toEqual([
    // Programs shown to resellers, which ask the shop.
    'src/api/openapi/code-samples.ts',
    // Its own /healthz.
    'src/cli/start.ts',
    // The operator's browser asks the shop itself.
    'src/console/browser/call.ts',
    'src/console/browser/navigation.ts',
    'src/providers/identity/outside.ts',
    'src/providers/mail/smtp/smtp-sender.ts',
    'src/providers/payment/paypal/certificates.ts',
    'src/providers/payment/paypal/client.ts',
    'src/providers/payment/sandbox/sandbox.ts',
    'src/providers/payment/stripe/stripe.ts',
    'src/providers/rates/answer.ts',
    'src/providers/sms/twilio/sender.ts',
    // The demo's sandboxes, on this machine.
    'src/sandbox-gate.ts',
    // The browser asks the shop itself.
    'src/storefront/browser/api.ts',
    'src/storefront/browser/refresh.ts',
    // And so do the page without a connection and its worker.
    'src/storefront/server/offline/script.ts',
    'src/storefront/server/offline/worker.ts',
  ])
  for (const { name, text } of SOURCES)
    if (name.startsWith('src/providers/') && /(?<![.\w])fetch\(/.test(text))
      expect([name, /redirect: '(?:error|manual)'/.test(text)]).toEqual([name, true])
})
