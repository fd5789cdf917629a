import { useId, type ReactNode } from 'react'
import { Icon } from '#ui/icon.tsx'
import { Fault } from '../kit/fault.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { MethodData } from './load.ts'
import { TermsEffect } from './terms-effect.tsx'
import { useTerms, type Editing, type TypedField } from './use-terms.ts'

/** Terms with what they would mean beside them, before they hold. */
export function TermsForm({ data }: { readonly data: MethodData }) {
  const t = useT()
  const editing = useTerms(data)
  const { attempt, effect, isDirty, isStale, outcome } = editing
  return (
    <form
      className="g2 dp"
      onSubmit={(event) => {
        event.preventDefault()
        void editing.save()
      }}
    >
      <section className="panel stack" aria-labelledby="terms">
        <h2 id="terms">{t('console.method.terms')}</h2>
        <Fields data={data} editing={editing} />
        <p className="hint">{t('console.method.feeLaw')}</p>
      </section>
      <aside className="stack">
        <section className="panel stack">
          {isDirty ? (
            <TermsEffect effect={effect} />
          ) : (
            <p className="hint">{t('console.method.effectText')}</p>
          )}
          {isStale && (
            <div className="note warn stack-2">
              <p>{t('console.service.changed')}</p>
              <button type="button" className="btn edge sm" onClick={editing.goOn}>
                {t('console.service.useNew')}
              </button>
            </div>
          )}
          <Fault text={attempt.fault} />
          <p role="status" className={outcome === null ? 'sr' : 'note ok'}>
            {outcome !== null &&
              t(outcome === 'saved' ? 'console.method.saved' : 'console.method.asked')}{' '}
            {outcome === 'waits' && (
              <a className="link" href={`${CONSOLE_PATH}/approvals`}>
                {t('console.approvals.nav')}
              </a>
            )}
          </p>
          {isDirty && (
            <button
              type="submit"
              className="btn solid block"
              disabled={attempt.isBusy || effect === null || isStale}
            >
              {t(effect?.needs_second_person ? 'console.askApproval' : 'console.method.save')}
            </button>
          )}
          <div className="two-p">
            <Icon name="shield" />
            <span>{t('console.service.twoPeople')}</span>
          </div>
        </section>
      </aside>
    </form>
  )
}

function Fields({ data, editing }: { readonly data: MethodData; readonly editing: Editing }) {
  const t = useT()
  const { typed, write, faults } = editing
  const of = (field: TypedField) => ({ field, editing })
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={typed.enabled}
          onChange={(event) => write({ enabled: event.target.checked })}
        />
        {t('console.method.enabled')}
      </label>
      <div className="row wrapx">
        <Typed {...of('percent')} label={t('console.method.percent')} isNumber />
        <Typed {...of('fixed')} label={t('console.method.fixed')} fault={faults['fee']} isNumber />
        <CurrencyField
          label={t('console.method.currency')}
          currencies={data.currencies}
          value={typed.currency}
          write={(currency) => write({ currency })}
        />
      </div>
      <div className="row wrapx">
        <Typed
          {...of('least')}
          label={t('console.method.least')}
          fault={faults['limits']}
          isNumber
        />
        <Typed {...of('most')} label={t('console.method.most')} isNumber />
        <CurrencyField
          label={t('console.method.limitCurrency')}
          currencies={data.currencies}
          value={typed.limitCurrency}
          write={(limitCurrency) => write({ limitCurrency })}
        />
      </div>
      <Typed
        {...of('countries')}
        label={t('console.method.countriesLabel')}
        fault={faults['countries']}
        hint={t('console.method.countriesHint')}
      />
      <Typed
        {...of('currencies')}
        label={t('console.method.currenciesLabel')}
        fault={faults['currencies']}
        hint={t('console.method.currenciesHint')}
      />
    </>
  )
}

function CurrencyField({
  label,
  currencies,
  value,
  write,
}: {
  readonly label: string
  readonly currencies: MethodData['currencies']
  readonly value: string
  readonly write: (code: string) => void
}) {
  const field = useId()
  return (
    <div className="field">
      <label htmlFor={field}>{label}</label>
      <select
        className="input"
        id={field}
        value={value}
        onChange={(event) => write(event.target.value)}
      >
        {currencies.map(({ code, name }) => (
          <option key={code} value={code}>
            {code} · {name}
          </option>
        ))}
      </select>
    </div>
  )
}

function Typed({
  field,
  label,
  editing: { typed, write, unread },
  fault: told,
  hint,
  isNumber = false,
}: {
  readonly field: TypedField
  readonly label: string
  readonly editing: Editing
  readonly fault?: string | undefined
  readonly hint?: ReactNode
  readonly isNumber?: boolean
}) {
  const t = useT()
  const id = useId()
  const fault = unread.includes(field)
    ? t(
        isNumber
          ? field === 'percent'
            ? 'console.method.fault.percent'
            : 'console.method.fault.amount'
          : 'console.method.fault.codes',
      )
    : told
  return (
    <div className={fault === undefined ? 'field grow' : 'field grow err'}>
      <label htmlFor={id}>{label}</label>
      <input
        className={isNumber ? 'input num' : 'input'}
        id={id}
        dir="ltr"
        inputMode={isNumber ? 'decimal' : 'text'}
        autoComplete="off"
        maxLength={isNumber ? 16 : 2_000}
        value={String(typed[field])}
        onChange={(event) => write({ [field]: event.target.value })}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-more`}
      />
      {hint !== undefined && (
        <p className="hint" id={`${id}-more`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p className="msg" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
