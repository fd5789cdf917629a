import { Badge } from '#ui/badge.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { EntryList, EntryRow } from '#ui/entry-row.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { Panel } from '#ui/panel.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { NewPassword } from '../forms/new-password.tsx'
import { ProvenForm } from '../forms/proof.tsx'
import { useHref, useT } from '../i18n.tsx'
import { BoundBadge } from '../user/link-view.tsx'
import { FactorStep, RecoveryStep, TurnOffStep } from './factor-view.tsx'
import { forms } from './forms.ts'
import {
  PasskeyAddStep,
  PasskeyPanel,
  PasskeyRemoveStep,
  PasskeyRenameStep,
} from './passkey-view.tsx'
import { BackLink, SECURITY, type StepProps } from './step.tsx'
import type { SecurityData } from './security.ts'
import css from './user-detail.module.css'

export function SecuritySection({ data, proof }: StepProps) {
  switch (data.step) {
    case 'password':
      return <PasswordStep data={data} proof={proof} />
    case 'factor':
      return <FactorStep data={data} proof={proof} />
    case 'factor-off':
      return <TurnOffStep proof={proof} />
    case 'recovery':
      return <RecoveryStep proof={proof} />
    case 'passkey':
      return <PasskeyAddStep data={data} proof={proof} />
    case 'passkey-rename':
      return <PasskeyRenameStep data={data} proof={proof} />
    case 'passkey-remove':
      return <PasskeyRemoveStep data={data} proof={proof} />
    case null:
      return <Overview data={data} />
  }
}

function Overview({ data }: { readonly data: SecurityData }) {
  const t = useT()
  const href = useHref()
  return (
    <>
      <Panel title={t('account.password')} className="stack">
        <p className="muted">
          {data.hasPassword ? t('account.passwordText') : t('account.passwordSetText')}
        </p>
        <div>
          <ButtonLink href={href(`${SECURITY}&do=password`)}>
            {data.hasPassword ? t('account.passwordSubmit') : t('account.passwordSet')}
          </ButtonLink>
        </div>
      </Panel>
      <FactorPanel data={data} />
      <PasskeyPanel data={data} />
      <LinksPanel data={data} />
    </>
  )
}

function FactorPanel({ data: { factor } }: { readonly data: SecurityData }) {
  const t = useT()
  const href = useHref()
  return (
    <Panel
      id="two-step"
      title={t('account.factor')}
      aside={
        <Badge tone={factor.isOn ? 'ok' : undefined}>
          {factor.isOn ? t('account.factorOn') : t('account.factorOff')}
        </Badge>
      }
      className="stack"
    >
      <p className="muted">{t('account.factorText')}</p>
      {factor.isOn ? (
        <>
          <p className="small muted">
            {[factor.since, factor.recoveryLeft].filter((text) => text !== null).join(' · ')}
          </p>
          <div className="row">
            <ButtonLink href={href(`${SECURITY}&do=recovery`)}>
              {t('account.recoveryNew')}
            </ButtonLink>
            <ButtonLink look="ghost" href={href(`${SECURITY}&do=factor-off`)}>
              {t('account.factorTurnOff')}
            </ButtonLink>
          </div>
        </>
      ) : (
        <div>
          <ButtonLink href={href(`${SECURITY}&do=factor`)}>{t('account.factorTurnOn')}</ButtonLink>
        </div>
      )}
    </Panel>
  )
}

function LinksPanel({ data }: { readonly data: SecurityData }) {
  const t = useT()
  const href = useHref()
  if (data.links.length === 0) return null
  return (
    <Panel title={t('account.links')} className="stack">
      <p className="muted">{t('account.linksText')}</p>
      <EntryList label={t('account.links')}>
        {data.links.map((service) => (
          <EntryRow
            key={service.platform}
            icon="link"
            name={service.name}
            badge={<BoundBadge isLinked={service.isLinked} />}
            notes={service.notes}
          />
        ))}
      </EntryList>
      <div>
        <ButtonLink href={href('/user/link')}>{t('account.linksManage')}</ButtonLink>
      </div>
    </Panel>
  )
}

/** A new password always asks for the old one, where there is one: whoever sits at an open screen must not lock the owner out. */
function PasswordStep({ data, proof }: StepProps) {
  const t = useT()
  const newPassword = (view: Parameters<Parameters<typeof CallForm>[0]['children']>[0]) => (
    <>
      <NewPassword
        view={view}
        id="new_password"
        name="new_password"
        label={t('form.newPassword')}
        strict={data.strictPasswords}
      />
      <div className="row">
        <Button type="submit" look="solid" busy={view.busy}>
          {data.hasPassword ? t('account.passwordSubmit') : t('account.passwordSet')}
        </Button>
        <BackLink path={SECURITY} />
      </div>
    </>
  )
  return (
    <Panel
      title={data.hasPassword ? t('account.passwordSubmit') : t('account.passwordSet')}
      className="stack"
    >
      <p className="muted">
        {data.hasPassword ? t('account.passwordText') : t('account.passwordSetText')}
      </p>
      {data.hasPassword ? (
        <CallForm name="password" form={forms.password} className={`stack-l ${css.narrow}`}>
          {(view) => (
            <>
              <Refusal view={view} />
              <UserNameForKeepers name={data.userName} />
              <PasswordField
                id="password"
                label={t('form.currentPassword')}
                showLabel={t('form.showPassword')}
                autoComplete="current-password"
                required
                {...view.field('password')}
              />
              {newPassword(view)}
            </>
          )}
        </CallForm>
      ) : (
        <ProvenForm
          name="password"
          form={forms.password}
          proof={proof}
          className={`stack-l ${css.narrow}`}
        >
          {(view, asked) => (
            <>
              <Refusal view={view} />
              <UserNameForKeepers name={data.userName} />
              {asked}
              {newPassword(view)}
            </>
          )}
        </ProvenForm>
      )}
    </Panel>
  )
}

/** Tells a password keeper whose password this is. */
function UserNameForKeepers({ name }: { readonly name: string }) {
  return <input type="text" name="keeper" value={name} readOnly hidden autoComplete="username" />
}
