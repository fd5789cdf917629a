import { expect, test } from 'vitest'
import type { Article, Content } from '../rules.ts'
import { readSampleTexts, sampleLanguages } from './sample-texts.ts'

const contents = (paragraphs: readonly string[]) => {
  const page = { language: 'en', sections: [{ paragraphs }] } as unknown as Article
  const content = { pageByCode: new Map([['legal-provisions', page]]) } as unknown as Content
  return new Map([['en', content]] as const)
}

test('a sample is one whether it writes to the address that is set or, as earlier ones did, to one at the domain', async () => {
  const samples = await readSampleTexts(['legal-provisions'])
  const [now] = [...(samples.get('legal-provisions')?.get('en') ?? [])]
  if (now === undefined) throw new Error('the sample has no text')
  const languages = (...paragraphs: string[]) =>
    sampleLanguages(contents(paragraphs), 'legal-provisions', samples)
  expect(languages(now)).toEqual(['en'])
  expect(languages(now, 'Email: {support_email}.')).toEqual(['en'])
  expect(languages(now, 'Email: support@{store_domain}.')).toEqual(['en'])
  expect(languages(now, 'Email: support@corner.example.')).toEqual([])
})
