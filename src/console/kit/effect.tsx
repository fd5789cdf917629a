import { useEffect, useState } from 'react'
import { providerName } from './provider-name.ts'
import { readConsole } from '../browser/call.ts'
import { useT } from '../words.tsx'

/** What an act would do, as the server tells it. */
interface ActEffect {
  readonly version: string
  readonly amount_minor: string | null
  readonly currency: string | null
  readonly amount_text: string | null
  readonly fee_text: string | null
  readonly to: 'original' | 'store_credit' | 'nowhere' | 'supplier'
  readonly provider: string | null
  readonly units: readonly string[]
  readonly codes: { readonly delivered: number; readonly seen: number }
  readonly limits: {
    readonly to_same_text: string
    readonly role_limit_text: string | null
    readonly shop_limit_text: string
    readonly given_text: string
    readonly given_limit_text: string | null
    readonly for_order_text: string
    readonly for_order_limit_text: string | null
  } | null
  readonly needs_second_person: boolean
  readonly accepted: AcceptedMoney | null
}

/** Money that came late or too little, and what it would pay for. */
interface AcceptedMoney {
  readonly kept_text: string
  readonly parts: readonly { readonly provider: string; readonly amount_text: string }[]
  readonly needed_text: string
  readonly shortfall_text: string | null
  readonly surplus_text: string | null
  readonly was: 'open' | 'cancelled' | 'expired'
  readonly lacking: readonly string[]
}

interface Wondered {
  readonly order: string
  readonly act: string
  readonly units?: readonly string[]
  readonly to?: string
}

/** What would happen: asked anew whenever something of it is chosen otherwise. Null while it is being asked; a text where it cannot be done. */
export function useEffectOf({ order, act, units, to }: Wondered): ActEffect | string | null {
  const t = useT()
  const [told, setTold] = useState<ActEffect | string | null>(null)
  const named = units?.join(',')
  useEffect(() => {
    const ending = new AbortController()
    const params = {
      order,
      act,
      ...(named === undefined ? {} : { units: named }),
      ...(to === undefined ? {} : { to }),
    }
    setTold(null)
    readConsole<ActEffect>('orders/preview', params, ending.signal).then(
      (outcome) => setTold(outcome.isDone ? outcome.data : outcome.message),
      () => {
        if (!ending.signal.aborted) setTold(t('console.unreachable'))
      },
    )
    return () => ending.abort()
    // biome-ignore lint/correctness/useExhaustiveDependencies: the translator is the same for a whole visit
  }, [order, act, named, to])
  return told
}

/** The effect of an act in rows, before it is done. */
export function Effect({ told }: { readonly told: ActEffect | string | null }) {
  const t = useT()
  return (
    <section className="fx" aria-live="polite" aria-busy={told === null}>
      <h3>
        {t('console.effect')}
        <span>{t('console.acts.notYet')}</span>
      </h3>
      {typeof told === 'string' ? (
        <ul>
          <li>
            <span className="down">{told}</span>
          </li>
        </ul>
      ) : (
        told && <EffectRows told={told} />
      )}
    </section>
  )
}

/** What the amount of an effect is. */
const AMOUNTS = {
  original: 'console.acts.back',
  store_credit: 'console.acts.back',
  nowhere: 'console.acts.counts',
  supplier: 'console.acts.cost',
} as const

function EffectRows({ told }: { readonly told: ActEffect }) {
  const t = useT()
  const goesBack = told.to === 'original' || told.to === 'store_credit'
  return (
    <ul>
      {told.accepted && <AcceptedRows accepted={told.accepted} />}
      {told.amount_text !== null && (
        <li>
          <span>{t(AMOUNTS[told.to])}</span>
          <span className="moved">
            <bdi>{told.amount_text}</bdi>
          </span>
          {told.fee_text !== null && (
            <small>{t('console.acts.fee', { amount: told.fee_text })}</small>
          )}
        </li>
      )}
      {told.to !== 'supplier' && told.accepted === null && (
        <li>
          <span>{t('console.acts.to')}</span>
          <span>
            {t(`console.acts.way.${told.to}`)}{' '}
            {goesBack && <bdi>{providerName(t, told.provider ?? '')}</bdi>}
          </span>
        </li>
      )}
      {told.codes.delivered > 0 && (
        <li>
          <span>{t('console.acts.codes')}</span>
          <b className={told.codes.seen > 0 ? 'down' : undefined}>
            {told.codes.seen} / {told.codes.delivered}
          </b>
        </li>
      )}
      {told.limits && <Limits limits={told.limits} />}
      <li>
        <b>{t(told.needs_second_person ? 'console.acts.second' : 'console.acts.alone')}</b>
      </li>
    </ul>
  )
}

/** What was given by now, of what may be: to the same customer, to everybody, and for the order. */
function Limits({ limits }: { readonly limits: NonNullable<ActEffect['limits']> }) {
  const t = useT()
  const lines = [
    [
      t('console.acts.today'),
      limits.to_same_text,
      limits.role_limit_text ?? limits.shop_limit_text,
    ],
    [t('console.people.total.day'), limits.given_text, limits.given_limit_text],
    [t('console.people.total.order'), limits.for_order_text, limits.for_order_limit_text],
  ] as const
  return lines.map(
    ([name, given, limit]) =>
      limit !== null && (
        <li key={name}>
          <span>{name}</span>
          <bdi className="money">{given}</bdi>
          <small>{t('console.acts.limit', { limit })}</small>
        </li>
      ),
  )
}

function AcceptedRows({ accepted }: { readonly accepted: AcceptedMoney }) {
  const t = useT()
  const { shortfall_text: shortfall, surplus_text: surplus, lacking } = accepted
  return (
    <>
      <li>
        <span>{t('console.acts.came')}</span>
        <span className="moved">
          <bdi>{accepted.kept_text}</bdi>
        </span>
        <small>{t('console.acts.asked', { amount: accepted.needed_text })}</small>
      </li>
      {accepted.parts.length > 1 &&
        accepted.parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two payments of one service may bring the same
          <li key={`${part.provider} ${index}`}>
            <bdi className="small">{providerName(t, part.provider)}</bdi>
            <bdi className="money">{part.amount_text}</bdi>
          </li>
        ))}
      {shortfall !== null && (
        <li>
          <span>{t('console.acts.shortfall')}</span>
          <bdi className="money down">{shortfall}</bdi>
        </li>
      )}
      {surplus !== null && (
        <li>
          <span>{t('console.acts.back')}</span>
          <bdi className="money">{surplus}</bdi>
        </li>
      )}
      {accepted.was !== 'open' && (
        <li>
          <span>{t('console.acts.reopened')}</span>
        </li>
      )}
      <li>
        <span className={lacking.length > 0 ? 'down' : undefined}>
          {t(lacking.length > 0 ? 'console.acts.lacking' : 'console.acts.reserved')}
        </span>
        {lacking.length > 0 && <bdi className="mono small">{lacking.join(', ')}</bdi>}
      </li>
    </>
  )
}
