import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { openApiDocument } from './openapi.ts'

const contract = openApiDocument('Corner Shop', 'https://shop.test', '1.0.0')

test('the contract has no fault and no warning of a linter that others look at it with', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(contract),
    config: await createConfig({
      extends: ['recommended'],
      rules: { 'no-invalid-parameter-examples': 'error', 'no-invalid-schema-examples': 'error' },
    }),
  })
  expect(
    problems.map(
      ({ severity, ruleId, message, location }) =>
        `${severity} ${ruleId} ${message} ${location[0]?.pointer ?? ''}`,
    ),
  ).toEqual([])
})

test('each call stands under a heading that says what it is about, and no heading is empty', () => {
  const used = Object.values(contract.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ tags }) => tags),
  )
  expect(new Set(contract.tags.map(({ name }) => name))).toEqual(new Set(used))
})

test('a receipt is published as what it is', () => {
  const { responses } = contract.paths['/api/order/receipt']?.get ?? {}
  expect(responses?.[200]).toMatchObject({ content: { 'application/pdf': {} } })
  expect(responses?.[200]).not.toMatchObject({ content: { 'application/json': {} } })
})
