import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BodyBroken, BodyTooLarge } from './body.ts'
import { FORM_FIELDS_MAX, FORM_MAX_BYTES, isForm, readForm, UPLOAD_FORM_MAX_BYTES } from './form.ts'
import { multipartBoundary, parseMultipart, PARTS_MAX } from './multipart.ts'

type Shown = readonly (readonly [
  string,
  string | { readonly name: string; readonly bytes: string },
])[]

async function shown(form: FormData): Promise<Shown> {
  return Promise.all(
    [...form].map(
      async ([name, value]) =>
        [
          name,
          typeof value === 'string'
            ? value
            : {
                name: value.name,
                bytes: Buffer.from(await value.arrayBuffer()).toString('base64'),
              },
        ] as const,
    ),
  )
}

const server = createServer((req, res) => {
  readForm(req, { takesFiles: req.url === '/files' })
    .then(shown)
    .then(
      (fields) => res.end(JSON.stringify(fields)),
      (error: unknown) => {
        req.resume()
        res.statusCode =
          error instanceof BodyBroken ? 422 : error instanceof BodyTooLarge ? 413 : 500
        res.end('null')
      },
    )
})

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function send(
  body: string | Uint8Array | FormData,
  type = 'application/x-www-form-urlencoded',
  path = '/',
): Promise<{ readonly status: number; readonly fields: Shown | null }> {
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    method: 'POST',
    body: body as BodyInit,
    headers: body instanceof FormData ? {} : { 'content-type': type },
  })
  return { status: answer.status, fields: (await answer.json()) as Shown | null }
}

describe('a form of fields', () => {
  test('is read as browsers write it', async () => {
    expect((await send('name=%C4%90%E1%BB%97+Anh&empty=&name=two&alone')).fields).toEqual([
      ['name', 'Đỗ Anh'],
      ['empty', ''],
      ['name', 'two'],
      ['alone', ''],
    ])
    expect((await send('')).fields).toEqual([])
  })

  test('is refused when it is too long or has too many fields, and costs next to nothing', async () => {
    const costs = async (body: string) => {
      const before = process.cpuUsage()
      const { status } = await send(body)
      const { user, system } = process.cpuUsage(before)
      // Of a second: what walked eight megabytes as text took minutes.
      expect((user + system) / 1_000).toBeLessThan(1_000)
      return status
    }
    expect(await costs('a&'.repeat(FORM_MAX_BYTES / 2))).toBe(422)
    expect(await costs('a&'.repeat(4_000_000))).toBe(413)
    expect(await costs('a=1&'.repeat(2_000_000))).toBe(413)
    expect(await costs(`a=${'%41'.repeat(20_000)}`)).toBe(200)
    expect(await costs(Array(FORM_FIELDS_MAX).fill('a').join('&'))).toBe(200)
    expect(
      await costs(
        Array(FORM_FIELDS_MAX + 1)
          .fill('a')
          .join('&'),
      ),
    ).toBe(422)
  })

  test.each(['a=%', 'a=%zz', 'a=%ff', 'a=%ed%a0%80', '%c3=1'])(
    'is refused when its percent-encoding is broken: %s',
    async (body) => {
      expect((await send(body)).status).toBe(422)
    },
  )

  test.each([
    'text/plain',
    'application/x-www-form-urlencodedx',
    'multipart/form-data; boundary=x',
    'application/json',
    '',
  ])('is no other kind of body: %s', async (type) => {
    expect((await send('a=1', type)).status).toBe(422)
  })
})

describe('a form with files', () => {
  const text = fc
    .string({ unit: 'grapheme', maxLength: 60 })
    .filter((value) => value.isWellFormed() && !/[\r\n\0]/.test(value))
  const part = fc.oneof(
    fc.tuple(text, fc.constant(null), text),
    fc.tuple(
      text,
      text.filter((name) => name !== ''),
      fc.uint8Array({ maxLength: 3_000 }),
    ),
  )

  test('is read to the same fields and bytes as the platform reads it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const form = new FormData()
        for (const [field, file, content] of parts) {
          if (file === null) form.append(field, content as string)
          else form.append(field, new Blob([content as Uint8Array<ArrayBuffer>]), file)
        }
        const sent = new Response(form)
        const boundary = multipartBoundary(sent.headers.get('content-type') ?? '') ?? ''
        expect(
          await shown(parseMultipart(Buffer.from(await sent.arrayBuffer()), boundary)),
        ).toEqual(await shown(form))
      }),
      { numRuns: 200 },
    )
  })

  test('is taken only where files are', async () => {
    const form = new FormData()
    form.append('purpose', 'avatar')
    form.append('image', new Blob([Buffer.from('\r\n--x\r\n')]), 'a.png')
    expect((await send(form)).status).toBe(422)
    expect((await send(form, '', '/files')).fields).toEqual([
      ['purpose', 'avatar'],
      ['image', { name: 'a.png', bytes: Buffer.from('\r\n--x\r\n').toString('base64') }],
    ])
    expect((await send('a=1', undefined, '/files')).fields).toEqual([['a', '1']])
  })

  const boundary = 'a'.repeat(70)
  const header = 'Content-Disposition: form-data; name="x"'
  test.each([
    [
      'more parts than any form has',
      `${`--${boundary}\r\n${header}\r\n\r\n1\r\n`.repeat(PARTS_MAX + 1)}--${boundary}--`,
    ],
    [
      '100,000 parts',
      `${`--${boundary.slice(0, 5)}\r\n${header}\r\n\r\n1\r\n`.repeat(90_000)}--${boundary.slice(0, 5)}--`,
    ],
    ['no end', `--${boundary}\r\n${header}\r\n\r\n${'1'.repeat(1_000_000)}`],
    ['headers without end', `--${boundary}\r\n${header.repeat(100_000)}`],
    [
      'a text as long as a file',
      `--${boundary}\r\n${header}\r\n\r\n${'1'.repeat(1_000_000)}\r\n--${boundary}--`,
    ],
    [
      'bytes that nearly are the boundary',
      `--${boundary}\r\n${header}\r\n\r\n${`\r\n--${'a'.repeat(69)}b`.repeat(70_000)}`,
    ],
    [
      'bytes that nearly are the boundary, from behind',
      `--${boundary}\r\n${header}\r\n\r\n${'a'.repeat(5_500_000)}`,
    ],
    [
      'text that is no UTF-8',
      Buffer.concat([
        Buffer.from(`--${boundary}\r\n${header}\r\n\r\n`),
        Buffer.from([0xff]),
        Buffer.from(`\r\n--${boundary}--`),
      ]),
    ],
    [
      'a part without name',
      `--${boundary}\r\nContent-Disposition: form-data\r\n\r\n1\r\n--${boundary}--`,
    ],
    ['an empty body', ''],
  ])('is refused and costs little: %s', async (_, body) => {
    const before = process.cpuUsage()
    const answer = await send(
      Buffer.from(body),
      `multipart/form-data; boundary=${String(body).startsWith(`--${boundary}`) ? boundary : 'aaaaa'}`,
      '/files',
    )
    const { user, system } = process.cpuUsage(before)
    expect(answer.status).toBe(422)
    expect((user + system) / 1_000).toBeLessThan(500)
  })

  test('is refused beyond a picture and its surroundings', async () => {
    expect(
      (
        await send(
          Buffer.alloc(UPLOAD_FORM_MAX_BYTES + 1),
          'multipart/form-data; boundary=x',
          '/files',
        )
      ).status,
    ).toBe(413)
  })

  test.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'a'.repeat(71)}`,
    'multipart/form-data; boundary="a\u00e9"',
  ])('needs a proper boundary: %s', (type) => expect(multipartBoundary(type)).toBeNull())

  test('is known by its type alone', () => {
    expect(
      ['Multipart/Form-Data; boundary=x', 'application/x-www-form-urlencoded;charset=utf-8'].map(
        isForm,
      ),
    ).toEqual([true, true])
    expect([undefined, 'multipart/mixed; boundary=x', 'application/json'].map(isForm)).toEqual([
      false,
      false,
      false,
    ])
  })
})
