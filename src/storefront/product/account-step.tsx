import { FieldFault, SelectField, TextField } from '#ui/field.tsx'
import { Button } from '#ui/button.tsx'
import { FoldedPicture } from '#ui/folded-picture.tsx'
import { Step } from '#ui/panel.tsx'
import { FORM_FIELD } from '../forms/form-field.ts'
import { ACCOUNT_FIELD } from '../forms/goods-fields.ts'
import { useT, type Words } from '../i18n.tsx'
import { island } from '../islands.ts'
import { useStore } from '../state/use-store.ts'
import type { AccountInput, FieldFigure } from './account-input.ts'
import type { FieldFault as Fault } from '#features/buying/offer/rules.ts'
import type { Buying } from './buying.ts'
import { PlayerRow } from './player-row.tsx'
import css from './product.module.css'

/**
 * What the account to be credited is found by. The inputs carry the catalogue's rules, the messages are ours, in the
 * page's language. The form is posted, so that an account never gets into an address. There is no greatest length on them, as
 * a browser would cut what is pasted, and an account that is cut is another person's.
 */
export function AccountStep({
  buying,
  figures,
}: {
  readonly buying: Buying
  readonly figures: readonly FieldFigure[]
}) {
  const t = useT()
  return (
    <Step title={t('product.enterAccount')}>
      <div
        className={buying.data.fields.length > 1 ? 'two' : 'stack'}
        {...island('account-fields')}
      >
        <AccountFields buying={buying} />
      </div>
      {figures.map(({ label, image, alt }) => (
        <FoldedPicture
          key={label}
          summary={t('product.whereToFind', { field: label })}
          image={image}
          alt={alt}
        />
      ))}
      {buying.data.checksAccount ? (
        <div className="without-script">
          <Button type="submit" name={FORM_FIELD} value="check">
            {t('product.checkPlayer')}
          </Button>
        </div>
      ) : null}
    </Step>
  )
}

export function AccountFields({ buying }: { readonly buying: Buying }) {
  const t = useT()
  const state = useStore(buying.state)
  return (
    <>
      {state.isAsked && Object.values(state.faults).includes('missing') ? (
        <FieldFault className={css.line}>{t('product.completeFields')}</FieldFault>
      ) : null}
      {buying.data.fields.map((field) => (
        <AccountField key={field.key} field={field} buying={buying} />
      ))}
      <PlayerRow buying={buying} />
    </>
  )
}

function AccountField({
  field,
  buying,
}: {
  readonly field: AccountInput
  readonly buying: Buying
}) {
  const t = useT()
  const { values, faults, refusals } = useStore(buying.state)
  const fault = faults[field.key]
  const wrong = fault ? faultText(field, fault, t) : refusals[field.key]
  const common = {
    id: `field-${field.key}`,
    name: `${ACCOUNT_FIELD}${field.key}`,
    label: field.label,
    aside: field.required ? undefined : t('product.optional'),
    hint: field.help ?? undefined,
    message: wrong === undefined ? undefined : { tone: 'error' as const, text: wrong },
    required: field.required,
    'data-field': field.key,
    value: values[field.key] ?? '',
    onBlur: () => buying.leave(field.key),
  }
  if (field.kind === 'select') {
    return (
      <SelectField {...common} onChange={(event) => buying.type(field.key, event.target.value)}>
        <option value="">{t('product.pickOne')}</option>
        {field.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </SelectField>
    )
  }
  return (
    <TextField
      {...common}
      {...KINDS[field.kind]}
      pattern={field.attribute}
      minLength={field.min ?? undefined}
      placeholder={field.placeholder ?? undefined}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      onChange={(event) => buying.type(field.key, event.target.value)}
    />
  )
}

/** Numbers and addresses run from left to right in every language; a name follows its own letters. */
const KINDS = {
  digits: { inputMode: 'numeric', dir: 'ltr', autoComplete: 'off' },
  phone: { type: 'tel', dir: 'ltr', autoComplete: 'tel' },
  email: { type: 'email', dir: 'ltr', autoComplete: 'email' },
  text: { dir: 'auto', autoComplete: 'off' },
} as const

function faultText(field: AccountInput, fault: Fault, t: Words['t']): string {
  switch (fault) {
    case 'missing':
      return field.kind === 'select' ? t('product.fault.pick') : t('product.fault.missing')
    case 'digits':
      return t('product.fault.digits')
    case 'length':
      return lengthText(field, t)
    case 'email':
      return t('product.fault.email')
    case 'phone':
      return t('product.fault.phone')
    case 'pattern':
      return field.placeholder === null
        ? t('product.fault.pattern')
        : t('product.fault.patternExample', { example: field.placeholder })
    default:
      return fault satisfies never
  }
}

function lengthText({ kind, min, max }: AccountInput, t: Words['t']): string {
  const [least, most] = [min ?? 1, max ?? 0]
  if (most === 0) return t('product.fault.atLeast', { min: least })
  if (kind === 'digits')
    return least === most
      ? t('product.fault.exactDigits', { max: most })
      : t('product.fault.rangeDigits', { min: least, max: most })
  return least === most
    ? t('product.fault.exact', { max: most })
    : t('product.fault.range', { min: least, max: most })
}
