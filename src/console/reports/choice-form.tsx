import { useId, useState } from 'react'
import { COMPARED, REPORT_PERIODS, type ReportPeriod } from '#features/office/report/rules.ts'
import { Choice } from '../kit/fields.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useT } from '../words.tsx'
import { REPORTS_PATH } from './address.ts'
import type { ShownReport } from './load.ts'
import { SPLIT_NAMES } from './table-panel.tsx'

/** A form of an address: a period and what it is compared with, the currency, and what is told apart. */
export function ChoiceForm({
  shown,
  saved,
}: {
  readonly shown: ShownReport
  /** The saved one that is looked at, which other filters are for. */
  readonly saved: string | null
}) {
  const t = useT()
  const { choice, splits, currencies } = shown
  const [period, setPeriod] = useState<ReportPeriod>(firstPeriod(shown))
  const ago = period === choice.period ? choice.ago : 0
  const [compare, setCompare] = useState<string>(choice.compare)
  const [currency, setCurrency] = useState(choice.currency ?? '')
  const [by, setBy] = useState<string>(choice.by)
  const splitOptions = splits.map((value) => ({ value, text: t(SPLIT_NAMES[value]) }))
  return (
    <form className="panel" action={REPORTS_PATH}>
      <input type="hidden" name="report" value={choice.report} />
      {saved !== null && <input type="hidden" name="saved" value={saved} />}
      <div className="row wrapx report-form">
        <Choice
          label={t('console.home.period')}
          name="period"
          value={period}
          options={REPORT_PERIODS.map((value) => ({
            value,
            text: t(`console.reports.period.${value}`),
          }))}
          choose={(value) => setPeriod(value as ReportPeriod)}
        />
        {period === 'span' ? (
          <Days shown={shown} />
        ) : (
          <input type="hidden" name="ago" value={ago} />
        )}
        <Against value={compare} choose={setCompare} />
        {currencies.length > 1 && (
          <Choice
            label={t('console.home.by.currency')}
            name="currency"
            value={currency}
            options={[
              { value: '', text: t('console.method.allCurrencies') },
              ...currencies.map(asOption),
            ]}
            choose={setCurrency}
          />
        )}
        <Choice
          label={t('console.reports.by')}
          name="by"
          value={by}
          options={splitOptions}
          choose={setBy}
        />
        <button type="submit" className="btn solid">
          {t('console.money.showDay')}
        </button>
      </div>
    </form>
  )
}

function Against({
  value,
  choose,
}: {
  readonly value: string
  readonly choose: (value: string) => void
}) {
  const t = useT()
  return (
    <Choice
      label={t('console.reports.compare')}
      name="compare"
      value={value}
      options={COMPARED.map((each) => ({
        value: each,
        text: t(`console.reports.compare.${each}`),
      }))}
      choose={choose}
    />
  )
}

const asOption = (value: string) => ({ value, text: value })

/** Days that are no span stay to be mended. */
const firstPeriod = ({ choice, faults }: ShownReport) =>
  Object.keys(faults).length > 0 ? 'span' : choice.period

function Days({ shown: { typed, faults } }: { readonly shown: ShownReport }) {
  const t = useT()
  const id = useId()
  return (['from', 'until'] as const).map((edge) => (
    <Labelled
      key={edge}
      id={`${id}-${edge}`}
      label={t(`console.exports.${edge}`)}
      fault={faults[edge]}
    >
      <input
        className="input"
        id={`${id}-${edge}`}
        type="date"
        name={edge}
        required
        defaultValue={typed[edge]}
        aria-invalid={faults[edge] !== undefined}
        aria-describedby={faults[edge] === undefined ? undefined : `${id}-${edge}-fault`}
      />
    </Labelled>
  ))
}
