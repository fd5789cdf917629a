import { useEffect } from 'react'
import { ButtonLink } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { Note } from '#ui/note.tsx'
import { Picture } from '#ui/picture.tsx'
import { detectOperator, nationalNumber } from '#features/goods/recharge/rules.ts'
import { useHref, useT } from '../i18n.tsx'
import { createStore } from '../state/store.ts'
import { useStore } from '../state/use-store.ts'
import { showInstead } from '../state/refresh.ts'
import { openTypedNumber, typedNumber, typeNumber } from '../state/typed-number.ts'
import type { RechargeCountry, RechargeData, RechargeOperator } from './load.ts'
import css from './recharge.module.css'

/** Whether the person has left the field or asked to go on with a number that is not one yet. */
export const isNumberAsked = createStore(false)

/** Id of the field, for what leads back to it. */
export const NUMBER_FIELD = 'recharge-number'

/** Id of the list of operators, where another is chosen. */
export const OPERATORS = 'operators'

/** What the typed number is in the chosen country; null while it is none. */
export function useNational(country: RechargeCountry | null): string | null {
  const typed = useStore(typedNumber)
  return country ? nationalNumber(typed, country.phone) : null
}

export function NumberField({ country }: { readonly country: RechargeCountry | null }) {
  const t = useT()
  const typed = useStore(typedNumber)
  const asked = useStore(isNumberAsked)
  const national = useNational(country)
  const message =
    national !== null
      ? ({ tone: 'good', text: t('recharge.numberGood', { count: national.length }) } as const)
      : asked && country
        ? ({
            tone: 'error',
            text: t('recharge.numberBad', { example: country.phone.mobileExample }),
          } as const)
        : undefined
  useEffect(() => {
    // What is typed here before the page is alive comes afterwards and counts (`browser/first-touch.ts`).
    openTypedNumber()
  }, [])
  return (
    <TextField
      id={NUMBER_FIELD}
      type="tel"
      inputMode="tel"
      dir="ltr"
      autoComplete="tel"
      maxLength={30}
      label={t('recharge.number')}
      hint={
        country ? t('recharge.numberHint', { example: country.phone.mobileExample }) : undefined
      }
      message={message}
      value={typed}
      onChange={(event) => {
        typeNumber(event.target.value)
        isNumberAsked.set(false)
      }}
      onBlur={() => {
        if (typed.trim() !== '') isNumberAsked.set(true)
      }}
    />
  )
}

/**
 * The operator the number's first digits speak for: its plans are shown at once where no other was chosen. Numbers move between
 * networks, so that another may be chosen, and one that was is not taken back.
 */
export function DetectedOperator({ data }: { readonly data: RechargeData }) {
  const t = useT()
  const href = useHref()
  const { country, operator } = data
  const national = useNational(country)
  const code =
    country && national
      ? detectOperator(national, country.phone.trunkPrefix, country.operators)
      : null
  const found = country?.operators.find((entry) => entry.code === code)
  const plans = found && !operator ? href(found.path) : null
  useEffect(() => {
    if (plans !== null) showInstead(plans)
  }, [plans])
  if (!found) return operator ? <Chosen operator={operator} text={t('recharge.chosen')} /> : null
  if (found.code === operator?.code)
    return <Chosen operator={operator} text={t('recharge.detected')} />
  return (
    <Note
      lead={t('recharge.looksLike', { operator: found.name })}
      action={
        <ButtonLink href={href(found.path)} size="small">
          {t('recharge.showPlans')}
        </ButtonLink>
      }
      role="status"
    >
      {t('recharge.detected')}
    </Note>
  )
}

function Chosen({
  operator,
  text,
}: {
  readonly operator: RechargeOperator
  readonly text: string
}) {
  const t = useT()
  return (
    <div className={css.chosen}>
      <Picture src={operator.image} width={80} height={80} alt="" ratio="square" lazy={false} />
      <div>
        <b>
          <bdi>{operator.name}</bdi>
        </b>
        <p>{text}</p>
      </div>
      <a className="link" href={`#${OPERATORS}`}>
        {t('recharge.change')}
      </a>
    </div>
  )
}
