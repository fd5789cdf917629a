import type { ReactNode } from 'react'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { OptionList, OptionRow } from '#ui/option-row.tsx'
import type { FormView } from '../forms/call-form.tsx'
import { useT } from '../i18n.tsx'
import type { CashierMethod, MethodChoice } from './load.ts'
import css from './methods.module.css'

/** Ways to pay as one list. Stands in a form of the class `methodForm`, by whose styles `OfChosen` follows the choice. */
export function Methods({
  choice,
  view,
}: {
  readonly choice: MethodChoice
  readonly view: FormView
}) {
  const t = useT()
  const fault = view.outcome?.faults['method']
  const chosen = view.outcome?.values['method'] ?? choice.chosen
  return (
    <>
      {fault === undefined ? null : (
        <Note tone="bad" role="alert">
          {fault}
        </Note>
      )}
      <OptionList label={t('cashier.methods')}>
        {choice.methods.map((method, place) => (
          <OptionRow
            key={method.code}
            group="method"
            value={method.code}
            data-choice={method.reason === null ? place : undefined}
            defaultChecked={method.code === chosen}
            disabled={method.reason !== null}
            lead={<Plate method={method} />}
            name={
              method.code === choice.lastUsed && method.reason === null ? (
                <>
                  {method.name} <span className={css.last}>{t('cashier.lastUsed')}</span>
                </>
              ) : (
                method.name
              )
            }
            note={method.text === '' ? undefined : method.text}
            total={method.fee === null ? undefined : method.total}
            totalNote={
              method.reason ??
              (method.fee === null ? (
                <span className={css.noFee}>{t('cashier.noFee')}</span>
              ) : (
                t('cashier.fee', { amount: method.fee })
              ))
            }
          />
        ))}
      </OptionList>
    </>
  )
}

function Plate({ method }: { readonly method: CashierMethod }) {
  return (
    <span className={css.plate} aria-hidden="true">
      <Icon name={method.icon} />
    </span>
  )
}

export const methodForm = css.form

/** The same words for every method that can be chosen, of which the styles show those of the chosen one. */
export function OfChosen({
  as: Tag = 'span',
  choice,
  children,
}: {
  readonly as?: 'span' | 'div'
  readonly choice: MethodChoice
  readonly children: (method: CashierMethod) => ReactNode
}) {
  return choice.methods
    .filter(({ reason }) => reason === null)
    .map((method, place) => (
      <Tag key={method.code} className={css.ofChosen} data-of={place}>
        {children(method)}
      </Tag>
    ))
}
