import { minorOf } from '../kit/amount.ts'
import { LineField } from '../kit/fields.tsx'
import { useT } from '../words.tsx'
import { useEditor, type EditedField } from './editor.tsx'
import type { GoodsData } from './load.ts'

interface AmountProps {
  readonly goods: GoodsData
  readonly label: string
  readonly field: EditedField
}

interface Money {
  readonly minor: string
  readonly currency: string
}

export function IntegerField({ label, field }: Omit<AmountProps, 'goods'>) {
  const t = useT()
  return (
    <LineField
      label={label}
      value={field.typed ?? (field.shown === null ? '' : String(field.shown))}
      max={16}
      write={(text) => {
        const plain = text.trim()
        if (plain === '') field.write(null, text)
        else if (/^\d{1,15}$/.test(plain)) field.write(Number(plain), text)
        else field.write(null, text, t('console.product.whole'))
      }}
      fault={field.fault}
    />
  )
}

/** An amount as it is typed: the mark of the operator's language, no grouping. */
export function majorText(minor: string, places: number, mark: string): string {
  const digits = minor.padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}${mark}${digits.slice(-places)}`
}

/** The currency that an amount of goods is in: what it says, or what stands beside it. */
function useCurrencies(goods: GoodsData) {
  const { data } = useEditor()
  const price = goods.values['price'] as Money | null | undefined
  const face = data.product.values['face_currency']
  return {
    price: price?.currency ?? '',
    face: typeof face === 'string' ? face : '',
    places: (currency: string) => data.digits[currency] ?? 0,
    mark: data.mark,
  }
}

export function AmountField({
  goods,
  label,
  field,
  name,
}: AmountProps & { readonly name: string }) {
  const t = useT()
  const { price, face, places, mark } = useCurrencies(goods)
  const shown = field.shown as Money | null
  const own = (field.value as Money | null)?.currency
  const currency = own ?? (name === 'face' ? face : price)
  return (
    <LineField
      label={label}
      hint={currency}
      value={field.typed ?? (shown ? majorText(shown.minor, places(shown.currency), mark) : '')}
      max={20}
      write={(text) => {
        if (text.trim() === '') return field.write(null)
        const minor = minorOf(text, places(currency))
        if (minor === null) field.write(null, text, t('console.method.fault.amount'))
        else field.write({ minor, currency }, text)
      }}
      fault={field.fault}
    />
  )
}

type Texts = Readonly<Record<string, string>>

/** Amounts by a key: prices of one's own by currency, or prices of customer levels. What is typed is kept as it is until all of it can be read. */
export function AmountsField({ goods, label, field }: AmountProps) {
  const t = useT()
  const { data } = useEditor()
  const { price, places, mark } = useCurrencies(goods)
  const isLevels = field.spec.kind === 'levels'
  const shown = Object.entries((field.shown ?? {}) as Record<string, string | Money>).map(
    ([key, amount]): [string, string] =>
      typeof amount === 'string'
        ? [key, majorText(amount, places(key), mark)]
        : [key, majorText(amount.minor, places(amount.currency), mark)],
  )
  const typed: Texts =
    field.typed === null ? Object.fromEntries(shown) : (JSON.parse(field.typed) as Texts)
  function write(texts: Texts) {
    const read = Object.entries(texts)
      .map(([key, text]) => [key, minorOf(text, places(isLevels ? price : key))] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    const isRead = read.every(([, minor]) => minor !== null)
    const to = Object.fromEntries(
      read.map(([key, minor]) => [key, isLevels ? { minor, currency: price } : minor]),
    )
    const fault = isRead ? null : t('console.method.fault.amount')
    field.write(read.length === 0 ? null : to, JSON.stringify(texts), fault)
  }
  const keys = isLevels
    ? LEVELS
    : data.choices.currency.map(({ code }) => code).filter((code) => code !== price)
  return (
    <fieldset className="field amounts">
      <legend>{label}</legend>
      {Object.keys(typed).map((key) => (
        <AmountLine
          key={key}
          {...{ of: key, label, typed, write }}
          isWrong={field.fault !== undefined}
        />
      ))}
      <select
        className="input"
        aria-label={`${t('console.product.add')} ${label}`}
        value=""
        onChange={(event) => {
          if (event.target.value !== '') write({ ...typed, [event.target.value]: '' })
        }}
      >
        <option value="">{t('console.product.add')}</option>
        {keys
          .filter((key) => !(key in typed))
          .map((key) => (
            <option key={key}>{key}</option>
          ))}
      </select>
      {field.fault !== undefined && (
        <p className="msg" role="alert">
          {field.fault}
        </p>
      )}
    </fieldset>
  )
}

const LEVELS = ['1', '2', '3', '4', '5']

function AmountLine({
  of,
  label,
  typed,
  isWrong,
  write,
}: {
  readonly of: string
  readonly label: string
  readonly typed: Texts
  readonly isWrong: boolean
  readonly write: (texts: Texts) => void
}) {
  const t = useT()
  return (
    <div className="row">
      <bdi className="key">{of}</bdi>
      <input
        className="input"
        aria-label={`${label} ${of}`}
        inputMode="decimal"
        dir="ltr"
        maxLength={20}
        value={typed[of] ?? ''}
        aria-invalid={isWrong}
        onChange={(event) => write({ ...typed, [of]: event.target.value })}
      />
      <button
        type="button"
        className="btn ghost sm"
        onClick={() =>
          write(Object.fromEntries(Object.entries(typed).filter(([key]) => key !== of)))
        }
      >
        {t('console.me.remove')}
        <span className="sr"> {of}</span>
      </button>
    </div>
  )
}

const PARTS = {
  min: 'console.product.least',
  max: 'console.product.most',
  step: 'console.product.step',
} as const

/** Any amount from one to another, in steps: all of them, or nothing. */
export function RangeField({ goods, label, field }: AmountProps) {
  const t = useT()
  const { face, places, mark } = useCurrencies(goods)
  const shown = (field.shown ?? {}) as Readonly<Record<string, string>>
  const currency = shown['currency'] ?? face
  const keys =
    goods.subject === 'item' ? (['min', 'max', 'step'] as const) : (['min', 'max'] as const)
  const typed: Readonly<Record<string, string>> =
    field.typed !== null
      ? (JSON.parse(field.typed) as Record<string, string>)
      : Object.fromEntries(
          keys.map((key) => [
            key,
            shown[key] === undefined ? '' : majorText(shown[key], places(currency), mark),
          ]),
        )
  function write(texts: Readonly<Record<string, string>>) {
    const text = JSON.stringify(texts)
    if (keys.every((key) => (texts[key] ?? '').trim() === '')) return field.write(null, text)
    const read = keys.map((key) => [key, minorOf(texts[key] ?? '', places(currency))] as const)
    const isRead = read.every(([, minor]) => minor !== null)
    field.write(
      { currency, ...Object.fromEntries(read) },
      text,
      isRead ? null : t('console.method.fault.amount'),
    )
  }
  return (
    <fieldset className="field amounts">
      <legend>
        {label} {currency !== '' && <bdi className="hint">{currency}</bdi>}
      </legend>
      <div className="cells">
        {keys.map((key) => (
          <LineField
            key={key}
            label={t(PARTS[key])}
            value={typed[key] ?? ''}
            max={20}
            write={(text) => write({ ...typed, [key]: text })}
            fault={undefined}
          />
        ))}
      </div>
      {field.fault !== undefined && (
        <p className="msg" role="alert">
          {field.fault}
        </p>
      )}
    </fieldset>
  )
}
