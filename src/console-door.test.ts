import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { consoleDoor } from './console-door.ts'

const asked = (url: string, host: string) => ({ url, headers: { host } }) as IncomingMessage
const publicUrl = 'https://shop.example'

test('the console is served under the shop’s own address, its pages and its calls and nothing else', () => {
  const door = consoleDoor({ console: true, consoleOrigin: undefined, publicUrl })
  expect(door.origin).toBe(publicUrl)
  for (const path of ['/console', '/console/orders?x=1', '/console?x', '/api/console/me'])
    expect([path, door.takes(asked(path, 'shop.example'))]).toEqual([path, true])
  for (const path of ['/', '/consoles', '/api/consoles', '/de/console', '/api/user/info'])
    expect([path, door.takes(asked(path, 'shop.example'))]).toEqual([path, false])
})

test('with an origin of its own the shop’s host knows no console, and where it is off nobody does', () => {
  const apart = consoleDoor({ console: true, consoleOrigin: 'https://desk.example', publicUrl })
  expect(apart.origin).toBe('https://desk.example')
  expect(apart.takes(asked('/api/console/me', 'desk.example'))).toBe(true)
  expect(apart.takes(asked('/api/console/me', 'shop.example'))).toBe(false)
  expect(apart.takes(asked('/console', 'shop.example'))).toBe(false)
  const off = consoleDoor({ console: false, consoleOrigin: undefined, publicUrl })
  expect(off.takes(asked('/console', 'shop.example'))).toBe(false)
})
