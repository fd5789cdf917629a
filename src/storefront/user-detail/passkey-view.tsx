import { useEffect, useState, type FormEvent } from 'react'
import { Button, ButtonLink } from '#ui/button.tsx'
import { ConfirmPanel } from '#ui/confirm-panel.tsx'
import { EntryList, EntryRow } from '#ui/entry-row.tsx'
import { TextField } from '#ui/field.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { CallFailed } from '../browser/api.ts'
import { useHref, useT } from '../i18n.tsx'
import { client } from '../state/client.ts'
import { refreshPage } from '../state/refresh.ts'
import { PROOF_NEEDED } from '../forms/proof.tsx'
import { canUsePasskeys, makePasskey } from '../state/passkeys.ts'
import { forms } from './forms.ts'
import { BackLink, SECURITY, StepForm, type StepProps } from './step.tsx'
import type { SecurityData, ShownPasskey } from './security.ts'
import css from './user-detail.module.css'

/** Where the shop's address cannot have passkeys, only those there are can be seen and removed. */
export function PasskeyPanel({ data: { passkeys } }: { readonly data: SecurityData }) {
  const t = useT()
  const href = useHref()
  if (!passkeys.arePossible && passkeys.list.length === 0) return null
  return (
    <Panel id="passkeys" title={t('account.passkeys')} className="stack">
      <p className="muted">{t('account.passkeysText')}</p>
      {passkeys.list.length === 0 ? null : (
        <EntryList label={t('account.passkeys')}>
          {passkeys.list.map((passkey) => (
            <EntryRow
              key={passkey.id}
              icon="key"
              name={passkey.name}
              notes={passkey.notes}
              action={<Actions passkey={passkey} />}
            />
          ))}
        </EntryList>
      )}
      {passkeys.arePossible ? (
        <div>
          <ButtonLink href={href(`${SECURITY}&do=passkey`)}>{t('account.passkeyAdd')}</ButtonLink>
        </div>
      ) : null}
    </Panel>
  )
}

function Actions({ passkey }: { readonly passkey: ShownPasskey }) {
  const t = useT()
  const href = useHref()
  const named = <span className="sr">: {passkey.name}</span>
  return (
    <>
      <ButtonLink
        size="small"
        look="ghost"
        href={href(`${SECURITY}&do=passkey-rename&id=${passkey.id}`)}
      >
        {t('account.passkeyRename')}
        {named}
      </ButtonLink>
      <ButtonLink size="small" href={href(`${SECURITY}&do=passkey-remove&id=${passkey.id}`)}>
        {t('form.remove')}
        {named}
      </ButtonLink>
    </>
  )
}

/** First the proof, then the device is asked: it must not make a passkey that is refused afterwards. */
export function PasskeyAddStep({ data, proof }: StepProps) {
  const t = useT()
  return (
    <Panel title={t('account.passkeyAdd')} className="stack">
      <p className="muted">{t('account.passkeysText')}</p>
      {proof.isFresh ? (
        <PasskeyMaker nameMax={data.passkeys.nameMax} />
      ) : (
        <StepForm name="prove" form={forms.prove} proof={proof} submit={t('form.proveSubmit')} />
      )}
    </Panel>
  )
}

function PasskeyMaker({ nameMax }: { readonly nameMax: number }) {
  const t = useT()
  const href = useHref()
  const [state, setState] = useState<'waiting' | 'ready' | 'busy' | 'unsupported'>('waiting')
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => setState(canUsePasskeys() ? 'ready' : 'unsupported'), [])
  const add = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    setState('busy')
    setProblem(null)
    try {
      const made = await makePasskey()
      if (made.kind === 'given') {
        await client
          .get()
          ?.post(
            'user/passkeys',
            { add: made.credential, ...(name === '' ? {} : { name }) },
            { showCheckMsg: false },
          )
        return location.assign(href(`${SECURITY}&done=passkey`))
      }
      if (made.kind !== 'cancelled')
        setProblem(made.kind === 'exists' ? t('account.passkeyExists') : t('account.passkeyFailed'))
    } catch (error) {
      if (error instanceof CallFailed && error.code === PROOF_NEEDED) refreshPage()
      else
        setProblem(
          error instanceof CallFailed && error.message !== ''
            ? error.message
            : t('account.passkeyFailed'),
        )
    }
    setState('ready')
  }
  if (state === 'unsupported') return <Note>{t('account.passkeysUnsupported')}</Note>
  return (
    <form className={`stack ${css.narrow}`} onSubmit={(event) => void add(event)}>
      <noscript>
        <Note tone="warn">{t('account.passkeysNeedScript')}</Note>
      </noscript>
      {problem === null ? null : (
        <Note tone="bad" role="alert">
          {problem}
        </Note>
      )}
      <TextField
        id="name"
        name="name"
        label={t('account.passkeyName')}
        aside={t('form.optional')}
        hint={t('account.passkeyNameHint')}
        maxLength={nameMax}
        autoComplete="off"
      />
      <div className="row">
        <Button type="submit" look="solid" busy={state !== 'ready'}>
          {t('account.passkeyAdd')}
        </Button>
        <BackLink path={SECURITY} />
      </div>
    </form>
  )
}

export function PasskeyRenameStep({ data: { passkeys }, proof }: StepProps) {
  const t = useT()
  const { named } = passkeys
  if (!named) return null
  return (
    <Panel title={t('account.passkeyRename')}>
      <StepForm
        name="renamePasskey"
        form={forms.renamePasskey}
        proof={proof}
        submit={t('form.save')}
      >
        {(view) => (
          <>
            <input type="hidden" name="id" value={named.id} />
            <TextField
              id="name"
              label={t('account.passkeyName')}
              hint={t('account.passkeyNameHint')}
              maxLength={passkeys.nameMax}
              autoComplete="off"
              required
              {...view.field('name', named.name)}
            />
          </>
        )}
      </StepForm>
    </Panel>
  )
}

export function PasskeyRemoveStep({
  data: {
    passkeys: { named },
  },
  proof,
}: StepProps) {
  const t = useT()
  if (!named) return null
  return (
    <ConfirmPanel
      title={t('account.passkeyRemoveTitle', { name: named.name })}
      notes={[t('account.passkeyRemoveText')]}
    >
      <StepForm
        name="removePasskey"
        form={forms.removePasskey}
        proof={proof}
        submit={t('form.remove')}
        isBad
      >
        {() => <input type="hidden" name="id" value={named.id} />}
      </StepForm>
    </ConfirmPanel>
  )
}
