import { OfflineBanner, ProgressBar, Toast, ToastRegion } from '#ui/notice.tsx'
import { useHref, useT } from '../i18n.tsx'
import { island } from '../islands.ts'
import { closeToast, toasts } from '../state/toasts.ts'
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
  const t = useT()
  const href = useHref()
  return useStore(toasts).map((toast) => (
    <Toast
      key={toast.id}
      tone={toast.tone}
      closeLabel={t('shell.close')}
      onClose={() => closeToast(toast.id)}
      link={
        toast.link && (
          <a href={href(toast.link.path)} onClick={() => closeToast(toast.id)}>
            {toast.link.text}
          </a>
        )
      }
    >
      {toast.text}
    </Toast>
  ))
}
