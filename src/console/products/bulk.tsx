import { useState } from 'react'
import { refreshPage } from '../browser/navigation.ts'
import { Choice, LineField } from '../kit/fields.tsx'
import { useT } from '../words.tsx'
import { Making } from './making.tsx'
import { filterBody, type FilterValues } from './filters.ts'
import { useChange, type Asked } from './use-change.ts'

const ACTS = ['percent', 'over_cost', 'on', 'offAct', 'stock', 'position'] as const
type Act = (typeof ACTS)[number]
const TAKES_PERCENT: readonly Act[] = ['percent', 'over_cost']
const TAKES_NUMBER: readonly Act[] = ['stock', 'position']

/** What is done to every item that is selected, or to all that the list's filters match. */
export function Bulk({
  chosen,
  filters,
  mayPrice,
  forget,
  done,
}: {
  readonly chosen: ReadonlySet<string>
  readonly filters: FilterValues
  readonly mayPrice: boolean
  readonly forget: () => void
  readonly done: (change: string | null, rows: number) => void
}) {
  const t = useT()
  const acts = ACTS.filter((act) => mayPrice || !TAKES_PERCENT.includes(act))
  const [act, setAct] = useState<Act>(acts[0] ?? 'on')
  const [typed, setTyped] = useState('')
  const [isAll, setAll] = useState(false)
  const rule = ruleOf(act, typed)
  const reach: Asked = isAll ? { filter: filterBody(filters) } : { codes: [...chosen] }
  const change = useChange(rule && { rule, ...reach })
  const told = typeof change.told === 'string' ? null : change.told
  const isWrong = typed !== '' && rule === null
  async function make() {
    const made = await change.make({ kind: 'bulk', partial: (told?.faults.length ?? 0) > 0 })
    if (!made) return
    forget()
    done(made.change, made.rows)
    refreshPage()
  }
  return (
    <section className="panel stack-2" aria-label={t('console.products.bulk.what')}>
      <div className="row wrapx between">
        <h2>{t('console.products.bulk.selected', { count: chosen.size })}</h2>
        <label className="check">
          <input
            type="checkbox"
            checked={isAll}
            onChange={(event) => setAll(event.target.checked)}
          />
          <span>{t('console.products.bulk.allMatching')}</span>
        </label>
      </div>
      <What {...{ acts, act, typed, setTyped, isWrong }} choose={setAct} />
      <Making
        change={change}
        isReady={rule !== null}
        leave={{ text: t('console.orders.clear'), press: forget }}
        make={{
          text: t('console.products.bulk.make', { count: told?.goods ?? 0 }),
          press: make,
        }}
      />
    </section>
  )
}

interface WhatProps {
  readonly acts: readonly Act[]
  readonly act: Act
  readonly typed: string
  readonly isWrong: boolean
  readonly choose: (act: Act) => void
  readonly setTyped: (text: string) => void
}

/** What is done, and by how much. */
function What({ acts, act, typed, isWrong, choose, setTyped }: WhatProps) {
  const t = useT()
  return (
    <div className="row wrapx">
      <Choice
        label={t('console.products.bulk.what')}
        value={act}
        options={acts.map((one) => ({ value: one, text: actText(t, one) }))}
        choose={(one) => {
          choose(acts.find((known) => known === one) ?? act)
          setTyped('')
        }}
      />
      {(TAKES_PERCENT.includes(act) || TAKES_NUMBER.includes(act)) && (
        <LineField
          label={t(
            TAKES_PERCENT.includes(act) ? 'console.products.bulk.by' : 'console.products.bulk.to',
          )}
          value={typed}
          max={12}
          write={setTyped}
          fault={isWrong ? t('console.products.bulk.percentWrong') : undefined}
        />
      )}
    </div>
  )
}

/** Stock and place are called what their columns are. */
function actText(t: ReturnType<typeof useT>, act: Act): string {
  return act === 'stock' || act === 'position'
    ? t(`console.products.${act}`)
    : t(`console.products.bulk.${act}`)
}

/** The rule that was chosen; null while it is not whole. */
function ruleOf(act: Act, typed: string): Asked | null {
  if (act === 'on' || act === 'offAct')
    return { by: 'set', field: 'status', to: act === 'on' ? 'active' : 'suspended' }
  const plain = typed.trim().replace('%', '').replace(',', '.').replace('−', '-').trim()
  if (act === 'stock' || act === 'position')
    return /^\d{1,7}$/.test(plain) ? { by: 'set', field: act, to: Number(plain) } : null
  if (!/^[+-]?\d{1,4}(\.\d{1,2})?$/.test(plain)) return null
  return { by: act, basis_points: Math.round(Number(plain) * 100) }
}
