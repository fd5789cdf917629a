import { expect, test } from 'vitest'
import { fileOf, readFile } from './theme-file.ts'

const theme = { light: { accent: '#0b5fd8', on_accent: '#ffffff' }, dark: {}, corners: 'round' }

test('a look comes back from its file as it went', () => {
  expect(readFile(fileOf(theme))).toEqual(theme)
})

test.each([
  'no JSON',
  '[]',
  '{"format": "lukado-settings/1", "settings": {}}',
  '{"format": "lukado-theme/1"}',
  '{"format": "lukado-theme/1", "theme": {"light": {"shadow": "#000000"}}}',
  '{"format": "lukado-theme/1", "theme": {"light": {"accent": 7}}}',
  '{"format": "lukado-theme/1", "theme": {"light": null, "styles": "body{}"}}',
  '{"format": "lukado-theme/1", "theme": {"corners": "wavy"}}',
  `{"format": "lukado-theme/1", "theme": {}, "more": "${'x'.repeat(30_000)}"}`,
])('%s is none', (text) => {
  expect(readFile(text)).toBeNull()
})
