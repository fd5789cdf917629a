import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readDemoPeople, writeDemoPeople } from './demo-people-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'lukado-people-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a file that was cut short is as good as none, and is replaced as a whole', () => {
  const people = { shopper: { email: 'a@shop.example', user_name: 'a', password: 'p' } }
  writeDemoPeople(folder, people)
  expect(readDemoPeople(folder)).toEqual(people)
  writeFileSync(join(folder, 'demo.json'), '{"shopper":{"ema')
  expect(readDemoPeople(folder)).toBe(null)
  writeDemoPeople(folder, people)
  expect(readDemoPeople(folder)).toEqual(people)
  expect(readdirSync(folder)).toEqual(['demo.json'])
})
