import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/base/shop/rules.ts'
import { supportAddress } from './contact-data.ts'

const page = (supportEmail: string | null) =>
  ({
    shop: { settings: { ...DEFAULT_SETTINGS, supportEmail } },
    publicUrl: 'https://shop.example:8443/',
  }) as Parameters<typeof supportAddress>[0]

test('shoppers write to the address that the owner has set, and else to the usual one at the domain', () => {
  expect(supportAddress(page('help@corner.example'))).toBe('help@corner.example')
  expect(supportAddress(page(null))).toBe('support@shop.example')
})
