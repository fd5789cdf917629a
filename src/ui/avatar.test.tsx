import { describe, expect, it } from 'vitest'
import { initialsOf } from './avatar.tsx'

describe('initialsOf', () => {
  it('takes the first letters of the first two words, however they are parted', () => {
    expect(initialsOf('RizkyGG')).toBe('RG')
    expect(initialsOf('rizky gunawan putra')).toBe('RG')
    expect(initialsOf('rizky_99')).toBe('R9')
  })

  it('keeps marks with their letter and scripts without capitals as they are', () => {
    expect(initialsOf('陈伟')).toBe('陈')
    expect(initialsOf('किरण')).toBe('कि')
  })

  it('has a sign for a name without letters', () => {
    expect(initialsOf('★')).toBe('?')
  })
})
