import { parseArgs } from 'node:util'
import { newHome, removeHome, startShop, type FaultShop } from '../faults/shop.ts'
import { PASSWORD, somebody, type Somebody } from '../support/people.ts'
import { atOnce, postFrom, type Answer } from './client.ts'

/**
 * Attacks a whole shop over HTTP, from up to a thousand addresses of this machine (Linux answers for all of 127.0.0.0/8), and ends with 1 when
 * an attacker got more than the shop promises, or a crowd less. `--addresses` is how many, `--names` how many leaked names are tried.
 */
const { values } = parseArgs({
  options: {
    addresses: { type: 'string', default: '1000' },
    names: { type: 'string', default: '2000' },
  },
})
const ADDRESSES = Number(values.addresses)
const NAMES = Number(values.names)
/** The only one whose X-Forwarded-For is believed: addresses of IPv6 come through it. */
const PROXY = '127.254.254.254'
const ATTACKER = '127.253.253.253'
const AT_ONCE = 32
const SIGNED_IN = 1
const FAILED = 2406

const faults: string[] = []
const say = (line: string) => process.stdout.write(`${line}\n`)
const expectThat = (isSo: boolean, what: string) => {
  say(`${isSo ? 'holds' : 'FAILS'}: ${what}`)
  if (!isSo) faults.push(what)
}
/** An address in a network of its own. */
const address = (n: number) => `127.${1 + (n >> 8)}.${n & 255}.7`

const home = newHome()
const shop = await startShop({
  home,
  environment: { RATE_LIMITS: 'on', TRUSTED_PROXIES: PROXY, LOG_LEVEL: 'error' },
})
try {
  await crowdAndStuffing(shop)
  await oneName(shop)
  await codes(shop)
  await plantedSession(shop)
} finally {
  await shop.stop()
  removeHome(home)
}
say(faults.length === 0 ? 'No attack got through.' : `Faults:\n${faults.join('\n')}`)
process.exitCode = faults.length === 0 ? 0 : 1

function people(count: number): Promise<Somebody[]> {
  return shop.withCtx(async (ctx) => {
    const made: Somebody[] = []
    for (let n = 0; n < count; n += 1) made.push(await somebody(ctx))
    return made
  })
}

function login(account: string, password: string, from: string, more: Record<string, string> = {}) {
  const body = { account, password }
  return postFrom(shop.address, 'user/login', { body, from, headers: more })
}

function tally(answers: readonly Answer[], code: number): number {
  return answers.filter((answer) => answer.code === code).length
}

/** A thousand people come from a thousand addresses, some of whom mistype; one address and one site of IPv6 try leaked passwords meanwhile. */
async function crowdAndStuffing({ address: origin }: FaultShop): Promise<void> {
  say(`${ADDRESSES} people sign in at ${origin} while ${2 * NAMES} leaked passwords are tried`)
  const all = await people(ADDRESSES)
  const [crowd, network, site]: Answer[][] = [[], [], []]
  const works = [
    ...all.map((person, n) => async () => {
      if (n % 20 === 0) await login(person.email, 'Wrong4You', address(n))
      crowd?.push(await withPatience(() => login(person.email, PASSWORD, address(n))))
    }),
    ...Array.from({ length: NAMES }, (_, n) => async () => {
      network?.push(await login(`leaked${n}@shop.example`, 'Wrong4You', ATTACKER))
    }),
    ...Array.from({ length: NAMES }, (_, n) => async () => {
      const own = `2001:db8:77:${((n % 256) * 256).toString(16)}::${n.toString(16)}`
      const headers = { 'x-forwarded-for': own }
      site?.push(await login(`leaked${n}@shop.example`, 'Wrong4You', PROXY, headers))
    }),
  ]
  const began = performance.now()
  await atOnce(AT_ONCE, shuffled(works))
  const minutes = (performance.now() - began) / 60_000
  const back = 1 + minutes / 10
  expectThat(
    tally(crowd ?? [], SIGNED_IN) === ADDRESSES,
    `${tally(crowd ?? [], SIGNED_IN)} of ${ADDRESSES} people got in, in ${minutes.toFixed(1)} min`,
  )
  expectThat(
    tally(network ?? [], FAILED) <= 150 * back,
    `one address had ${tally(network ?? [], FAILED)} passwords judged of ${NAMES}`,
  )
  expectThat(
    tally(site ?? [], FAILED) <= 300 * back,
    `one site of IPv6 had ${tally(site ?? [], FAILED)} passwords judged of ${NAMES}`,
  )
}

/** Whoever is told to wait because everybody signs in at once comes again, as people do. */
async function withPatience(work: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    const answer = await work()
    if (answer.code === SIGNED_IN || tries === 20) return answer
    await new Promise((resolve) => setTimeout(resolve, 3_000))
  }
}

/** Every k-th, so that those of each kind come among the others. */
function shuffled<T>(works: readonly T[]): T[] {
  const step = 7_919
  return works.map((_, n) => works[(n * step) % works.length] as T)
}

/** All addresses together guess at one name. */
async function oneName(_: FaultShop): Promise<void> {
  const [target] = await people(1)
  const answers: Answer[] = []
  await atOnce(
    AT_ONCE,
    Array.from({ length: 3 * ADDRESSES }, (_unused, n) => async () => {
      answers.push(await login(target?.email ?? '', `Wrong4You${n}`, address(n % ADDRESSES)))
    }),
  )
  expectThat(
    tally(answers, FAILED) <= 50,
    `${ADDRESSES} addresses had ${tally(answers, FAILED)} guesses at one name judged`,
  )
}

/** All addresses together guess at the code that was mailed for a new password. */
async function codes({ address: origin }: FaultShop): Promise<void> {
  const [target] = await people(1)
  const account = target?.email ?? ''
  await postFrom(origin, 'user/send_code', { body: { type: 'reset', account }, from: address(0) })
  const answers: Answer[] = []
  await atOnce(
    AT_ONCE,
    Array.from({ length: 2 * ADDRESSES }, (_, n) => async () => {
      const body = { account, code: String(100_000 + n), password: 'Nangka8Manis' }
      answers.push(await postFrom(origin, 'user/reset', { body, from: address(n % ADDRESSES) }))
    }),
  )
  const judged = tally(answers, 2422)
  expectThat(
    tally(answers, SIGNED_IN) === 0 && judged <= 40,
    `${judged} guesses at a mailed code were judged of ${answers.length}`,
  )
}

async function plantedSession({ address: origin }: FaultShop): Promise<void> {
  const [attacker, victim] = await people(2)
  const planted = await login(attacker?.email ?? '', PASSWORD, address(1))
  const cookie = planted.cookies.find((text) => text.startsWith('sid='))?.split(';')[0] ?? ''
  const answer = await login(victim?.email ?? '', PASSWORD, address(2), { cookie })
  const own = answer.cookies.find((text) => text.startsWith('sid='))?.split(';')[0] ?? ''
  const body = { type: 'proof' }
  const dead = await postFrom(origin, 'user/send_code', {
    body,
    from: address(3),
    headers: { cookie },
  })
  expectThat(
    cookie !== '' && answer.code === SIGNED_IN && own !== '' && own !== cookie,
    'a planted session is not taken over',
  )
  expectThat(dead.status === 401, 'and it is dead for who planted it')
}
