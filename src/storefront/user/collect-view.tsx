import { useRef } from 'react'
import { Button, ButtonLink, IconButton } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Tile, TileGrid } from '#ui/tile.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { usePageState } from '../forms/page-state.tsx'
import { useHref, useT } from '../i18n.tsx'
import { showToast } from '../state/toasts.ts'
import type { CollectData, CollectTile } from './collect.ts'
import { forms } from './forms.ts'
import { Paging } from './paging.tsx'
import css from './user.module.css'

const TOAST_MS = 3_000

export function CollectRoom({ data }: { readonly data: CollectData }) {
  const t = useT()
  const href = useHref()
  const { outcome } = usePageState()
  const list = useRef<HTMLDivElement>(null)
  const removed = (): void => {
    showToast('ok', t('user.collectRemoved'), TOAST_MS)
    // The button goes with its tile; the keyboard goes on from the list.
    list.current?.focus()
  }
  return (
    <>
      {outcome?.form === 'removeFavourite' && outcome.isDone ? (
        <Note tone="ok" role="status">
          {t('user.collectRemoved')}
        </Note>
      ) : null}
      {data.asked === null ? null : <Asked tile={data.asked} />}
      <div ref={list} tabIndex={-1} className={css.list}>
        {data.tiles.length === 0 ? (
          <Panel>
            <Empty level={2} title={t('user.collectNone')} text={t('user.collectNoneText')}>
              <ButtonLink look="solid" href={href('/top-up')}>
                {t('user.browseTopUps')}
              </ButtonLink>
              <ButtonLink href={href('/cards')}>{t('user.browseCards')}</ButtonLink>
            </Empty>
          </Panel>
        ) : (
          <TileGrid columns={5} label={t('user.collect')}>
            {data.tiles.map((tile) => (
              <FavouriteTile key={tile.code} tile={tile} onRemoved={removed} />
            ))}
          </TileGrid>
        )}
      </div>
      <Paging data={data.paging} />
    </>
  )
}

function FavouriteTile({
  tile,
  onRemoved,
}: {
  readonly tile: CollectTile
  readonly onRemoved: () => void
}) {
  const t = useT()
  const href = useHref()
  return (
    <Tile
      href={href(tile.path)}
      image={{ src: tile.image, width: 240, height: 320 }}
      name={tile.name}
      lang={tile.lang}
      region={tile.note}
      rating={tile.rating}
      delivery={tile.delivery}
      from={tile.from ? t('goods.from') : undefined}
      price={tile.price}
      discount={tile.discount}
      action={
        <CallForm name="removeFavourite" form={forms.removeFavourite} onDone={onRemoved}>
          {(view) => (
            <>
              <input type="hidden" name="code" value={tile.code} />
              <IconButton
                type="submit"
                icon="heart"
                aria-pressed="true"
                disabled={view.busy}
                label={t('user.collectRemove', { name: tile.spoken })}
              />
            </>
          )}
        </CallForm>
      }
    />
  )
}

/** Without script a heart leads here. */
function Asked({ tile }: { readonly tile: CollectTile }) {
  const t = useT()
  const href = useHref()
  return (
    <Panel>
      <CallForm name="addFavourite" form={forms.addFavourite} className="stack">
        {(view) => (
          <>
            <Refusal view={view} />
            <p>{t('user.collectAsk', { name: tile.spoken })}</p>
            <input type="hidden" name="code" value={tile.code} />
            <div className="row">
              <Button type="submit" look="solid" busy={view.busy}>
                {t('user.collectAdd')}
              </Button>
              <ButtonLink look="ghost" href={href(tile.path)}>
                {t('form.back')}
              </ButtonLink>
            </div>
          </>
        )}
      </CallForm>
    </Panel>
  )
}
