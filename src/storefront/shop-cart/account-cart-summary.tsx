import { ButtonLink, Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { SummaryList } from '#ui/summary.tsx'
import { useEffect, useRef } from 'react'
import { CallForm } from '../forms/call-form.tsx'
import type { Outcome } from '../forms/form.ts'
import { useHref, useT, type Words } from '../i18n.tsx'
import { forms, PAY } from './forms.ts'
import { Assurances } from './frame.tsx'
import css from './shop-cart.module.css'

export interface CartSum {
  readonly goods: string
  readonly saving: string | null
  readonly total: string
}

/** What the chosen lines cost, and the way to payment. */
export function Summary({
  sum,
  count,
  refused,
  isPaying,
  onPay,
  onRefused,
}: {
  readonly sum: CartSum
  readonly count: number
  readonly refused: Outcome | null
  readonly isPaying: boolean
  readonly onPay: () => Promise<boolean>
  readonly onRefused: (outcome: Outcome) => void
}) {
  const t = useT()
  return (
    <Panel>
      <div className="stack">
        <SummaryList
          rows={[
            {
              label: t('shop-cart.selected', { count }),
              value: <bdi className="num">{sum.goods}</bdi>,
            },
            ...(sum.saving === null
              ? []
              : [
                  {
                    label: t('shop-cart.discounts'),
                    value: <bdi className="num">{sum.saving}</bdi>,
                    look: 'ok' as const,
                  },
                ]),
            { label: t('shop-cart.fee'), value: t('shop-cart.feeLater'), look: 'muted' },
          ]}
          total={{ label: t('shop-cart.total'), value: sum.total }}
        />
        <CallForm id={PAY} name="pay" form={forms.pay} before={onPay} onRefused={onRefused}>
          {() => (
            <>
              <Refused refused={refused} />
              <div className="wide-only">
                <Button
                  type="submit"
                  look="pay"
                  size="large"
                  block
                  busy={isPaying}
                  disabled={count === 0}
                >
                  {t('shop-cart.pay')}
                </Button>
              </div>
            </>
          )}
        </CallForm>
        {count === 0 ? <p className="small muted">{t('shop-cart.nothingSelected')}</p> : null}
        <Assurances />
      </div>
    </Panel>
  )
}

/** Envelope codes that lead on somewhere. */
const TOO_MANY_UNPAID = 2424
const NOTHING_TO_BUY = 2430

function Refused({ refused }: { readonly refused: Outcome | null }) {
  const t = useT()
  const href = useHref()
  const element = useRef<HTMLDivElement>(null)
  // The button of a phone's bar is far away from here.
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [refused])
  if (!refused) return null
  if (orderOf(refused) !== null) return <MadeNote refused={refused} />
  const action =
    refused.code === TOO_MANY_UNPAID ? (
      <ButtonLink href={href('/user?type=2')} size="small">
        {t('shop-cart.toOrders')}
      </ButtonLink>
    ) : undefined
  return (
    <div className={css.refused} ref={element}>
      <Note tone="bad" role="alert" action={action}>
        {messageOf(refused, t)}
      </Note>
    </div>
  )
}

function messageOf({ faults, message }: Outcome, t: Words['t']): string {
  if (Object.keys(faults).some((field) => field.startsWith('lines.')))
    return t('shop-cart.checkLines')
  return message ?? t('shop-cart.nothingSelected')
}

/** The order that these very lines have become a moment ago. */
function orderOf({ code, data }: Outcome): string | null {
  const order =
    code === NOTHING_TO_BUY ? (data as { readonly order?: unknown } | null)?.order : null
  return typeof order === 'string' ? order : null
}

export function MadeNote({ refused }: { readonly refused: Outcome | null }) {
  const t = useT()
  const href = useHref()
  const order = refused && orderOf(refused)
  if (!order) return null
  return (
    <div className={css.refused}>
      <Note
        tone="ok"
        role="status"
        action={
          <ButtonLink href={href(`/order/cashier?order=${order}`)} size="small">
            {t('shop-cart.toOrder')}
          </ButtonLink>
        }
      >
        {t('shop-cart.orderMade')}
      </Note>
    </div>
  )
}
