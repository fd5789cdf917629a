import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Button, ButtonLink } from '#ui/button.tsx'
import { RadioRow } from '#ui/check.tsx'
import { SelectField } from '#ui/field.tsx'
import { Panel } from '#ui/panel.tsx'
import { useHref, useT, useWords } from '../i18n.tsx'
import { chosenCountry } from '../state/selection.ts'
import type { LanguageCurrencyData } from './load.ts'
import { Appearance } from './appearance.tsx'
import css from './language-currency.module.css'

const THROTTLE_MS = 200

/** A country brings its currency and language along; each can still be chosen otherwise. */
function useChoice(data: LanguageCurrencyData) {
  const words = useWords()
  const [country, setCountry] = useState('')
  const [currency, setCurrency] = useState(data.currency)
  const [language, setLanguage] = useState(words.language)
  const [isSuggested, setSuggested] = useState(false)

  useEffect(() => {
    const kept = chosenCountry()
    if (kept !== null && data.countries.some(({ code }) => code === kept))
      setCountry((now) => (now === '' ? kept : now))
  }, [data.countries])

  const chooseCountry = (code: string) => {
    setCountry(code)
    const chosen = data.countries.find((entry) => entry.code === code)
    setSuggested(chosen !== undefined)
    if (!chosen) return
    setCurrency(chosen.currency)
    setLanguage(chosen.language)
  }
  return { country, currency, language, isSuggested, chooseCountry, setCurrency, setLanguage }
}

/** Country, language and currency as a form that works without script; with it a country suggests the other two. */
export function Page({ data }: { readonly data: LanguageCurrencyData }) {
  const t = useT()
  const href = useHref()
  const choice = useChoice(data)
  const lastSubmit = useRef(-THROTTLE_MS)

  const submit = (event: FormEvent) => {
    if (event.timeStamp - lastSubmit.current < THROTTLE_MS) event.preventDefault()
    else lastSubmit.current = event.timeStamp
  }

  return (
    <div className={`wrap ${css.page}`}>
      <h1>{t('title.languageCurrency')}</h1>
      <p className="muted">{t('preferences.lead')}</p>
      <form method="post" action={href('/language_currency')} className="stack-l" onSubmit={submit}>
        <input type="hidden" name="redirect" value={data.redirect} />
        <Panel className="stack">
          <div className="two">
            <CountryAndCurrency data={data} choice={choice} />
          </div>
          <p role="status" className={`small muted ${css.status}`}>
            {choice.isSuggested ? t('preferences.suggested') : null}
          </p>
        </Panel>
        <Languages
          languages={data.languages}
          chosen={choice.language}
          onChoose={choice.setLanguage}
        />
        <div className={css.actions}>
          <Button type="submit" look="solid" size="large">
            {t('preferences.save')}
          </Button>
          <ButtonLink href={href(data.redirect)} look="ghost" size="large">
            {t('preferences.cancel')}
          </ButtonLink>
        </div>
      </form>
      <Appearance />
    </div>
  )
}

function Languages({
  languages,
  chosen,
  onChoose,
}: {
  readonly languages: LanguageCurrencyData['languages']
  readonly chosen: string
  readonly onChoose: (code: LanguageCurrencyData['languages'][number]['code']) => void
}) {
  const t = useT()
  return (
    <Panel>
      <fieldset>
        <legend className={css.legend}>{t('preferences.language')}</legend>
        <div className={css.languages}>
          {languages.map((entry) => (
            <RadioRow
              key={entry.code}
              name="language"
              value={entry.code}
              checked={chosen === entry.code}
              onChange={() => onChoose(entry.code)}
            >
              <bdi lang={entry.tag} dir={entry.dir}>
                {entry.name}
              </bdi>
            </RadioRow>
          ))}
        </div>
      </fieldset>
    </Panel>
  )
}

function CountryAndCurrency({
  data,
  choice,
}: {
  readonly data: LanguageCurrencyData
  readonly choice: ReturnType<typeof useChoice>
}) {
  const t = useT()
  return (
    <>
      <SelectField
        id="country"
        name="country"
        label={t('preferences.country')}
        hint={t('preferences.countryHint')}
        autoComplete="country"
        value={choice.country}
        onChange={(event) => choice.chooseCountry(event.target.value)}
      >
        <option value="">{t('preferences.countryKeep')}</option>
        {data.countries.map((entry) => (
          <option key={entry.code} value={entry.code}>
            {entry.name}
          </option>
        ))}
      </SelectField>
      <SelectField
        id="currency"
        name="currency"
        label={t('preferences.currency')}
        hint={t('preferences.currencyHint')}
        value={choice.currency}
        onChange={(event) => choice.setCurrency(event.target.value)}
      >
        {data.currencies.map((entry) => (
          <option key={entry.code} value={entry.code}>
            {t('preferences.currencyOption', { code: entry.code, name: entry.name })}
          </option>
        ))}
      </SelectField>
    </>
  )
}
