import { Footer } from '#ui/footer.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { FooterData } from '../page.ts'

const PAY_TYPES_SHOWN = 5

/** Foot of the page: the first five ways to pay, groups of links, the company. */
export function FooterBar({
  footer,
  shop,
}: {
  readonly footer: FooterData
  /** What it is called. */
  readonly shop: string
}) {
  const t = useT()
  const href = useHref()
  return (
    <Footer
      logo={{ href: href('/'), label: t('shell.homeLabel', { shop }), name: shop }}
      pays={
        footer.payTypes.length === 0
          ? undefined
          : {
              label: t('shell.payTypes'),
              list: footer.payTypes.slice(0, PAY_TYPES_SHOWN),
            }
      }
      groups={footer.groups.map((group) => ({
        title: group.title,
        links: group.items.map((item) => ({ text: item.title, href: href(item.path) })),
      }))}
      lines={[footer.company, footer.address, footer.copyright].filter((line) => line !== '')}
      social={[
        { label: t('shell.social'), links: footer.profiles },
        { label: t('shell.share'), links: footer.share },
      ]}
    />
  )
}
