import { useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { LineField } from '../kit/fields.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import { Criteria } from './criteria.tsx'
import { RuleButtons } from './rule-buttons.tsx'
import type { RuleView } from './rule.ts'

interface RuleEffect {
  readonly looked: number
  readonly moved: number
  readonly examples: readonly {
    readonly item: string
    readonly name: string
    readonly from: string
    readonly to: string
  }[]
}

interface Held {
  readonly rule: RuleView['rule']
  readonly loss_basis_points: number
  readonly loss_usd_minor: number | null
  readonly version: string
}

/** What the shop goes by where an item says nothing: tried on everything that is bought before it is made, and taken back by one press. */
export function RulePanel({ shown }: { readonly shown: RuleView }) {
  const t = useT()
  const [last, setLast] = useState<Held | null>(null)
  return (
    <div className="g2 half">
      <section className="panel stack" aria-labelledby="rule">
        <h2 id="rule">{t('console.suppliers.view.rule')}</h2>
        <RuleForm key={shown.version} shown={shown} last={last} setLast={setLast} />
      </section>
      <section className="panel stack" aria-labelledby="alerts">
        <h2 id="alerts">{t('console.suppliers.alerts')}</h2>
        <AlertForm shown={shown} />
      </section>
    </div>
  )
}

interface RuleFormProps {
  readonly shown: RuleView
  /** The rule before the one that was just made; null where none was. */
  readonly last: Held | null
  readonly setLast: (rule: Held) => void
}

function RuleForm({ shown, last, setLast }: RuleFormProps) {
  const attempt = useAttempt()
  const [rule, setRule] = useState(shown.rule)
  const [percent, setPercent] = useState(String(shown.lossBasisPoints / 100))
  const [dollars, setDollars] = useState(
    shown.lossUsdMinor === null ? '' : String(shown.lossUsdMinor / 100),
  )
  const [effect, setEffect] = useState<RuleEffect | null>(null)
  const body = {
    rule,
    loss_basis_points: hundredthsOf(percent) ?? -1,
    loss_usd_minor: dollars.trim() === '' ? null : (hundredthsOf(dollars) ?? -1),
    version: shown.version,
  }
  async function save(given: Held): Promise<void> {
    const before = await attempt.run(() => callConsole<Held>('suppliers/rule/set', { ...given }))
    if (!before) return
    setLast(before)
    refreshPage()
  }
  const tryOut = async () =>
    setEffect(await attempt.run(() => callConsole<RuleEffect>('suppliers/rule/preview', { rule })))
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void (effect ? save(body) : tryOut())
      }}
    >
      <Criteria
        rule={rule}
        disabled={!shown.mayChange}
        write={(next) => {
          setRule(next)
          setEffect(null)
        }}
      />
      <Losses
        percent={percent}
        setPercent={setPercent}
        dollars={dollars}
        setDollars={setDollars}
        fields={attempt.fields}
        disabled={!shown.mayChange}
      />
      {effect && <Effect effect={effect} />}
      <Fault text={attempt.fault ?? attempt.fields['rule'] ?? null} />
      <RuleButtons
        isTried={effect !== null}
        isBusy={attempt.isBusy}
        disabled={rule.length === 0 || (effect !== null && !shown.mayChange)}
        takeBack={
          last !== null && shown.mayChange
            ? () => void save({ ...last, version: shown.version })
            : null
        }
      />
    </form>
  )
}

function Losses({
  percent,
  setPercent,
  dollars,
  setDollars,
  fields,
  disabled,
}: {
  readonly percent: string
  readonly setPercent: (value: string) => void
  readonly dollars: string
  readonly setDollars: (value: string) => void
  readonly fields: Readonly<Record<string, string>>
  readonly disabled: boolean
}) {
  const t = useT()
  return (
    <>
      <LineField
        label={t('console.suppliers.loss')}
        hint={t('console.suppliers.lossHint')}
        value={percent}
        max={6}
        write={setPercent}
        fault={fields['loss_basis_points']}
        disabled={disabled}
      />
      <LineField
        label={t('console.suppliers.lossMost')}
        value={dollars}
        max={8}
        write={setDollars}
        fault={fields['loss_usd_minor']}
        disabled={disabled}
      />
    </>
  )
}

function Effect({ effect }: { readonly effect: RuleEffect }) {
  const t = useT()
  return (
    <section className="fx" aria-live="polite">
      <h3>
        {t('console.effect')}
        <span>{t('console.acts.notYet')}</span>
      </h3>
      <ul>
        <li>
          <span>
            {t('console.suppliers.moved', { count: effect.moved, of: String(effect.looked) })}
          </span>
        </li>
        {effect.examples.map((each) => (
          <li key={each.item}>
            <span dir="auto">{each.name}</span>
            <span className="chg">
              <bdi className="from">{each.from}</bdi>
              <b className="to">
                <bdi>{each.to}</bdi>
              </b>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function AlertForm({ shown }: { readonly shown: RuleView }) {
  const t = useT()
  const attempt = useAttempt()
  const [hours, setHours] = useState(String(shown.alertHours))
  const [isSaved, setSaved] = useState(false)
  return (
    <form
      className="stack-2"
      onSubmit={(event) => {
        event.preventDefault()
        void attempt
          .run(() => callConsole('suppliers/alert_hours', { hours: Number(hours) }))
          .then((done) => setSaved(done !== null))
      }}
    >
      <LineField
        label={t('console.suppliers.alertHours')}
        hint={t('console.suppliers.alertHint')}
        value={hours}
        max={4}
        write={(value) => {
          setHours(value)
          setSaved(false)
        }}
        fault={attempt.fields['hours']}
        disabled={!shown.mayChange}
      />
      <Fault text={attempt.fault} />
      <p role="status">{isSaved && t('console.acts.done')}</p>
      <button type="submit" className="btn edge" disabled={attempt.isBusy || !shown.mayChange}>
        {t('console.suppliers.save')}
      </button>
    </form>
  )
}

/** Hundredths of what was typed; null for what is no number. */
function hundredthsOf(typed: string): number | null {
  const [, whole = '', part = ''] = /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(typed.trim()) ?? []
  return whole === '' ? null : Number(whole + part.padEnd(2, '0'))
}
