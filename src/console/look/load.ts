import { themeSetting } from '#features/base/theme/schema.ts'
import { readSettingForms } from '#features/office/setting/queries.ts'
import { isLoopbackHost } from '#platform/http/loopback.ts'
import { present } from '#kernel/assert.ts'
import type { ConsoleContext, Loaded } from '../page.ts'
import { fieldData } from '../settings/load.ts'
import type { SettingData } from '../settings/shown.ts'

export interface LookData {
  readonly setting: SettingData
  /** Pages that are looked at, in the operator's language. */
  readonly pages: readonly { readonly title: string; readonly address: string }[]
}

export async function load(context: ConsoleContext): Promise<Loaded<LookData>> {
  const { ctx, t, language, paying, aProductPath } = context
  const settings = await readSettingForms(ctx.db)
  const { key, isTold, fault, forms } = present(
    settings.find((each) => each.key === themeSetting.key),
    'the setting of the look',
  )
  // This machine has several names, and a frame is of the one that was typed.
  const isHere = isLoopbackHost(new URL(paying.publicUrl).hostname)
  const page = (title: string, path: string) => ({
    title,
    address: `${isHere ? '' : paying.publicUrl}${language.prefix}${path}`,
  })
  return {
    title: t('console.look.nav'),
    data: {
      setting: {
        key,
        tellsOwners: isTold,
        fault,
        fields: forms.map((form) => fieldData(context, form)),
      },
      pages: [
        page(t('shell.home'), language.prefix === '' ? '/' : ''),
        page(t('title.topUp'), '/top-up'),
        page(t('title.product'), '/product'),
        page(t('console.orders.filter.product'), aProductPath() ?? '/reviews'),
        page(t('api.footerSupport'), '/support'),
      ],
    },
  }
}
