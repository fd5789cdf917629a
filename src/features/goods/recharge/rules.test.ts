import { describe, expect, test } from 'vitest'
import { detectOperator } from './rules.ts'

describe('the operator of a number', () => {
  const operators = [
    { code: 'wide', prefixes: ['081'] },
    { code: 'narrow', prefixes: ['08123', '0777'] },
    { code: 'national', prefixes: ['9199'] },
    { code: 'silent', prefixes: [] },
  ]

  test('is the one with the longest prefix', () => {
    expect(detectOperator('8123456789', '0', operators)).toBe('narrow')
    expect(detectOperator('8199999999', '0', operators)).toBe('wide')
  })

  test('is found by prefixes without the trunk zero too', () => {
    expect(detectOperator('9199456789', '0', operators)).toBe('national')
    expect(detectOperator('9199456789', null, operators)).toBe('national')
  })

  test('is unknown when nothing fits, or two fit equally', () => {
    expect(detectOperator('6000000000', '0', operators)).toBeNull()
    expect(
      detectOperator('8123456789', '0', [...operators, { code: 'rival', prefixes: ['8123'] }]),
    ).toBeNull()
  })
})
