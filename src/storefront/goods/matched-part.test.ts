import { describe, expect, it } from 'vitest'
import { markMatch } from './matched-part.ts'

describe('the part of a name that was searched for', () => {
  it('is found whatever the case', () => {
    expect(markMatch('PUBG Mobile UC', 'mo')).toEqual(['PUBG ', 'Mo', 'bile UC'])
  })

  it('begins where a word begins', () => {
    expect(markMatch('Tomo Mobile', 'mo')).toEqual(['Tomo ', 'Mo', 'bile'])
    expect(markMatch('Tomb', 'mb')).toBeNull()
  })

  it('is the first word found when the whole is not there', () => {
    expect(markMatch('Mobile Legends: Bang Bang', 'legends mobile')).toEqual([
      'Mobile ',
      'Legends',
      ': Bang Bang',
    ])
  })

  it('may stand anywhere in scripts without spaces', () => {
    expect(markMatch('崩坏星穹铁道', '星穹')).toEqual(['崩坏', '星穹', '铁道'])
  })

  it('is nothing for a typing error and for letters whose small form is longer', () => {
    expect(markMatch('Genshin Impact', 'gneshin')).toBeNull()
    expect(markMatch('İstanbul Kart', 'kart')).toBeNull()
  })
})
