import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/base/shop/rules.ts'
import { getLanguage } from '#kernel/language.ts'
import type { PageContext } from '../page.ts'
import { companyOf, supportAddress } from './contact-data.ts'

const page = (supportEmail: string | null) =>
  ({
    shop: { settings: { ...DEFAULT_SETTINGS, supportEmail } },
    publicUrl: 'https://shop.example:8443/',
  }) as Parameters<typeof supportAddress>[0]

test('shoppers write to the address that the owner has set, and else to the usual one at the domain', () => {
  expect(supportAddress(page('help@corner.example'))).toBe('help@corner.example')
  expect(supportAddress(page(null))).toBe('support@shop.example')
})

test('who runs the shop is said as far as the operator has said it', () => {
  const context = (settings: object) =>
    ({
      ...page('help@corner.example'),
      shop: {
        settings: { ...DEFAULT_SETTINGS, supportEmail: 'help@corner.example', ...settings },
      },
      language: getLanguage('en'),
      timeZone: 'UTC',
      t: (key: string, { zone }: { zone: string }) => `${key} ${zone}`,
    }) as unknown as PageContext
  expect(companyOf(context({ corporateName: 'Corner Ltd', address: '1 Street' }))).toEqual({
    name: 'Corner Ltd',
    address: '1 Street',
    mail: 'help@corner.example',
    hours: null,
  })
  const open = companyOf(context({ supportHours: { from: '08:00', to: '17:00' } }))
  expect(open).toMatchObject({
    name: '',
    address: '',
    hours: 'home.factSupport Coordinated Universal Time',
  })
})
