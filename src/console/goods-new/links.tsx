import { Icon } from '#ui/icon.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'

/** From the list of products to what makes them, and to their files. */
export function GoodsLinks({ mayChange }: { readonly mayChange: boolean }) {
  const t = useT()
  return (
    <div className="row wrapx">
      <a className="btn edge" href={`${CONSOLE_PATH}/products/files`}>
        <Icon name="download" />
        {t('console.goodsFiles.title')}
      </a>
      {mayChange && (
        <a className="btn solid" href={`${CONSOLE_PATH}/products/new`}>
          <Icon name="plus" />
          {t('console.goodsNew.title')}
        </a>
      )}
    </div>
  )
}
