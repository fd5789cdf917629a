import { useEffect } from 'react'
import { OfflineBanner, ProgressBar, Toast, ToastRegion } from '#ui/notice.tsx'
import { useHref, useT } from '../i18n.tsx'
import { island } from '../islands.ts'
import { closeToast, toasts, type ToastMessage } from '../state/toasts.ts'
import { useStore } from '../state/use-store.ts'

/** What the browser tells while a page is open, of calls and of being offline: in the HTML, and silent until it is so (`browser/signals.ts`). */
export function LoadingBar() {
  const t = useT()
  return <ProgressBar label={t('shell.loading')} />
}

export function Offline() {
  const t = useT()
  return <OfflineBanner>{t('shell.offline')}</OfflineBanner>
}

/** Where messages appear. */
export function ToastIsland() {
  const t = useT()
  return <ToastRegion label={t('shell.messages')} {...island('toasts')} />
}

export function Toasts() {
  return useStore(toasts).map((toast) => <TimedToast key={toast.id} toast={toast} />)
}

function TimedToast({ toast }: { readonly toast: ToastMessage }) {
  const t = useT()
  const href = useHref()
  const { id, forMs } = toast
  useEffect(() => {
    if (forMs === undefined) return
    const timer = setTimeout(() => closeToast(id), forMs)
    return () => clearTimeout(timer)
  }, [id, forMs])
  return (
    <Toast
      tone={toast.tone}
      closeLabel={t('shell.close')}
      onClose={() => closeToast(id)}
      link={
        toast.link && (
          <a href={href(toast.link.path)} onClick={() => closeToast(id)}>
            {toast.link.text}
          </a>
        )
      }
    >
      {toast.text}
    </Toast>
  )
}
