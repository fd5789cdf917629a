import { useEffect, useState, type MouseEvent } from 'react'
import { IconButton } from '#ui/button.tsx'
import { useHref, useT } from '../i18n.tsx'
import { client } from '../state/client.ts'
import { isSignedIn, person as knownPerson, refreshPerson } from '../state/session.ts'
import { useStore } from '../state/use-store.ts'
import { showToast } from '../state/toasts.ts'

const TOAST_MS = 3_000

/**
 * The heart of a product. The page is the same for everybody, so it asks by itself whether this is a favourite; a visitor is led
 * to sign in and back.
 */
export function FavouriteButton({ code, path }: { readonly code: string; readonly path: string }) {
  const t = useT()
  const href = useHref()
  const isKnown = useStore(knownPerson) !== null
  const [isOn, setOn] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (!isKnown) return setOn(false)
    const asked = new AbortController()
    client
      .get()
      ?.get(
        'collect/index',
        { code, limit: 1 },
        { needToken: true, showCheckMsg: false, signal: asked.signal },
      )
      .then(
        ({ total }) => setOn(total > 0),
        () => undefined,
      )
    return () => asked.abort()
  }, [code, isKnown])

  const toggle = async (event: MouseEvent): Promise<void> => {
    event.preventDefault()
    if (!isSignedIn()) return location.assign(href(`/login?redirect=${encodeURIComponent(path)}`))
    if (isBusy) return
    setBusy(true)
    try {
      await client.get()?.post(isOn ? 'collect/remove' : 'collect/add', { code })
      setOn(!isOn)
      showToast('ok', isOn ? t('product.favouriteRemoved') : t('product.favouriteAdded'), TOAST_MS)
      void refreshPerson()
    } catch {
      // The client has said what was wrong.
    }
    setBusy(false)
  }
  return (
    <>
      <input type="hidden" name="add" value={code} />
      <IconButton
        type="submit"
        icon="heart"
        framed
        aria-pressed={isOn}
        aria-busy={isBusy}
        label={t('product.favourite')}
        onClick={(event) => void toggle(event)}
        data-replay=""
      />
    </>
  )
}
