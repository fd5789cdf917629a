import { OfflineBanner, ProgressBar, Toast, ToastRegion } from '#ui/notice.tsx'
import { useHref, useT } from '../i18n.tsx'
import { online } from '../state/online.ts'
import { progress } from '../state/progress.ts'
import { useStore } from '../state/store.ts'
import { closeToast, toasts } from '../state/toasts.ts'

/** What the browser tells while a page is open: loading, messages, being offline. Nothing of it is in the server's HTML. */
export function LoadingBar() {
  const t = useT()
  const now = useStore(progress)
  return now === null ? null : (
    <ProgressBar state={now.state} percent={now.percent} label={t('shell.loading')} />
  )
}

export function Offline() {
  const t = useT()
  return useStore(online) ? null : <OfflineBanner>{t('shell.offline')}</OfflineBanner>
}

export function Toasts() {
  const t = useT()
  const href = useHref()
  const list = useStore(toasts)
  return (
    <ToastRegion label={t('shell.messages')}>
      {list.map((toast) => (
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
      ))}
    </ToastRegion>
  )
}
