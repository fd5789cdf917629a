import { useState } from 'react'
import { AuthLayout } from '#ui/auth-layout.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { usePageState } from '../forms/page-state.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import type { AgentConfirmData } from './load.ts'

const ANSWERED = { approve: 'agent.approved', refuse: 'agent.refused' } as const
const STATES = { approved: 'agent.approved', refused: 'agent.refused' } as const

/** What a program wants to buy, and the person's word; opening the link alone says nothing. */
export function Page({ data }: { readonly data: AgentConfirmData }) {
  const t = useT()
  const href = useHref()
  const { outcome } = usePageState()
  const [answered, setAnswered] = useState<keyof typeof ANSWERED | null>(
    outcome?.isDone && outcome.form in ANSWERED ? (outcome.form as keyof typeof ANSWERED) : null,
  )
  const { asked, covers } = data
  const said =
    answered !== null
      ? t(ANSWERED[answered])
      : asked === null
        ? t('agent.ended')
        : asked.state === 'waiting'
          ? null
          : t(STATES[asked.state])
  if (said !== null || asked === null)
    return (
      <AuthLayout
        arrived={answered !== null}
        title={t('agent.title')}
        text={said ?? ''}
        covers={covers}
      >
        <ButtonLink look="solid" size="large" block href={href('/user/order')}>
          {t('shell.orders')}
        </ButtonLink>
      </AuthLayout>
    )
  return (
    <AuthLayout title={t('agent.title')} text={t('agent.text')} covers={covers}>
      <Goods lines={asked.lines} />
      <p>
        <strong>{t('agent.total', { amount: asked.total })}</strong>
      </p>
      <p className="soft">{t('agent.until', { date: asked.until })}</p>
      {(['approve', 'refuse'] as const).map((name) => (
        <CallForm
          key={name}
          name={name}
          form={forms[name]}
          className="stack"
          onDone={() => setAnswered(name)}
        >
          {(view) => (
            <>
              <Refusal view={view} />
              <input type="hidden" name="id" value={asked.id} />
              <Button
                type="submit"
                look={name === 'approve' ? 'solid' : 'edge'}
                size="large"
                block
                busy={view.busy}
              >
                {t(name === 'approve' ? 'agent.approve' : 'agent.refuse')}
              </Button>
            </>
          )}
        </CallForm>
      ))}
    </AuthLayout>
  )
}

function Goods({ lines }: { readonly lines: NonNullable<AgentConfirmData['asked']>['lines'] }) {
  return (
    <ul className="stack">
      {lines.map(({ name, quantity, account, price }) => (
        <li key={`${name} ${account.join(' ')}`}>
          <bdi>{name}</bdi> ×&nbsp;{quantity} · <bdi>{price}</bdi>
          {account.map((given) => (
            <div key={given}>
              <bdi dir="ltr">{given}</bdi>
            </div>
          ))}
        </li>
      ))}
    </ul>
  )
}
