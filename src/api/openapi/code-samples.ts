/** A call as a program makes it, in a language; KEY and SECRET come from its environment. */
export interface CodeSample {
  readonly lang: string
  readonly source: string
}

interface SampleRequest {
  /** Origin of the shop. */
  readonly origin: string
  readonly method: 'GET' | 'POST'
  /** Path with query. */
  readonly target: string
  /** Empty where there is none. */
  readonly body: string
}

/** A signed call in three languages. Each is whole, and is run against a shop by reseller-examples.db.test.ts. */
export const signedSamples = (request: SampleRequest): readonly CodeSample[] => [
  { lang: 'Shell', source: shell(request) },
  { lang: 'JavaScript', source: javascript(request) },
  { lang: 'Python', source: python(request) },
]

const shellText = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

function shell({ origin, method, target, body }: SampleRequest): string {
  const sent = body === '' ? '' : ` \\\n  -H 'Content-Type: application/json' --data-raw "$body"`
  return String.raw`target=${shellText(target)}
body=${shellText(body)}
time=$(date +%s); nonce=$(openssl rand -hex 16)
hash=$(printf %s "$body" | openssl dgst -sha256 -hex | sed 's/.* //')
signature=$(printf '${method}\n%s\n%s\n%s\n%s' "$target" "$time" "$nonce" "$hash" | openssl dgst -sha256 -hmac "$SECRET" -hex | sed 's/.* //')
curl -sS "${origin}$target" -H "Reseller-Key: $KEY" -H "Reseller-Timestamp: $time" \
  -H "Reseller-Nonce: $nonce" -H "Reseller-Signature: v1=$signature"${sent}
`
}

function javascript({ origin, method, target, body }: SampleRequest): string {
  const sent = body === '' ? '' : '\n  body,'
  return `import { createHash, createHmac, randomUUID } from 'node:crypto'

const target = ${JSON.stringify(target)}
const body = ${body === '' ? "''" : `JSON.stringify(${body})`}
const timestamp = String(Math.floor(Date.now() / 1000))
const nonce = randomUUID()
const hash = createHash('sha256').update(body).digest('hex')
const text = ['${method}', target, timestamp, nonce, hash].join('\\n')
const answer = await fetch('${origin}' + target, {
  method: '${method}',
  headers: {
    'Content-Type': 'application/json',
    'Reseller-Key': process.env.KEY,
    'Reseller-Timestamp': timestamp,
    'Reseller-Nonce': nonce,
    'Reseller-Signature': 'v1=' + createHmac('sha256', process.env.SECRET).update(text).digest('hex'),
  },${sent}
})
console.log(await answer.text())
`
}

function python({ origin, method, target, body }: SampleRequest): string {
  const sent = body === '' ? '' : ', data=body'
  return `import hashlib, hmac, os, time, urllib.request, uuid

target = ${JSON.stringify(target)}
body = ${JSON.stringify(body)}.encode()
at, nonce = str(int(time.time())), str(uuid.uuid4())
text = "\\n".join(["${method}", target, at, nonce, hashlib.sha256(body).hexdigest()])
signature = hmac.new(os.environ["SECRET"].encode(), text.encode(), hashlib.sha256).hexdigest()
request = urllib.request.Request("${origin}" + target, method="${method}"${sent}, headers={
    "Content-Type": "application/json", "Reseller-Key": os.environ["KEY"], "Reseller-Timestamp": at,
    "Reseller-Nonce": nonce, "Reseller-Signature": "v1=" + signature})
with urllib.request.urlopen(request, timeout=30) as answer:
    print(answer.read().decode())
`
}
