import { useEffect, useState } from 'react'
import type { ApiCalls } from '#api/contract.ts'
import { Picture } from '#ui/picture.tsx'
import { SectionHeader } from '#ui/section.tsx'
import { useHref, useT } from '../i18n.tsx'
import { client } from '../state/client.ts'
import { typeNumber } from '../state/typed-number.ts'
import { keepChoice } from './choice.ts'
import css from './recharge.module.css'

type Past = ApiCalls['recharge/history']['data']['list']

/** The phones that were recharged last, each a press away from the same again. Nothing of it is in the page that everybody gets. */
export function PastRecharges() {
  const t = useT()
  const href = useHref()
  const [past, setPast] = useState<Past>([])
  useEffect(() => {
    const controller = new AbortController()
    const options = { showCheckMsg: false, signal: controller.signal }
    client
      .get()
      ?.get('recharge/history', {}, options)
      .then(({ list }) => setPast(list))
      .catch(() => {})
    return () => controller.abort()
  }, [])
  if (past.length === 0) return null
  return (
    <section className={css.choice}>
      <SectionHeader title={t('recharge.history')} />
      <ul className={`${css.marks} ${css.past}`}>
        {past.map(({ number, operator, plan, at_text: at }) => (
          <li key={`${number} ${plan.item} ${plan.value?.minor ?? ''}`}>
            <a
              href={href(operator.path)}
              onClick={() => {
                typeNumber(number)
                keepChoice({
                  item: plan.item,
                  amount: plan.amount ? (plan.value?.amount.replace(/\.0+$/u, '') ?? null) : null,
                })
              }}
            >
              <Picture src={operator.image} width={80} height={80} alt="" ratio="square" />
              <span>
                <bdi dir="ltr">{number}</bdi>
                <small>
                  {operator.name} · {plan.label}
                </small>
                <small>
                  {t('recharge.again')} · {at}
                </small>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
