import { AuthLayout, StepTrail } from '#ui/auth-layout.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { CallForm } from '../forms/call-form.tsx'
import {
  OtherAddress,
  Refusal,
  SendAgainForm,
  SentCode,
  useCodeSent,
  type CodeSent,
} from '../forms/code-sent.tsx'
import { ProvenForm } from '../forms/proof.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import type { ChangeEmailData } from './load.ts'

const NOW = { prove: 0, change: 1, success: 3 } as const

/** Three steps: who it is, the new address with the code mailed to it, done. */
export function Page({ data }: { readonly data: ChangeEmailData }) {
  const t = useT()
  const steps = [t('account.emailStepProve'), t('account.emailStepNew'), t('account.emailStepDone')]
  return (
    <AuthLayout
      title={data.title}
      text={textOf(data, t)}
      covers={data.covers}
      before={<StepTrail label={t('account.emailSteps')} steps={steps} now={NOW[data.step]} />}
    >
      {data.step === 'prove' ? (
        <ProveStep data={data} />
      ) : data.step === 'change' ? (
        <ChangeStep data={data} />
      ) : (
        <Done />
      )}
    </AuthLayout>
  )
}

function textOf(data: ChangeEmailData, t: ReturnType<typeof useT>): string {
  const email = `\u2066${data.email}\u2069`
  if (data.step === 'success') return t('account.emailDoneText', { email })
  if (data.step === 'change') return t('account.emailNewText')
  return data.proof.hasPassword
    ? t('account.emailIntro', { email })
    : t('account.emailIntroNoPassword', { email })
}

function ProveStep({ data }: { readonly data: ChangeEmailData }) {
  const t = useT()
  return (
    <ProvenForm
      name="prove"
      form={forms.prove}
      proof={data.proof}
      always
      proved="/change-email/change"
      className="stack-l"
    >
      {(view, asked) => (
        <>
          <Refusal view={view} />
          {asked}
          <Button type="submit" look="solid" size="large" block busy={view.busy}>
            {t('form.next')}
          </Button>
          <ToProfile />
        </>
      )}
    </ProvenForm>
  )
}

function ChangeStep({ data }: { readonly data: ChangeEmailData }) {
  const sent = useCodeSent('sendCode', { form: 'change', field: 'email' })
  return sent.to === null ? (
    <AddressForm sent={sent} />
  ) : (
    <CodeForm data={data} sent={sent} email={sent.to} />
  )
}

function AddressForm({ sent }: { readonly sent: CodeSent }) {
  const t = useT()
  return (
    <CallForm name="sendCode" form={forms.sendCode} className="stack-l" onDone={sent.onSent}>
      {(view) => (
        <>
          <Refusal view={view} />
          <TextField
            id="account"
            type="email"
            label={t('account.emailNew')}
            autoComplete="email"
            maxLength={254}
            required
            {...view.field('account')}
          />
          <Button type="submit" look="solid" size="large" block busy={view.busy}>
            {t('form.sendCode')}
          </Button>
          <ToProfile />
        </>
      )}
    </CallForm>
  )
}

function CodeForm({
  data,
  sent,
  email,
}: {
  readonly data: ChangeEmailData
  readonly sent: CodeSent
  readonly email: string
}) {
  const t = useT()
  return (
    <>
      <SendAgainForm id="send-again" name="sendCode" form={forms.sendCode} sent={sent} />
      <ProvenForm name="change" form={forms.change} proof={data.proof} className="stack-l">
        {(view, asked) => (
          <>
            <Refusal view={view} />
            <div className="stack-s">
              <TextField
                id="email"
                name="email"
                type="email"
                label={t('account.emailNew')}
                readOnly
                value={email}
                message={view.field('email').message ?? { tone: 'good', text: t('form.codeSent') }}
              />
              <OtherAddress sent={sent} path="/change-email/change" text={t('form.otherAddress')} />
            </div>
            <SentCode
              view={view}
              id="code"
              name="code"
              label={t('form.codeFromEmail')}
              sent={sent}
              again="send-again"
            />
            {asked}
            <Button type="submit" look="solid" size="large" block busy={view.busy}>
              {t('account.emailSubmit')}
            </Button>
          </>
        )}
      </ProvenForm>
    </>
  )
}

function ToProfile() {
  const t = useT()
  const href = useHref()
  return (
    <p>
      <a className="link" href={href('/userDetail')}>
        {t('account.emailToProfile')}
      </a>
    </p>
  )
}

function Done() {
  const t = useT()
  const href = useHref()
  return (
    <ButtonLink look="solid" size="large" block href={href('/userDetail')}>
      {t('account.emailToProfile')}
    </ButtonLink>
  )
}
