import { useEffect, useRef, useState } from 'react'
import { ButtonLink } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { Note } from '#ui/note.tsx'
import { Picture } from '#ui/picture.tsx'
import { PHONE_FIELD } from '#features/goods/recharge/rules.ts'
import { ACCOUNT_FIELD } from '../forms/goods-fields.ts'
import { useHref, useT } from '../i18n.tsx'
import { createStore } from '../state/store.ts'
import { useStore } from '../state/use-store.ts'
import { showInstead } from '../state/refresh.ts'
import { openTypedNumber, typedNumber, typeNumber } from '../state/typed-number.ts'
import { detection, useDetected, useDetection } from './detection.ts'
import { NUMBER } from './fields.ts'
import type { RechargeData, RechargeOperator } from './load.ts'
import css from './recharge.module.css'

/** Whether the person has left the field or asked to go on with a number that is not one yet. */
export const isNumberAsked = createStore(false)

/** Id of the field, for what leads back to it. */
export const NUMBER_FIELD = 'recharge-number'

/** Id of the list of operators, where another is chosen. */
export const OPERATORS = 'operators'

/** Id of the form of plans, which the number is part of once there are some. */
export const BUY_FORM = 'recharge-buy'

export function NumberField({ data }: { readonly data: RechargeData }) {
  const t = useT()
  const { country, posted } = data
  const typed = useStore(typedNumber)
  const asked = useStore(isNumberAsked)
  const found = useDetected()
  const [isFresh, setFresh] = useState(true)
  const message =
    found.answer !== null
      ? ({
          tone: 'good',
          text: t('recharge.numberGood', { count: found.answer.digits }),
        } as const)
      : asked && found.state !== 'asking'
        ? ({ tone: 'error', text: badText() } as const)
        : posted?.faults.number !== undefined && typed === ''
          ? ({ tone: 'error', text: posted.faults.number } as const)
          : undefined
  function badText(): string {
    if (country) return t('recharge.numberBad', { example: country.example })
    return found.message || t('recharge.numberMissing')
  }
  useEffect(() => {
    // What is typed here before the page is alive comes afterwards and counts (`browser/first-touch.ts`).
    openTypedNumber()
    if (typedNumber.get() === '' && posted) typeNumber(posted.number)
    setFresh(false)
  }, [posted])
  useDetection(country?.code ?? '', country?.example ?? null)
  return (
    <TextField
      id={NUMBER_FIELD}
      {...(data.operator
        ? { name: ACCOUNT_FIELD + PHONE_FIELD, form: BUY_FORM }
        : { name: NUMBER })}
      type="tel"
      inputMode="tel"
      dir="ltr"
      autoComplete="tel"
      maxLength={30}
      label={t('recharge.number')}
      hint={country ? t('recharge.numberHint', { example: country.example }) : undefined}
      message={message}
      // Until the page is alive it shows what was posted, then what is typed.
      value={isFresh ? (posted?.number ?? '') : typed}
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
 * The operator that the number speaks for: its plans are shown at once where no other was chosen. Numbers move between networks, so that
 * another may be chosen, and one that was is not taken back.
 */
export function DetectedOperator({ data }: { readonly data: RechargeData }) {
  const t = useT()
  const href = useHref()
  const { operator } = data
  const { answer, isFinal } = useStore(detection)
  /** Shown without being asked for: what is known better takes its place. */
  const shown = useRef<string | null>(null)
  const found = answer?.operator ?? null
  // A country that was chosen stays, too: a number of another that is still there from before does not lead back to it.
  const isOpenCountry = data.country === null || data.country.code === answer?.country.code
  const isOpenChoice = operator === null ? isOpenCountry : operator.code === shown.current
  const plans = found && isOpenChoice && found.code !== operator?.code ? href(found.path) : null
  useEffect(() => {
    if (plans === null || !found) return
    shown.current = found.code
    showInstead(plans)
  }, [plans, found])
  const text = !isFinal
    ? t('recharge.checking')
    : answer?.source === 'supplier'
      ? t('recharge.confirmed')
      : t('recharge.detected')
  if (!found && answer && data.country && answer.country.code !== data.country.code)
    return <OtherCountry name={answer.country.name} />
  if (!found) return operator ? <Chosen operator={operator} text={chosenText(data, t)} /> : null
  if (found.code === operator?.code) return <Chosen operator={operator} text={text} />
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
      {text}
    </Note>
  )
}

function OtherCountry({ name }: { readonly name: string }) {
  const t = useT()
  return <Note role="status" lead={t('recharge.otherCountry', { country: name })} />
}

function chosenText({ posted }: RechargeData, t: ReturnType<typeof useT>): string {
  if (posted?.source === 'supplier') return t('recharge.confirmed')
  return posted?.source === 'prefix' ? t('recharge.detected') : t('recharge.chosen')
}

/** Somebody who presses twice rarely means it. */
export function RechargedBefore() {
  const t = useT()
  const minutes = useDetected().answer?.recharged_minutes_ago ?? null
  return minutes === null ? null : (
    <Note tone="warn" role="status">
      {t('recharge.recent', { count: Math.max(1, minutes) })}
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
