import { Icon } from '#ui/icon.tsx'
import { PayMarks } from '#ui/pay-marks.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { ProductData } from './load.ts'
import css from './product.module.css'

/** Beside the button: the ways to pay that there are, and whom to ask about just this product. */
export function Trust({ data }: { readonly data: Pick<ProductData, 'help' | 'payTypes'> }) {
  const t = useT()
  const href = useHref()
  const { help } = data
  return (
    <>
      {data.payTypes.length === 0 ? null : (
        <div className={css.pay}>
          <a className="link" href={href('/pay-type')}>
            {t('api.footerPayTypes')}
          </a>
          <PayMarks types={data.payTypes} />
        </div>
      )}
      <div className={css.help}>
        <Icon name="chat" />
        <p>
          {t('product.help')} <a href={help.mail ?? href('/contact-us')}>{t('product.helpAsk')}</a>
          {help.hours === null ? null : (
            <>
              <br />
              <span className="muted">{help.hours}</span>
            </>
          )}
        </p>
      </div>
    </>
  )
}
