import { AddressCard, AddressCards } from '#ui/address-card.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { TextField } from '#ui/field.tsx'
import { Panel } from '#ui/panel.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import type { PlayersData, ShownPlayer } from './players.ts'
import { BackLink } from './step.tsx'

const SECTION = '/userDetail?section=players'

export function PlayersSection({ data }: { readonly data: PlayersData }) {
  const t = useT()
  if (data.renaming) return <Renaming player={data.renaming} />
  if (data.list.length === 0) {
    return (
      <Panel>
        <Empty level={2} title={t('account.playerNone')} text={t('account.playersText')} />
      </Panel>
    )
  }
  return (
    <Panel title={t('account.players')} className="stack-l">
      <p className="muted">{t('account.playersText')}</p>
      <AddressCards>
        {data.list.map((player) => (
          <AddressCard
            key={player.id}
            name={player.label}
            lines={[player.note]}
            actions={<Actions player={player} />}
          />
        ))}
      </AddressCards>
    </Panel>
  )
}

function Actions({ player: { id, label } }: { readonly player: ShownPlayer }) {
  const t = useT()
  const href = useHref()
  const named = <span className="sr">: {label}</span>
  return (
    <>
      <ButtonLink size="small" href={href(`${SECTION}&do=rename&id=${id}`)}>
        {t('form.change')}
        {named}
      </ButtonLink>
      <CallForm name="removePlayer" form={forms.removePlayer}>
        {(view) => (
          <>
            <input type="hidden" name="id" value={id} />
            <Button type="submit" size="small" look="ghost" busy={view.busy}>
              {t('form.remove')}
              {named}
            </Button>
          </>
        )}
      </CallForm>
    </>
  )
}

function Renaming({ player: { id, label, text } }: { readonly player: ShownPlayer }) {
  const t = useT()
  return (
    <Panel title={t('account.players')} className="stack">
      <p className="muted">
        <bdi>{text}</bdi>
      </p>
      <CallForm name="renamePlayer" form={forms.renamePlayer} className="stack">
        {(view) => (
          <>
            <Refusal view={view} />
            <input type="hidden" name="id" value={id} />
            <TextField
              id="label"
              label={t('account.playerName')}
              dir="auto"
              required
              {...view.field('label', label)}
            />
            <div className="row">
              <Button type="submit" look="solid" busy={view.busy}>
                {t('form.save')}
              </Button>
              <BackLink path={SECTION} />
            </div>
          </>
        )}
      </CallForm>
    </Panel>
  )
}
