import { useEffect, useState, type ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { CodeField, SendAgain } from '#ui/code-field.tsx'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { useHref, useT } from '../i18n.tsx'
import { client } from '../state/client.ts'
import { refreshPage } from '../state/refresh.ts'
import { askForPasskey, canUsePasskeys } from '../state/passkeys.ts'
import { CallForm, type CallFormProps, type FormView } from './call-form.tsx'
import { Refusal } from './code-sent.tsx'
import type { Outcome } from './form.ts'
import { usePageState } from './page-state.tsx'
import type { ProofData } from './proof-data.ts'
import { PROOF_FORMS } from './proof-forms.ts'

const SEND_FORM = 'send-proof'
const WAIT_SECONDS = 60
/** Envelope code of a call that wants the proof anew. */
export const PROOF_NEEDED = 2403

export interface ProvenFormProps extends Omit<CallFormProps, 'children'> {
  readonly proof: ProofData
  /** Asks even right after a proof, where the step itself is the proof. */
  readonly always?: boolean
  /** Where a passkey leads that has proved it without the form; left out, to this page again, which then asks no more. */
  readonly proved?: string
  /** @param proof the fields that ask for it, empty when nothing needs to be asked */
  readonly children: (view: FormView, proof: ReactNode) => ReactNode
}

/** A form whose call wants to know that it is still the owner: one a page. */
export function ProvenForm({
  proof,
  always = false,
  proved,
  onRefused,
  children,
  ...form
}: ProvenFormProps) {
  const { outcome } = usePageState()
  const [isAsked, setAsked] = useState(outcome !== undefined && wantsProof(outcome))
  const [sent, setSent] = useState({
    isSent: outcome?.form === 'sendProof' && outcome.isDone,
    times: 0,
  })
  return (
    <>
      {proof.hasPassword ? null : (
        <CallForm
          id={SEND_FORM}
          name="sendProof"
          form={PROOF_FORMS.sendProof}
          onDone={() => setSent({ isSent: true, times: sent.times + 1 })}
        >
          {(view) => <Refusal view={view} />}
        </CallForm>
      )}
      <CallForm
        {...form}
        onRefused={(refused) => {
          if (wantsProof(refused)) setAsked(true)
          onRefused?.(refused)
        }}
      >
        {(view) =>
          children(
            view,
            always || isAsked || !proof.isFresh ? (
              <ProofFields view={view} proof={proof} sent={sent} proved={proved} />
            ) : null,
          )
        }
      </CallForm>
    </>
  )
}

/** A step that asks for the proof and nothing else, before what needs one. */
export function ProofStep(form: Omit<ProvenFormProps, 'children'>) {
  const t = useT()
  return (
    <ProvenForm {...form}>
      {(view, asked) => (
        <>
          <Refusal view={view} />
          {asked}
          <div>
            <Button type="submit" look="solid" busy={view.busy}>
              {t('form.proveSubmit')}
            </Button>
          </div>
        </>
      )}
    </ProvenForm>
  )
}

/** Also where the page believed that the last proof still counts. */
function wantsProof({ code, faults }: Outcome): boolean {
  return code === PROOF_NEEDED || 'password' in faults || 'proof_code' in faults
}

interface ProofFieldsProps {
  readonly view: FormView
  readonly proof: ProofData
  readonly sent: { readonly isSent: boolean; readonly times: number }
  readonly proved: string | undefined
}

function ProofFields({ view, proof, sent, proved }: ProofFieldsProps) {
  const t = useT()
  return (
    <div className="stack-s">
      {proof.hasPassword ? (
        <PasswordField
          id="password"
          label={t('form.currentPassword')}
          hint={t('form.proveText')}
          showLabel={t('form.showPassword')}
          autoComplete="current-password"
          required
          {...view.field('password')}
        />
      ) : (
        <CodeField
          id="proof_code"
          label={t('form.codeFromEmail')}
          hint={sent.isSent ? t('form.codeSent') : t('form.proveCodeText', { email: proof.email })}
          required
          {...view.field('proof_code')}
          action={
            <SendAgain
              type="submit"
              form={SEND_FORM}
              seconds={sent.times > 0 ? WAIT_SECONDS : 0}
              since={sent.times}
              text={sent.isSent ? t('form.sendAgain') : t('form.sendCode')}
              waitText={(seconds) => t('form.sendAgainIn', { seconds })}
            />
          }
        />
      )}
      {proof.hasPasskeys ? <PasskeyProof proved={proved} /> : null}
    </div>
  )
}

/** The other way to prove it, where browser and script have it. */
function PasskeyProof({ proved }: Pick<ProofFieldsProps, 'proved'>) {
  const t = useT()
  const href = useHref()
  const [state, setState] = useState<'none' | 'ready' | 'busy' | 'failed'>('none')
  useEffect(() => {
    if (canUsePasskeys()) setState('ready')
  }, [])
  if (state === 'none') return null
  const prove = async (): Promise<void> => {
    setState('busy')
    try {
      const asked = await askForPasskey('proof')
      if (asked.kind !== 'given') return setState(asked.kind === 'cancelled' ? 'ready' : 'failed')
      await client
        .get()
        ?.post('user/prove', { passkey: asked.credential as never }, { showCheckMsg: false })
      setState('ready')
      if (proved === undefined) refreshPage()
      else location.assign(href(proved))
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      {state === 'failed' ? (
        <Note tone="bad" role="alert">
          {t('form.provePasskeyFailed')}
        </Note>
      ) : null}
      <div>
        <Button look="ghost" busy={state === 'busy'} onClick={() => void prove()}>
          <Icon name="key" />
          {t('form.provePasskey')}
        </Button>
      </div>
    </>
  )
}
