import { ButtonLink } from '#ui/button.tsx'
import { IconList } from '#ui/list.tsx'
import { Picture } from '#ui/picture.tsx'
import { useHref } from '../i18n.tsx'
import type { SignInData } from './load.ts'
import css from './sign-in.module.css'

/** A door to the account, beside a wall of hanging cards on wide screens. */
export function Page({ data }: { readonly data: SignInData }) {
  const href = useHref()
  return (
    <div className={css.page}>
      <div className={css.side}>
        <div className="stack-l">
          <h1>{data.title}</h1>
          <p>{data.text}</p>
          <IconList items={data.points.map((text) => ({ icon: 'check', text }))} />
          <div className="row">
            {data.links.map((link, index) => (
              <ButtonLink key={link.text} href={href(link.path)} look={index === 0 ? 'solid' : 'edge'} size="large">
                {link.text}
              </ButtonLink>
            ))}
          </div>
        </div>
      </div>
      <div className={css.art} aria-hidden="true">
        <div className={css.wall}>
          {data.covers.map((cover) => (
            <Picture key={cover} src={cover} width={240} height={320} alt="" hanging />
          ))}
        </div>
      </div>
    </div>
  )
}
