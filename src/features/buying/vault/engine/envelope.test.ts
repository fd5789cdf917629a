import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openContent, sealContent, unwrapKey, wrapKey, type Kek, type Place } from './envelope.ts'

const first = { id: 1, bytes: Buffer.alloc(32, 1) }
const second = { id: 2, bytes: Buffer.alloc(32, 2) }
const place = {
  id: '01a20000-0000-7000-8000-000000000001',
  item: '01a20000-0000-7000-8000-00000000000a',
}

const seal = (content: Uint8Array, at: Place, kek: Kek, random: typeof randomBytes) => {
  const { rowKey, ...sealed } = sealContent(content, at, random)
  return { ...sealed, wrappedKey: wrapKey(rowKey, at, kek, random) }
}
const open = (sealed: ReturnType<typeof seal>, at: Place, kek: Kek) =>
  openContent({ ...sealed, rowKey: unwrapKey(sealed.wrappedKey, at, kek) }, at)
const rewrap = (sealed: ReturnType<typeof seal>, at: Place, from: Kek, to: Kek) => ({
  wrappedKey: wrapKey(unwrapKey(sealed.wrappedKey, at, from), at, to, randomBytes),
})

test('what was sealed opens again, before and after a rotation, and the rotation leaves the ciphertext alone', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (content) => {
      const sealed = seal(content, place, first, randomBytes)
      expect(open(sealed, place, first)).toEqual(Buffer.from(content))
      const rotated = { ...sealed, ...rewrap(sealed, place, first, second) }
      expect(rotated.ciphertext).toBe(sealed.ciphertext)
      expect(open(rotated, place, second)).toEqual(Buffer.from(content))
      expect(() => open(rotated, place, first)).toThrow()
    }),
  )
})

test('an envelope moved to another row or item does not open', () => {
  const sealed = seal(Buffer.from('AXK7P3QM9WT2'), place, first, randomBytes)
  expect(() =>
    open(sealed, { ...place, id: '01a20000-0000-7000-8000-000000000002' }, first),
  ).toThrow()
  expect(() =>
    open(sealed, { ...place, item: '01a20000-0000-7000-8000-00000000000b' }, first),
  ).toThrow()
})

test('one changed bit anywhere is noticed', () => {
  const sealed = seal(Buffer.from('AXK7P3QM9WT2'), place, first, randomBytes)
  for (const part of ['nonce', 'ciphertext', 'wrappedKey'] as const)
    for (let at = 0; at < sealed[part].length; at += 1) {
      const changed = Buffer.from(sealed[part])
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => open({ ...sealed, [part]: changed }, place, first)).toThrow()
    }
})

test('a wrapped key is 60 bytes, and two rows of the same content have nothing in common', () => {
  const [one, two] = [
    seal(Buffer.from('A'), place, first, randomBytes),
    seal(Buffer.from('A'), place, first, randomBytes),
  ]
  expect(one.wrappedKey).toHaveLength(60)
  expect(one.ciphertext.equals(two.ciphertext)).toBe(false)
})
