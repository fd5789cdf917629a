import { Check } from '#ui/check.tsx'
import type { ReactNode } from 'react'
import { useHref, useT } from '../i18n.tsx'
import { withParts } from '../text/with-parts.tsx'
import type { FormView } from './call-form.tsx'

interface AgreeBoxProps {
  readonly view: FormView
  /** Said where it was left empty. */
  readonly needed: string
  /** The sentence that is agreed to. @param link to an article, which opens beside the form so that nothing typed is lost */
  readonly children: (link: (path: string, text: string) => ReactNode) => ReactNode
}

/** The box that must be ticked to go on. */
export function AgreeBox({ view, needed, children }: AgreeBoxProps) {
  const href = useHref()
  const link = (path: string, text: string) => (
    <a className="link" href={href(path)} target="_blank">
      {text}
    </a>
  )
  return (
    <Check
      name="agree"
      value="1"
      required
      defaultChecked={view.isOn('agree', false)}
      error={view.outcome?.faults['agree'] === undefined ? undefined : needed}
    >
      {children(link)}
    </Check>
  )
}

/** Agreeing to the terms and the privacy policy. */
export function Agreement({ view }: { readonly view: FormView }) {
  const t = useT()
  return (
    <AgreeBox view={view} needed={t('sign-in.agreeNeeded')}>
      {(link) =>
        withParts(t, 'sign-in.agree', {
          terms: link('/article/terms-of-use', t('sign-in.agreeTerms')),
          privacy: link('/article/privacy-policy', t('sign-in.agreePrivacy')),
        })
      }
    </AgreeBox>
  )
}
