import { Component, type ReactNode } from 'react'
import { ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { useHref, useT } from '../i18n.tsx'

const STATUS = 500

/** Shown where the living part of a page failed: what happened, and a way on. The frame of the shop is around it. */
export class Failure extends Component<
  { readonly children: ReactNode },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false }
  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }
  override render(): ReactNode {
    return this.state.hasFailed ? <FailedPage /> : this.props.children
  }
}

function FailedPage() {
  const t = useT()
  const href = useHref()
  return (
    <div className="wrap">
      <Empty
        level={1}
        title={t('title.failure')}
        text={t('shell.failureStatus', { status: STATUS })}
      >
        <ButtonLink look="solid" href={href('/')}>
          {t('shell.home')}
        </ButtonLink>
      </Empty>
    </div>
  )
}
