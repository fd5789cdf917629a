import { describe, expect, it } from 'vitest'
import { matchesEtag, negotiate } from './negotiation.ts'

const CHROME = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

describe('the form of a picture', () => {
  it('is AVIF where the browser names it', () => {
    expect(negotiate('webp', CHROME, '')).toEqual({ form: { format: 'avif' }, vary: 'Accept' })
    expect(negotiate('auto', CHROME, '').form).toEqual({ format: 'avif' })
    expect(negotiate('webp', 'image/avif;q=0, */*', '').form).toEqual({ format: 'webp' })
    expect(negotiate('webp', undefined, undefined).form).toEqual({ format: 'webp' })
    expect(negotiate('auto', 'image/webp', '').form).toEqual({ format: 'webp' })
    expect(negotiate('auto', '*/*', '').form).toEqual({ format: 'png' })
  })

  it('is what was asked for otherwise', () => {
    expect(negotiate('png', CHROME, 'br')).toEqual({ form: { format: 'png' }, vary: null })
    expect(negotiate('jpg', CHROME, 'br').form).toEqual({ format: 'jpg' })
    expect(negotiate('avif', 'image/webp', 'br').form).toEqual({ format: 'avif' })
  })

  it('compresses a drawing as the client allows', () => {
    const encoding = (header: string | undefined) => negotiate('svg', CHROME, header).form
    expect(encoding('gzip, deflate, br')).toEqual({ format: 'svg', encoding: 'br' })
    expect(encoding('gzip, br;q=0')).toEqual({ format: 'svg', encoding: 'gzip' })
    expect(encoding('gzip;q=0.000')).toEqual({ format: 'svg', encoding: 'identity' })
    expect(encoding(undefined)).toEqual({ format: 'svg', encoding: 'identity' })
  })
})

describe('If-None-Match', () => {
  it('compares weakly against each entry', () => {
    expect(matchesEtag('"a", W/"b"', '"b"')).toBe(true)
    expect(matchesEtag('*', '"b"')).toBe(true)
    expect(matchesEtag('"bb"', '"b"')).toBe(false)
    expect(matchesEtag(undefined, '"b"')).toBe(false)
  })
})
