import { AddressText } from '#ui/address-text.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'
import { Opening } from '#ui/opening.tsx'
import { RackScene } from '#ui/scene.tsx'
import { useHref } from '../i18n.tsx'
import type { LaterData } from './load.ts'
import css from './later.module.css'

export function Page({ data }: { readonly data: LaterData }) {
  const href = useHref()
  const links = data.links.map((link, index) => (
    <ButtonLink
      key={link.path}
      href={href(link.path)}
      look={index === 0 && data.mail === null ? 'solid' : 'edge'}
    >
      {link.text}
    </ButtonLink>
  ))
  if (data.mail === null) {
    return (
      <div className="wrap">
        <Empty level={1} title={data.title} text={data.text}>
          {links}
        </Empty>
      </div>
    )
  }
  return (
    <div className={`wrap ${css.page}`}>
      <Opening
        title={data.title}
        lead={data.text}
        actions={
          <>
            <ButtonLink look="solid" href={data.mail.href}>
              <Icon name="mail" />
              <AddressText>{data.mail.text}</AddressText>
            </ButtonLink>
            {links}
          </>
        }
        scene={<RackScene signs={['heart', 'pencil', null]} main={1} />}
      />
    </div>
  )
}
