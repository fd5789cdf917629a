import { Check } from '#ui/check.tsx'
import { useHref, useT } from '../i18n.tsx'
import { withParts } from '../text/with-parts.tsx'
import type { FormView } from './call-form.tsx'

/** Agreeing to the terms and the privacy policy, which open beside the form so that nothing typed is lost. */
export function Agreement({ view }: { readonly view: FormView }) {
  const t = useT()
  const href = useHref()
  const link = (path: string, text: string) => (
    <a className="link" href={href(path)} target="_blank">
      {text}
    </a>
  )
  const fault = view.outcome?.faults['agree'] === undefined ? undefined : t('sign-in.agreeNeeded')
  return (
    <Check name="agree" value="1" required defaultChecked={view.isOn('agree', false)} error={fault}>
      {withParts(t, 'sign-in.agree', {
        terms: link('/article/terms-of-use', t('sign-in.agreeTerms')),
        privacy: link('/article/privacy-policy', t('sign-in.agreePrivacy')),
      })}
    </Check>
  )
}
