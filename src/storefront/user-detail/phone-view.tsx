import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { SelectField, TextField } from '#ui/field.tsx'
import { Panel } from '#ui/panel.tsx'
import { CallForm } from '../forms/call-form.tsx'
import {
  OtherAddress,
  Refusal,
  SendAgainForm,
  SentCode,
  type CodeSent,
} from '../forms/code-sent.tsx'
import { usePageState } from '../forms/page-state.tsx'
import { useT } from '../i18n.tsx'
import { dialled, forms } from './forms.ts'
import { BackLink } from './step.tsx'
import type { ProfileData } from './profile.ts'
import css from './user-detail.module.css'

const STEP = '/userDetail?do=phone'

/** Adds or changes the number: first the number, to which a code goes; then the code. */
export function PhoneStep({ data }: { readonly data: ProfileData }) {
  const t = useT()
  const sent = usePhoneSent()
  return (
    <>
      <Panel title={data.mobile === null ? t('account.mobileAdd') : t('account.mobileChange')}>
        {sent.to === null ? (
          <NumberForm data={data} sent={sent} />
        ) : (
          <CodeForm mobile={sent.to} sent={sent} />
        )}
      </Panel>
      {data.mobile === null || sent.to !== null ? null : <RemovePanel mobile={data.mobile} />}
    </>
  )
}

/** Where the code went, with and without script: the number as it was dialled. */
function usePhoneSent(): CodeSent {
  const { outcome } = usePageState()
  const values = outcome?.values ?? {}
  const dialledNow = dialled({ text: (name) => values[name] ?? '' })
  const posted =
    outcome?.form === 'sendPhone' && outcome.isDone
      ? dialledNow
      : outcome?.form === 'confirmPhone'
        ? values['mobile']
        : undefined
  const [sent, setSent] = useState<{ readonly to: string | null; readonly times: number }>({
    to: posted || null,
    times: 0,
  })
  return {
    ...sent,
    onSent: (_, typed) =>
      setSent({ to: dialled({ text: (name) => typed[name] ?? '' }), times: sent.times + 1 }),
    forget: () => setSent({ to: null, times: 0 }),
  }
}

function NumberForm({ data, sent }: { readonly data: ProfileData; readonly sent: CodeSent }) {
  const t = useT()
  const chosen = data.dialCodes.find(({ isChosen }) => isChosen) ?? data.dialCodes[0]
  return (
    <CallForm name="sendPhone" form={forms.sendPhone} className="stack-l" onDone={sent.onSent}>
      {(view) => (
        <>
          <Refusal view={view} />
          <p className="muted">{t('account.mobileHint')}</p>
          <div className="two">
            <SelectField
              id="dial"
              label={t('account.mobileCountry')}
              autoComplete="tel-country-code"
              {...view.field('dial', chosen?.code ?? '')}
            >
              {data.dialCodes.map(({ country, name, code }) => (
                <option key={country} value={code}>
                  {`${name} (\u2066${code}\u2069)`}
                </option>
              ))}
            </SelectField>
            {/* Of type text: browsers fill in a number without its country's code there alone. */}
            <TextField
              id="account"
              inputMode="tel"
              dir="ltr"
              label={t('account.mobile')}
              autoComplete="tel-national"
              maxLength={30}
              required
              {...view.field('account')}
            />
          </div>
          <div className="row">
            <Button type="submit" look="solid" busy={view.busy}>
              {t('form.sendCode')}
            </Button>
            <BackLink path="/userDetail" />
          </div>
        </>
      )}
    </CallForm>
  )
}

function CodeForm({ mobile, sent }: { readonly mobile: string; readonly sent: CodeSent }) {
  const t = useT()
  return (
    <div className={css.narrow}>
      <SendAgainForm id="send-again" name="sendPhone" form={forms.sendPhone} sent={sent} />
      <CallForm name="confirmPhone" form={forms.confirmPhone} className="stack-l">
        {(view) => (
          <>
            <Refusal view={view} />
            <div className="stack-s">
              <TextField
                id="mobile"
                name="mobile"
                type="tel"
                label={t('account.mobile')}
                readOnly
                value={mobile}
                message={view.field('mobile').message ?? { tone: 'good', text: t('form.codeSent') }}
              />
              <OtherAddress sent={sent} path={STEP} text={t('account.mobileOther')} />
            </div>
            <SentCode
              view={view}
              id="code"
              name="code"
              label={t('form.codeFromMessage')}
              hint={t('account.mobileCodeMissing')}
              sent={sent}
              again="send-again"
            />
            <div className="row">
              <Button type="submit" look="solid" busy={view.busy}>
                {t('account.mobileConfirm')}
              </Button>
              <BackLink path="/userDetail" />
            </div>
          </>
        )}
      </CallForm>
    </div>
  )
}

function RemovePanel({ mobile }: { readonly mobile: string }) {
  const t = useT()
  return (
    <Panel title={t('account.mobileRemove')}>
      <CallForm name="removePhone" form={forms.removePhone} className="stack">
        {(view) => (
          <>
            <Refusal view={view} />
            <p className="muted">
              <bdi dir="ltr">{mobile}</bdi>
            </p>
            <div>
              <Button type="submit" look="bad" busy={view.busy}>
                {t('account.mobileRemove')}
              </Button>
            </div>
          </>
        )}
      </CallForm>
    </Panel>
  )
}
