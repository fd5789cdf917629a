import { useEffect, useId, useState } from 'react'
import { newActKey } from '../browser/act-key.ts'
import { callConsole, type CallOutcome } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Effect, useEffectOf } from '../kit/effect.tsx'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import { Fields, formOf, type Form } from './act-fields.tsx'
import type { OrderData } from './load.ts'
import type { OrderActName, UnitActName } from './may.ts'

/** What was chosen to be done, and with which unit or refund. */
export type Chosen =
  | { readonly act: OrderActName }
  | { readonly act: Exclude<UnitActName, 'deliver'>; readonly unit: string }
  | { readonly act: 'repeat'; readonly refund: string }

interface ActProps {
  readonly data: OrderData
  readonly chosen: Chosen
  readonly close: () => void
  readonly done: (text: string) => void
}

/** Acts whose effect the server tells before they are taken. */
const TOLD: ReadonlySet<string> = new Set([
  'refund',
  'return_money',
  'accept_money',
  'cancel',
  'release',
  'refuse',
  'replace',
  'supplier',
])

/** One act beside the order: what it takes, what it will do, and the press that does it. */
export function ActPanel({ data, chosen, close, done }: ActProps) {
  const t = useT()
  const heading = useId()
  const attempt = useAttempt()
  // One panel is one act: pressed again after a lost answer, it is the same.
  const [key] = useState(newActKey)
  const [form, setForm] = useState<Form>(() => formOf(data, chosen))
  const { act } = chosen
  const units = 'unit' in chosen ? [chosen.unit] : act === 'refund' ? form.units : undefined
  // What is let cost more is let cost what was read, and no more.
  const [cost, setCost] = useState<SeenCost | null>(null)
  const isPossible = act !== 'refund' || form.units.length > 0
  const isReady = isPossible && (act !== 'supplier' || cost !== null)
  async function send() {
    const outcome = await attempt.run(() => sendAct(data, chosen, form, { key, cost }))
    if (!outcome) return
    done(t(outcome.waits ? 'console.acts.waits' : 'console.acts.done'))
    refreshPage()
  }
  return (
    <section
      className="panel stack first-s"
      aria-labelledby={heading}
      style={{ borderColor: 'var(--line-strong)' }}
    >
      <h2 id={heading}>{t(`console.acts.name.${act}`)}</h2>
      <form
        className="stack-2"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <Fields data={data} act={act} form={form} setForm={setForm} attempt={attempt} />
        {TOLD.has(act) && isPossible && (
          <ToldEffect data={data} act={act} units={units} to={form.to} tellCost={setCost} />
        )}
        <Fault text={attempt.fault} />
        <div className="row wrapx">
          <button type="submit" className="btn pay" disabled={attempt.isBusy || !isReady}>
            {t(`console.acts.name.${act}`)}
          </button>
          <button type="button" className="btn edge" onClick={close}>
            {t('console.acts.close')}
          </button>
        </div>
      </form>
    </section>
  )
}

interface SeenCost {
  readonly minor: string
  readonly currency: string
}

/** Somebody else was quicker where the order is not at what this page was read at. */
function ToldEffect({
  data,
  act,
  units,
  to,
  tellCost,
}: {
  readonly data: OrderData
  readonly act: string
  readonly units: readonly string[] | undefined
  readonly to: string
  readonly tellCost: (cost: SeenCost | null) => void
}) {
  const t = useT()
  const told = useEffectOf({
    order: data.order.number,
    act,
    to,
    ...(units === undefined ? {} : { units }),
  })
  useEffect(() => tellCost(costOf(told)), [told, tellCost])
  const isStale = told !== null && typeof told !== 'string' && told.version !== data.version
  return (
    <>
      {isStale && (
        <div className="note warn" role="alert">
          <p>{t('console.acts.changed')}</p>
          <button type="button" className="btn edge sm" onClick={refreshPage}>
            {t('console.acts.look')}
          </button>
        </div>
      )}
      <Effect told={told} />
    </>
  )
}

function costOf(told: ReturnType<typeof useEffectOf>): SeenCost | null {
  if (told === null || typeof told === 'string') return null
  const { amount_minor: minor, currency } = told
  return minor === null || currency === null ? null : { minor, currency }
}

type Answer = { readonly waits?: string | null }

/** The call of an act, with what it takes. */
function sendAct(
  { order, version }: OrderData,
  chosen: Chosen,
  form: Form,
  { key, cost }: { readonly key: string; readonly cost: SeenCost | null },
): Promise<CallOutcome<Answer>> {
  const seen = { order: order.number, version, key }
  switch (chosen.act) {
    case 'refund': {
      const { units, to, reason } = form
      return callConsole('orders/refund', { ...seen, units, to, reason })
    }
    case 'accept_money':
    case 'return_money':
      return callConsole(`orders/${chosen.act}`, { ...seen, to: form.to })
    case 'repeat':
      return callConsole('orders/repeat_refund', { ...seen, refund: chosen.refund, to: form.to })
    case 'release':
    case 'refuse':
      return callConsole(`orders/${chosen.act}`, { ...seen, note: form.text })
    case 'replace':
      return callConsole('orders/replace_key', { ...seen, unit: chosen.unit, reason: form.text })
    case 'doubt': {
      const said = { unit: chosen.unit, outcome: form.outcome, proof: form.text }
      return callConsole('orders/decide_doubt', { ...seen, ...said })
    }
    case 'hand':
    case 'supplier': {
      const seenCost = chosen.act === 'supplier' ? { seen_cost: cost } : {}
      const { unit, act: to } = chosen
      return callConsole('orders/lead_unit', { ...seen, unit, to, ...seenCost })
    }
    case 'note':
      return callConsole('orders/note', { order: order.number, key, text: form.text })
    case 'send_mail':
      return callConsole('orders/send_mail', { order: order.number, key, kind: form.kind })
    case 'cancel':
    case 'requeue':
      return callConsole(`orders/${chosen.act}`, seen)
    default:
      return chosen satisfies never
  }
}
