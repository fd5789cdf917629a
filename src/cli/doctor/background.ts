import { listMissing } from '#features/goods/browse/snapshot.ts'
import { NO_SAMPLES, readSampleTexts } from '#features/goods/content/engine/sample-texts.ts'
import { REQUIRED_TEXTS } from '#features/base/shop/rules.ts'
import { readSetting } from '#features/base/setting/queries.ts'
import { sellIncompleteSetting } from '#features/base/shop/schema.ts'
import { findLastFailure } from '#features/office/alert/queries.ts'
import { alertsSetting } from '#features/office/alert/schema.ts'
import { countViolations } from '#features/buying/order/queries.ts'
import { findLook, readLooks } from '#features/buying/promise/queries.ts'
import { readHealth } from '#features/office/health/queries.ts'
import { healthProblems, isWork, type HealthProblem } from '#features/office/health/rules.ts'
import { listBrokenSettings } from '#features/office/setting/queries.ts'
import type { Config } from '#platform/config.ts'
import { systemErrorCode } from '#platform/refusal.ts'
import { paymentCodesOf } from '../payment-services.ts'
import { databaseTime, withOpenDatabase, type Found } from './finding.ts'

const SKEW_MS = 5_000
/** Longer than that a person does not wait; the worker looks at all of them each night, however long it takes. */
const ORDERS_MS = 60_000
const QUERY_CANCELED = '57014'

/** How the work in the background stands: who is alive, what fails, what waits, and what waits for a person. */
export async function lookAtBackground(config: Config): Promise<Found> {
  const problems = await withOpenDatabase(config, async (db) => {
    const now = await databaseTime(db)
    return healthProblems(
      await readHealth(db, now.time, await paymentCodesOf(config, db)),
      now.time,
    )
  })
  if (!problems) return { note: 'not looked at, as the database does not run or is empty' }
  const texts = (isWanted: (problem: HealthProblem) => boolean) =>
    problems.filter(isWanted).map(({ text }) => text)
  const faults = texts((problem) => !isWork(problem) && problem.kind !== 'broken_promises')
  return {
    problems: faults,
    work: texts(isWork),
    note: 'a worker is alive, and what is done again and again is done',
  }
}

/** How far this machine's clock is off, as certificates and signatures go by it. */
export async function lookAtClock(config: Config): Promise<Found> {
  const now = await withOpenDatabase(config, databaseTime)
  if (!now) return { note: 'not compared, as the database does not run' }
  const seconds = Math.round(Math.abs(now.skewMs) / 1_000)
  const sentence = `this machine's clock is ${seconds} s ${now.skewMs > 0 ? 'ahead of' : 'behind'} the database's`
  return Math.abs(now.skewMs) > SKEW_MS
    ? { problems: [`${sentence}: set it by a time service`] }
    : { note: "this machine's and the database's agree" }
}

/** Whether every promise about orders, money and keys holds, as the database tells. */
export async function lookAtOrders(config: Config, withinMs = ORDERS_MS): Promise<Found> {
  const broken = await withOpenDatabase(config, countViolations, withinMs).catch(
    (error: unknown) => {
      if (systemErrorCode(error) === QUERY_CANCELED) return 'too_many' as const
      throw error
    },
  )
  if (!broken) return { note: 'not looked at, as the database does not run or has no orders yet' }
  const looks = await withOpenDatabase(config, readLooks)
  const found = broken === 'too_many' ? [] : broken
  const problems = [
    ...(found.length === 0
      ? []
      : [
          `promises are broken: ${found.map(({ invariant, count }) => `${invariant} (${count})`).join(', ')}. Take a backup, and look at the view invariant_violation.`,
        ]),
    ...(looks?.problem ? [looks.problem] : []),
  ]
  if (problems.length > 0) return { problems }
  if (broken !== 'too_many') return { note: 'every promise about orders, money and keys holds' }
  const everything = await withOpenDatabase(config, (db) => findLook(db, 'everything'))
  const endedAt = everything?.endedAt
  return endedAt
    ? {
        note: `too many to look at now; the worker has found nothing broken, all of them last looked at ${endedAt.toISOString()}`,
      }
    : {
        problems: [
          `too many to look at within ${withinMs / 1_000} s, and the worker has not looked at all of them yet`,
        ],
      }
}

/** Whether every setting of the shop can be read: what cannot has its default. */
export async function lookAtSettings(config: Config): Promise<Found> {
  const broken = await withOpenDatabase(config, listBrokenSettings)
  if (!broken) return { note: 'not looked at, as the database does not run or has no settings yet' }
  const problems = broken.map((sentence) => `${sentence}. Set it anew: npm run cli -- settings set`)
  const samples = config.demo ? NO_SAMPLES : await readSampleTexts(REQUIRED_TEXTS)
  const lacks = await withOpenDatabase(config, async (db) => ({
    missing: await listMissing(db, samples),
    sells: await readSetting(db, sellIncompleteSetting),
  }))
  if (lacks && lacks.missing.length > 0)
    problems.push(
      `the shop lacks ${lacks.missing.join(', ')}${lacks.sells ? '' : ' and sells nothing before they are there'}; see docs/operating/from-demo-to-real-shop.md.`,
    )
  return { problems, note: 'all can be read, and what a shop must have is there' }
}

/** Whether somebody is told when the shop needs a person, and the webhook takes it. */
export async function lookAtAlerts(config: Config): Promise<Found> {
  const found = await withOpenDatabase(config, async (db) => ({
    settings: await readSetting(db, alertsSetting),
    failure: await findLastFailure(db),
  }))
  if (!found) return { note: 'not looked at, as the database does not run or is empty' }
  const { settings, failure } = found
  const told = [
    ...(settings.email === null ? [] : [settings.email]),
    ...(settings.webhook === null ? [] : [new URL(settings.webhook.url).host]),
  ]
  return {
    problems: failure === null ? [] : [`alerts.webhook does not take what it is sent: ${failure}`],
    note:
      told.length === 0
        ? 'nobody is told when something needs a person: npm run cli -- settings set alerts.email'
        : `told to ${told.join(' and ')}`,
  }
}
