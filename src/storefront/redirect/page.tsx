import { ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { useHref } from '../i18n.tsx'
import type { PassageData } from './load.ts'

export function Page({ data }: { readonly data: PassageData }) {
  const href = useHref()
  return (
    <div className="wrap">
      <Empty level={1} title={data.title} text={data.text}>
        <ButtonLink href={href(data.link.path)} look="solid">
          {data.link.text}
        </ButtonLink>
      </Empty>
    </div>
  )
}
