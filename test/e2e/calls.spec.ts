import { expect, test } from './page-checks.ts'

/** The built server keeps what the sources promise: a bundler may drop a call it takes for one without effect. */
test('broken encoding in a call is refused with the field at fault', async ({
  request,
  baseURL,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'the same for every screen')
  for (const query of ['keywords=%ff', 'keywords=%', 'page=%E0%A4%A']) {
    const answer = await request.get(`${baseURL}/api/goods/index?${query}`)
    expect(answer.status(), query).toBe(422)
    expect(await answer.json()).toMatchObject({
      code: 422,
      data: { fields: [{ field: query.split('=')[0] }] },
    })
  }
})

interface Operation {
  readonly parameters: readonly {
    readonly name?: string
    readonly required?: boolean
    readonly example?: string | number
  }[]
  /** Empty: open to everybody. */
  readonly security?: readonly object[]
}

test('every published call answers its example in the envelope, or who asks that they are not signed in', async ({
  request,
  baseURL,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'the same for every screen')
  const { paths } = (await (await request.get(`${baseURL}/api/openapi.json`)).json()) as {
    paths: Record<string, { get?: Operation; post?: Operation }>
  }
  for (const [path, { get, post }] of Object.entries(paths)) {
    if (get) {
      const query = new URLSearchParams(
        get.parameters
          .filter((parameter) => parameter.required)
          .map((parameter) => [parameter.name ?? '', String(parameter.example ?? '')]),
      )
      const answer = await request.get(`${baseURL}${path}?${query}`)
      expect(answer.status(), path).toBe(get.security?.length ? 401 : 200)
      expect(Object.keys((await answer.json()) as object), path).toEqual(['code', 'msg', 'data'])
    }
    if (post?.security?.length) {
      // As from a page of the shop: what comes from elsewhere is refused before it is known who asks.
      const answer = await request.post(`${baseURL}${path}`, {
        data: {},
        headers: { origin: baseURL ?? '' },
      })
      expect(answer.status(), path).toBe(401)
      expect(await answer.json(), path).toMatchObject({ code: 401 })
    }
  }
})
