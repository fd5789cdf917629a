import { expect, test } from 'vitest'
import { securityTxt } from './security-txt.ts'

const now = new Date('2026-11-23T10:00:00Z')
const of = (securityContact: string | null) =>
  securityTxt({ securityContact }, 'https://shop.example', now)?.body

test('says whom to tell of a weakness, and until when that holds', () => {
  expect(of('security@shop.example')).toMatch(
    /^Contact: mailto:security@shop\.example\nExpires: 2027-05-22T00:00:00\.000Z\nCanonical: https:\/\/shop\.example\/\.well-known\/security\.txt\n$/,
  )
  expect(of('https://shop.example/contact')).toContain('Contact: https://shop.example/contact\n')
})

test('is not there while nobody is named', () => {
  expect(of(null)).toBeUndefined()
})
