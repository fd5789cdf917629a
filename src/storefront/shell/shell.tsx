import type { ComponentType } from 'react'
import type { Layout } from '../routes.ts'
import type { PagePayload, ShellData } from '../page.ts'

export interface ShellProps {
  readonly shell: ShellData
  readonly payload: PagePayload
  readonly layout: Layout
  readonly Page: ComponentType<{ readonly data: never }>
}

/** The frame around a page: header, main, footer. Rendered alike on the server and in the browser. */
export function Shell({ payload, Page }: ShellProps) {
  return (
    <main id="main" tabIndex={-1}>
      <Page data={payload.data as never} />
    </main>
  )
}
