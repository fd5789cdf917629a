import { describe, expect, it } from 'vitest'
import { searchAddress } from './search-address.ts'

describe('the address of a search', () => {
  it('is the bare page without keywords', () => {
    expect(searchAddress({ keywords: '' })).toBe('/search')
  })

  it('encodes what was typed', () => {
    expect(searchAddress({ keywords: '原神 & co' })).toBe(
      '/search?keywords=%E5%8E%9F%E7%A5%9E+%26+co',
    )
  })

  it('keeps kind, order and page but not their defaults', () => {
    expect(searchAddress({ keywords: 'a', type: 0, sort: 'popular', page: 1 })).toBe(
      '/search?keywords=a&type=0',
    )
    expect(searchAddress({ keywords: 'a', type: 2, sort: 'price_asc', page: 3 })).toBe(
      '/search?keywords=a&type=2&sort=price_asc&page=3',
    )
  })
})
