import { useState } from 'react'
import { AuthLayout } from '#ui/auth-layout.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { usePageState } from '../forms/page-state.tsx'
import { useHref, useT } from '../i18n.tsx'
import { LinkExpired } from '../text/link-expired.tsx'
import { forms } from './forms.ts'
import type { RecoverAccountData } from './load.ts'

const TEXTS = {
  undo: {
    submit: 'sign-in.undoSubmit',
    done: 'sign-in.undoDone',
    doneText: 'sign-in.undoDoneText',
  },
  unfreeze: {
    submit: 'sign-in.unfreezeSubmit',
    done: 'sign-in.unfreezeDone',
    doneText: 'sign-in.unfreezeDoneText',
  },
} as const

/** The link is used up by the button alone: mail programs open links too. */
export function Page({ data }: { readonly data: RecoverAccountData }) {
  const t = useT()
  const href = useHref()
  const { outcome } = usePageState()
  const [done, setDone] = useState<keyof typeof TEXTS | null>(
    outcome?.isDone && outcome.form in TEXTS ? (outcome.form as keyof typeof TEXTS) : null,
  )
  if (done !== null) {
    return (
      <AuthLayout
        arrived
        title={t(TEXTS[done].done)}
        text={t(TEXTS[done].doneText)}
        covers={data.covers}
      >
        <ButtonLink look="solid" size="large" block href={href('/login')}>
          {t('sign-in.toLogin')}
        </ButtonLink>
        {done === 'unfreeze' ? (
          <a className="link" href={href('/reset-password')}>
            {t('sign-in.resetTitle')}
          </a>
        ) : null}
      </AuthLayout>
    )
  }
  const { link } = data
  if (link === null)
    return (
      <LinkExpired covers={data.covers} again={{ path: '/login', text: t('sign-in.toLogin') }} />
    )
  return (
    <AuthLayout title={data.title} text={data.text} covers={data.covers}>
      <CallForm
        name={link.kind}
        form={forms[link.kind]}
        className="stack"
        onDone={() => setDone(link.kind)}
      >
        {(view) => (
          <>
            <Refusal view={view} />
            <input type="hidden" name="key" value={link.key} />
            <Button type="submit" look="solid" size="large" block busy={view.busy}>
              {t(TEXTS[link.kind].submit)}
            </Button>
          </>
        )}
      </CallForm>
    </AuthLayout>
  )
}
