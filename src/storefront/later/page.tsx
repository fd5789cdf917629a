import { ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { useHref } from '../i18n.tsx'
import type { LaterData } from './load.ts'

export function Page({ data }: { readonly data: LaterData }) {
  const href = useHref()
  return (
    <div className="wrap">
      <Empty level={1} title={data.title} text={data.text}>
        {data.links.map((link, index) => (
          <ButtonLink key={link.path} href={href(link.path)} look={index === 0 ? 'solid' : 'edge'}>
            {link.text}
          </ButtonLink>
        ))}
      </Empty>
    </div>
  )
}
