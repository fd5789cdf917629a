import { ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { Panel } from '#ui/panel.tsx'
import { useHref } from '../i18n.tsx'
import type { AccountAreaData } from './load.ts'
import css from './account-area.module.css'

export function Page({ data }: { readonly data: AccountAreaData }) {
  const href = useHref()
  return (
    <div className={`wrap ${css.page}`}>
      <nav className={css.side} aria-label={data.nav.label}>
        {data.nav.items.map((item) => (
          <a key={item.path} href={href(item.path)} aria-current={item.current ? 'page' : undefined}>
            <Icon name={item.icon} />
            {item.text}
          </a>
        ))}
      </nav>
      <div className="stack">
        <h1>{data.title}</h1>
        <Panel>
          <Empty scene={data.scene} level={2} title={data.heading} text={data.text}>
            {data.links.map((link, index) => (
              <ButtonLink key={link.path} href={href(link.path)} look={index === 0 ? 'solid' : 'edge'}>
                {link.text}
              </ButtonLink>
            ))}
          </Empty>
        </Panel>
      </div>
    </div>
  )
}
