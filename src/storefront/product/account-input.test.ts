import { describe, expect, it } from 'vitest'
import { attributePattern } from './account-input.ts'

describe('the pattern attribute', () => {
  it('is left out where browsers would not understand it', () => {
    expect(attributePattern('^\\d{5,10}$')).toBe('^\\d{5,10}$')
    expect(attributePattern('^[A-Za-z0-9 _-]{1,12}$')).toBeUndefined()
    expect(attributePattern(null)).toBeUndefined()
  })
})
