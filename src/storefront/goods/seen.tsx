import { Button } from '#ui/button.tsx'
import { SeenEntry, SeenList } from '#ui/seen.tsx'
import { Section, SectionHeader } from '#ui/section.tsx'
import { useT } from '../i18n.tsx'
import type { SeenProduct } from '../state/seen.ts'

/**
 * Place for what was looked at before, which only the browser knows (`browser/seen.ts` fills it). At the end of a page, so that
 * nothing moves when it comes.
 * @param here the product whose page this is
 */
export function Seen({ here }: { readonly here?: SeenProduct }) {
  const t = useT()
  return (
    <Section hidden data-seen={here === undefined ? '' : JSON.stringify(here)}>
      <SectionHeader
        title={t('goods.seenTitle')}
        note={t('goods.seenNote')}
        aside={<Button look="ghost">{t('goods.seenClear')}</Button>}
      />
      <SeenList>
        <SeenEntry />
      </SeenList>
    </Section>
  )
}
