import { expect, test } from './page-checks.ts'

/** The built server keeps what the sources promise: a bundler may drop a call it takes for one without effect. */
test('broken encoding in a call is refused with the field at fault', async ({ request, baseURL }, info) => {
  test.skip(info.project.name !== 'desktop', 'the same for every screen')
  for (const query of ['keywords=%ff', 'keywords=%', 'page=%E0%A4%A']) {
    const answer = await request.get(`${baseURL}/api/goods/index?${query}`)
    expect(answer.status(), query).toBe(422)
    expect(await answer.json()).toMatchObject({ code: 422, data: { fields: [{ field: query.split('=')[0] }] } })
  }
})

test('every published call answers its example in the envelope', async ({ request, baseURL }, info) => {
  test.skip(info.project.name !== 'desktop', 'the same for every screen')
  const document = (await (await request.get(`${baseURL}/api/openapi.json`)).json()) as {
    paths: Record<string, { get: { parameters: { name?: string; required?: boolean; example?: string | number }[] } }>
  }
  for (const [path, { get }] of Object.entries(document.paths)) {
    const query = new URLSearchParams(get.parameters.filter((parameter) => parameter.required).map((parameter) => [parameter.name ?? '', String(parameter.example ?? '')]))
    const answer = await request.get(`${baseURL}${path}?${query}`)
    expect(answer.status(), path).toBe(200)
    expect(Object.keys((await answer.json()) as object), path).toEqual(['code', 'msg', 'data'])
  }
})
