import { useState } from 'react'
import { AuthLayout, Or } from '#ui/auth-layout.tsx'
import { Button } from '#ui/button.tsx'
import { Check } from '#ui/check.tsx'
import { TextField } from '#ui/field.tsx'
import { Note } from '#ui/note.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { CallForm, type FormView } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { usePageState } from '../forms/page-state.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import type { SignInData } from './load.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { SecondStep, ticketOf } from './second-step.tsx'
import { ServiceDoors } from './service-doors.tsx'

export function Page({ data }: { readonly data: SignInData }) {
  const posted = usePageState().outcome
  const [inSecondStep, setInSecondStep] = useState(ticketOf(posted) !== null)
  return (
    <AuthLayout title={data.title} covers={data.covers}>
      {data.isCancelled ? <Cancelled /> : null}
      <CallForm
        name="signIn"
        form={forms.signIn}
        className="stack-l"
        onRefused={(outcome) => setInSecondStep(ticketOf(outcome) !== null)}
      >
        {(view) => {
          const ticket = ticketOf(view.outcome)
          return ticket === null ? (
            <FirstStep view={view} data={data} />
          ) : (
            <SecondStep view={view} ticket={ticket} store={data.store} />
          )
        }}
      </CallForm>
      {inSecondStep ? null : <OtherWays data={data} />}
    </AuthLayout>
  )
}

function Cancelled() {
  const t = useT()
  return (
    <Note tone="ok" role="status" lead={t('sign-in.cancelled')}>
      {t('sign-in.cancelledText')}
    </Note>
  )
}

function OtherWays({ data }: { readonly data: SignInData }) {
  const t = useT()
  const href = useHref()
  return (
    <>
      {data.hasPasskeys ? <PasskeyButton redirect={data.redirect} /> : null}
      {data.services.length === 0 ? null : (
        <>
          <Or>{t('sign-in.or')}</Or>
          <ServiceDoors form={forms.authorize} services={data.services} redirect={data.redirect} />
        </>
      )}
      <p className="muted">
        {t('sign-in.newHere')}{' '}
        <a className="link" href={href(data.registerPath)}>
          {t('sign-in.toRegister')}
        </a>
      </p>
    </>
  )
}

/** Envelope code of a name and password that do not belong together. */
const SIGN_IN_FAILED = 2406
const TICKET_EXPIRED = 2401

function FirstStep({ view, data }: { readonly view: FormView; readonly data: SignInData }) {
  const t = useT()
  const href = useHref()
  const { outcome } = view
  const password = view.field('password')
  const fault =
    outcome?.code === SIGN_IN_FAILED
      ? ({ tone: 'error', text: t('sign-in.checkPassword') } as const)
      : undefined
  return (
    <>
      {outcome === null && data.isNeeded ? <Note>{t('sign-in.needed')}</Note> : null}
      {outcome?.code === TICKET_EXPIRED ? (
        <Note tone="bad" role="alert">
          {t('sign-in.stepExpired')}
        </Note>
      ) : (
        <Refusal view={view} />
      )}
      <TextField
        id="account"
        label={t('sign-in.account')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        required
        {...view.field('account')}
      />
      <div className="stack-s">
        <PasswordField
          id="password"
          label={t('form.password')}
          showLabel={t('form.showPassword')}
          autoComplete="current-password"
          required
          {...password}
          message={password.message ?? fault}
        />
        <div className="row between">
          <Check name="stay" value="1" defaultChecked={view.isOn('stay', true)}>
            {t('sign-in.stay')}
          </Check>
          <a className="link small" href={href('/reset-password')}>
            {t('sign-in.forgot')}
          </a>
        </div>
      </div>
      <Button type="submit" look="solid" size="large" block busy={view.busy}>
        {t('sign-in.submit')}
      </Button>
    </>
  )
}
