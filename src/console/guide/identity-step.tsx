import { SettingForm } from '../settings/setting-form.tsx'
import { useT } from '../words.tsx'
import type { StepBody } from './bodies.ts'
import { LegalForm } from './legal-form.tsx'
import { fromStep } from './paths.ts'

/** Who sells, how it looks, and the four texts that customers rely on. */
export function IdentityStep({
  body: { forms, texts, hasLooks },
}: {
  readonly body: Extract<StepBody, { readonly step: 'identity' }>
}) {
  const t = useT()
  return (
    <>
      {forms.settings.map((setting) => (
        <SettingForm key={setting.key} setting={setting} currencies={forms.currencies} query="" />
      ))}
      {hasLooks && (
        <section className="panel row between wrapx">
          <h3>{t('console.guide.looks')}</h3>
          <a className="btn edge" href={fromStep('identity', '/settings/look')}>
            {t('console.open')}
          </a>
        </section>
      )}
      <section className="panel stack" aria-labelledby="legal-h">
        <h3 id="legal-h">{t('console.guide.legal')}</h3>
        <p className="hint">{t('console.guide.legal.how', { store: '{store}' })}</p>
        {texts.map((text) => (
          <LegalForm key={text.code} text={text} />
        ))}
      </section>
    </>
  )
}
