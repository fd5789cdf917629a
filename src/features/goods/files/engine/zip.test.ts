import { expect, test } from 'vitest'
import { UselessFile } from '../rules.ts'
import { zipFiles, ZipWriter } from './zip.ts'

function archive(files: Readonly<Record<string, string>>): Buffer {
  const zip = new ZipWriter()
  const parts = Object.entries(files).map(([path, text]) =>
    zip.add({ path, bytes: Buffer.from(text) }),
  )
  return Buffer.concat([...parts, zip.end()])
}

const all = (bytes: Buffer, wanted = () => true) =>
  [...zipFiles(bytes, wanted)].map(({ path, bytes: own }) => [path, own.toString()])

test('what is written is read again, also with a comment behind it', () => {
  const files = { 'catalogue.json': '{}', 'brands/gift_card/ä.json': 'x'.repeat(70_000) }
  const made = archive(files)
  expect(all(made)).toEqual(Object.entries(files))
  expect(all(Buffer.concat([made, Buffer.from('comment')]))).toEqual(Object.entries(files))
  expect(all(archive({}))).toEqual([])
})

test('files nobody asks for are not unpacked', () => {
  const made = archive({ a: '1', b: '2' })
  expect([...zipFiles(made, (path) => path === 'b')].map(({ path }) => path)).toEqual(['b'])
})

test.each([
  ['an empty file', Buffer.alloc(0)],
  ['a text', Buffer.from('code,price\ncard:a:b,1\n'.repeat(10))],
  ['half an archive', archive({ a: 'x'.repeat(10_000) }).subarray(0, 60)],
])('%s is refused', (_name, bytes) => {
  expect(() => all(bytes)).toThrow(UselessFile)
})

test('a file that is not what its archive says is refused', () => {
  const made = archive({ a: 'hello hello hello' })
  const at = made.indexOf('a') + 4
  made[at] = (made[at] ?? 0) ^ 0xff
  expect(() => all(made)).toThrow(UselessFile)
})

test('what unpacks to more than a folder may hold is refused', () => {
  const zip = new ZipWriter()
  const bomb = zip.add({ path: 'a.json', bytes: Buffer.alloc(51 * 1024 * 1024) })
  expect(() => all(Buffer.concat([bomb, zip.end()]))).toThrow(new UselessFile('too_large'))
})
