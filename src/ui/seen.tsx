import type { ReactNode } from 'react'
import picture from './picture.module.css'
import css from './seen.module.css'

/** List that script fills with copies of its one entry. */
export function SeenList({ children }: { children: ReactNode }) {
  return (
    <>
      <ul className={css.list} />
      <template>{children}</template>
    </>
  )
}

/** Small cover, name and region: one link. Empty; script says where to and what. */
export function SeenEntry() {
  return (
    <li>
      <a className={css.entry}>
        <span className={`${picture.cover} ${css.cover}`}>
          {/* Never fetched: an entry has its own before it stands in the page. */}
          <img src="/icon.svg" loading="lazy" decoding="async" width="240" height="320" alt="" />
        </span>
        <span>
          <b>
            <bdi />
          </b>
          <small>
            <bdi />
          </small>
        </span>
      </a>
    </li>
  )
}
