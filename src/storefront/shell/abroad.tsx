import { Button } from '#ui/button.tsx'
import { AskStrip } from '#ui/notice.tsx'
import { useHref, useT } from '../i18n.tsx'

/** What `browser/abroad.ts` puts a name or a code in place of. */
const FILLED = '{0}'

/** Hidden question for who is in a country of another currency; the answer is the form of the language and currency page. */
export function Abroad({
  currency,
  address,
}: {
  readonly currency: string
  readonly address: string
}) {
  const t = useT()
  const href = useHref()
  return (
    <AskStrip
      method="post"
      action={href('/language_currency')}
      label={t('shell.languageAndCurrency')}
      data-abroad=""
      hidden
    >
      <p>{t('shell.abroad', { country: FILLED })}</p>
      <input type="hidden" name="country" value="" />
      <input type="hidden" name="currency" value="" />
      <input type="hidden" name="redirect" value={address} />
      <Button type="submit" look="solid">
        {t('shell.abroadSwitch', { currency: FILLED })}
      </Button>
      <Button>{t('shell.abroadKeep', { currency })}</Button>
    </AskStrip>
  )
}
