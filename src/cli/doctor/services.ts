import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSetting } from '#features/base/setting/queries.ts'
import { isRateSourceUsed } from '#features/goods/currency/rules.ts'
import { ratePolicySetting } from '#features/goods/currency/schema.ts'
import { countUnscreened } from '#features/buying/gate/queries.ts'
import { gateSetting } from '#features/buying/gate/schema.ts'
import { createVaultClient } from '#features/buying/vault/engine/vault-process.ts'
import { openVault, type KnownKey } from '#features/buying/vault/engine/vault.ts'
import { findKeyProblem } from '#features/people/factor/queries.ts'
import { landingPath } from '#features/people/identity/rules.ts'
import { countWaiting } from '#features/people/mail/queries.ts'
import { readServices } from '#features/office/payment-service/queries.ts'
import { readKeyProblems } from '#features/office/health/queries.ts'
import type { Config } from '#platform/config.ts'
import { runsHere } from '#platform/data-directory.ts'
import { hasProgramKey, openKeys } from '#platform/keys.ts'
import { ALIVE_PATH, askLocally, socketOf } from '#platform/local-service.ts'
import { createLogger } from '#platform/log.ts'
import { openVaultKeys } from '#platform/vault-keys.ts'
import { offeredProviders } from '#providers/identity/offered.ts'
import { createSmtpSender } from '#providers/mail/smtp/smtp-sender.ts'
import { offeredPayments } from '#providers/payment/offered.ts'
import type { PaymentProvider } from '#providers/payment/provider.ts'
import { RATE_SERVICES } from '#providers/rates/services.ts'
import { offeredScreening } from '#providers/screening/offered.ts'
import { createTwilioSender, type TwilioSender } from '#providers/sms/twilio/sender.ts'
import { databaseTime, withOpenDatabase, type Found } from './finding.ts'

const ANSWER_MS = 10_000
const MINUTE_MS = 60_000

/** Asks the mail server for an answer, and the database whether mails wait for one. */
export async function lookAtMail(config: Config): Promise<Found> {
  const waiting = (await withOpenDatabase(config, countWaiting)) ?? 0
  const wait =
    waiting === 0 ? '' : `; ${waiting} ${waiting === 1 ? 'mail waits' : 'mails wait'} to be sent`
  if (!config.smtpUrl)
    return config.demo
      ? { note: `kept in the demo's mailbox page${wait}` }
      : { problems: [`SMTP_URL is not set: nobody can get a code${wait}`] }
  const sender = createSmtpSender({ url: config.smtpUrl, from: config.mailFrom })
  try {
    await sender.check()
  } finally {
    sender.close()
  }
  return { note: `the server of SMTP_URL answers${wait}` }
}

/** Asks every payment service that is set up for the payments of the last minute, which reconciliation must be able to do. */
export async function lookAtPayments(config: Config): Promise<Found> {
  const keys = hasProgramKey(config) ? openKeys(config) : null
  const entered = keys
    ? await withOpenDatabase(config, (db) => readServices(db, keys, config.payment))
    : null
  const services = entered?.services ?? config.payment.services
  const payment = { ...config.payment, services }
  const { providers } = await offeredPayments({ ...config, payment }, () => new Date())
  const ways = [
    ...providers.map(({ code }) => code),
    ...(config.payment.bankTransferDetails === null ? [] : ['bank transfer']),
  ]
  const lost = (entered?.unreadable ?? []).map(
    (code) =>
      `the settings of ${code} that were entered in the console cannot be read with this SECRET_KEY: put the key of before back, or enter them anew at Payments`,
  )
  if (config.demo) return { problems: lost, note: "the demo's own" }
  if (ways.length === 0)
    return { problems: [...lost, 'no way to pay is set up: docs/operating/payments.md tells how'] }
  const answers = await Promise.all(providers.map(problemOf))
  return { problems: [...lost, ...answers.flat()], note: ways.join(', ') }
}

/** Whether every source of exchange rates that the shop's setting names has the settings that it needs. */
export async function lookAtRates(config: Config): Promise<Found> {
  const policy = await withOpenDatabase(config, (db) => readSetting(db, ratePolicySetting))
  if (!policy) return { note: 'not looked at, as the database does not run or is empty' }
  const used = RATE_SERVICES.filter(({ code }) => isRateSourceUsed(policy, code))
  return {
    problems: used
      .filter(({ code }) => config.rates[code] === undefined)
      .map(
        ({ code, name }) =>
          `the setting exchange_rates names ${code}, and the settings of ${name} are missing: docs/operating/exchange-rates.md`,
      ),
    note:
      used.length === 0
        ? 'of the catalogue, or set by hand'
        : `from ${used.map(({ code }) => code).join(', ')}`,
  }
}

/** Whether the service that shoppers are screened by answers, and nobody waits for it; asked about a name that nobody has. */
export async function lookAtScreening(config: Config): Promise<Found> {
  const read = await withOpenDatabase(config, async (db) => {
    const { time } = await databaseTime(db)
    return {
      gate: await readSetting(db, gateSetting),
      waiting: await countUnscreened(db, new Date(time.getTime() - MINUTE_MS)),
    }
  })
  if (!read) return { note: 'not looked at, as the database does not run or is empty' }
  const provider = await offeredScreening(config.screening)
  if (!read.gate.screening)
    return {
      note: provider
        ? 'the service is set up, and delivery_gate.screening does not ask it'
        : 'by lists alone',
    }
  if (!provider)
    return {
      problems: [
        'delivery_gate.screening asks a service, and none is set up, so that every order is held: docs/operating/risk.md',
      ],
    }
  const answer = await provider.screen(randomUUID(), DOCTORS_PERSON)
  return {
    problems: [
      ...(answer.kind === 'unknown'
        ? [`${provider.code} does not answer (${answer.why}): orders are held until it does`]
        : []),
      ...(read.waiting > 0
        ? [`${read.waiting} shoppers wait for an answer of ${provider.code}`]
        : []),
    ],
    note: `${provider.code} answers`,
  }
}

const DOCTORS_PERSON = { names: ['Xqzv Wvqzx Nobody'], email: null, countries: [] }

/** Asks every sign-in service that is set up whether it knows the shop. */
export async function lookAtSignIn(config: Config): Promise<Found> {
  if (config.demo) return { note: "the demo's own" }
  const providers = [...(await offeredProviders(config, () => new Date())).values()]
  if (providers.length === 0) return { note: 'by password and passkey; no other service is set up' }
  const answers = await Promise.all(
    providers.map(({ platform, check }) =>
      problemIn(platform, 'takes no sign-ins of this shop', () =>
        check(config.publicUrl + landingPath(platform)),
      ),
    ),
  )
  return { problems: answers.flat(), note: providers.map(({ platform }) => platform).join(', ') }
}

/** Asks the service for text messages, where there is one, whether it knows the shop. */
export async function lookAtTextMessages(
  config: Config,
  sender: Pick<TwilioSender, 'check'> | null = config.twilio
    ? createTwilioSender(config.twilio)
    : null,
): Promise<Found> {
  if (config.demo) return { note: "kept in the demo's mailbox page" }
  if (!sender) return { note: 'none are sent: no service is set up' }
  return {
    problems: await problemIn('the service', 'sends none for this shop', sender.check),
    note: 'the service knows this shop',
  }
}

/** Whether the process that draws and decodes pictures answers; a frozen one takes calls, and visitors wait for their pictures. */
export async function lookAtPictures({ dataDirectory }: Config): Promise<Found> {
  if (!runsHere(dataDirectory, 'web')) return { note: 'not looked at, as no web process runs here' }
  try {
    await askLocally(socketOf(dataDirectory, 'pictures'), ALIVE_PATH, '', PICTURES)
    return { note: 'the process that draws them and reads uploads answers' }
  } catch {
    return {
      problems: [
        'the process that draws them and reads uploads does not answer: no picture is made, and no upload taken',
      ],
    }
  }
}

/** It is away for a moment now and then, to be started anew, and may end over a call. */
const PICTURES = { timeoutMs: ANSWER_MS / 2, connectMs: ANSWER_MS / 2, tries: 2 }

async function problemIn(
  who: string,
  what: string,
  ask: () => Promise<unknown>,
): Promise<readonly string[]> {
  const asked = ask().then(
    () => [],
    (error: unknown) => [
      `${who} ${what}: ${error instanceof Error ? error.message : String(error)}`,
    ],
  )
  const late = sleep(ANSWER_MS, undefined, { ref: false }).then(() => [
    `${who} does not answer within ${ANSWER_MS / 1_000} seconds`,
  ])
  return Promise.race([asked, late])
}

/** Whether the key that second factors are sealed with is the one this shop was made with. */
export async function lookAtSecretKey(config: Config): Promise<Found> {
  const keys = hasProgramKey(config) ? openKeys(config) : null
  const problem = await withOpenDatabase(config, (db) => findKeyProblem({ db }, keys))
  return {
    problems: problem === null ? [] : [problem],
    note: keys === null ? 'none yet; the first start makes one' : 'there',
  }
}

function problemOf(provider: PaymentProvider): Promise<readonly string[]> {
  const until = new Date()
  return problemIn(provider.code, 'does not list its payments', () =>
    provider
      .list({ since: new Date(until.getTime() - MINUTE_MS), until })
      [Symbol.asyncIterator]()
      .next(),
  )
}

/** Whether the keys of card keys are there, and those that the database needs. A running shop's own process is asked. */
export async function lookAtVault(config: Config): Promise<Found> {
  if (config.role === 'worker' && !config.demo) return { note: 'not needed by a worker' }
  const isRunning = runsHere(config.dataDirectory, 'vault') || runsHere(config.dataDirectory, 'web')
  const isThere =
    config.vaultKeys !== undefined || existsSync(join(config.dataDirectory, 'vault.key'))
  const known = isRunning ? await askProcess(config) : isThere ? await readOwn(config) : []
  const problems = await withOpenDatabase(config, (db) => readKeyProblems(db, known))
  return {
    problems: (problems ?? []).map(({ text }) => text),
    note: isRunning
      ? `the process that keeps the keys answers; ${sentenceOf(known)}`
      : isThere
        ? sentenceOf(known)
        : 'no key yet; the first start makes one',
  }
}

async function askProcess({ dataDirectory }: Config): Promise<readonly KnownKey[]> {
  const silent = { ...createLogger({ level: 'error' }), error: () => {} }
  try {
    return await createVaultClient(socketOf(dataDirectory, 'vault'), silent).keys()
  } catch (error) {
    throw new Error(
      'the process that keeps the keys of card keys does not answer: no code can be shown, and none put into stock',
      { cause: error },
    )
  }
}

function readOwn(config: Config): Promise<readonly KnownKey[]> {
  return openVault(() => openVaultKeys(config)).keys()
}

function sentenceOf(known: readonly KnownKey[]): string {
  return `${known.length === 1 ? 'key' : 'keys'} ${known.map(({ id }) => id).join(', ')} ${known.length === 1 ? 'is' : 'are'} there`
}
