import { expect, test } from 'vitest'
import { compressed, cachedAnswer } from './answer.ts'

test('answers that are kept hold no more memory than their length', async () => {
  const { plain } = cachedAnswer(Buffer.from('{"code":1}'.repeat(200)))
  for (const answer of [plain, await compressed(plain, 'br'), await compressed(plain, 'gzip')])
    expect(answer.body?.buffer.byteLength).toBe(answer.body?.byteLength)
})
