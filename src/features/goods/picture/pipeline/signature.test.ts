import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { secret } from '#platform/secret.ts'
import { parsePictureAddress } from '../rules.ts'
import { honoured, signedPictureUrl } from './signature.ts'

const KEY = secret('a key of the shop')
const parse = (address: string) => parsePictureAddress(new URL(address, 'http://shop.example'))!
const effectsOf = (address: string) => honoured(KEY, parse(address)).effects

describe('a signed address', () => {
  const address = signedPictureUrl(KEY, 'article', 'news/x', {
    blur: 12,
    contrast: -30,
    version: 'abcdefgh',
  })

  it('carries its effects', () => {
    expect(effectsOf(address)).toEqual({ blur: 12, contrast: -30 })
  })

  it('holds for another version, another order of parameters and another spelling of a number', () => {
    const { s } = Object.fromEntries(new URL(address, 'http://x').searchParams)
    expect(
      effectsOf(`/img/article/news/x.webp?s=${s}&contrast=-30.2&blur=12&v=zzzzzzzz&q=90&w=386`),
    ).toEqual({ blur: 12, contrast: -30 })
  })

  it('loses its effects when anything that matters is changed', () => {
    for (const changed of [
      address.replace('blur=12', 'blur=13'),
      address.replace('news/x', 'news/y'),
      address.replace('article', 'home_b'),
      address.replace('.webp', '.png'),
      `${address}&w=480`,
      `${address}&q=50`,
      `${address}&saturation=5`,
      address.replace(/s=.{16}/, 's='),
      address.replace(/&s=.*/, ''),
    ])
      expect(effectsOf(changed), changed).toEqual({})
  })

  it('cannot be guessed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (s) => {
        expect(effectsOf(`/img/article/news/x.webp?blur=12&${new URLSearchParams({ s })}`)).toEqual(
          {},
        )
      }),
    )
    expect(honoured(secret('another key'), parse(address)).effects).toEqual({})
  })
})
