import { expect, test } from 'vitest'
import { readCall } from './arguments.ts'

const said = (line: string) => {
  const call = readCall(line.split(' '))
  return 'problem' in call ? call.problem : [call.command.name, ...call.args].join(' ')
}

test('a command takes as many arguments as it says, and an open list any number', () => {
  expect(said('jobs retry --as ann')).toBe('jobs retry --as=ann')
  expect(said('jobs retry 1 2 3')).toBe('jobs retry 1 2 3')
  expect(said('import')).toBe('The command "import" needs <folder>.')
  expect(said('doctor now')).toBe('The command "doctor" takes no argument.')
})

test('the beginning of several commands names them', () => {
  const call = readCall(['orders', '--help'])
  expect(call).toMatchObject({ isUnknown: false })
  expect(said('orders --help')).toMatch(
    /^"orders" is the beginning of these commands:\n {2}orders list +\S.*\n {2}orders show /,
  )
  expect(readCall(['order'])).toMatchObject({ isUnknown: true })
})

test('an option that is needed, that lacks its value or that nobody knows is told as what it is', () => {
  expect(said('refund 4821073956120 --as ann')).toBe('The command "refund" needs --reason <word>.')
  expect(said('refund 4821073956120 --reason --as ann')).toBe(
    'The option --reason <word> lacks its value.',
  )
  expect(said('refund 4821073956120 --reason faulty_key')).toBe(
    'refund 4821073956120 --reason=faulty_key',
  )
  expect(said('fulfil fail x --reason=')).toBe('fulfil fail x --reason=')
  expect(said('import x --fast')).toBe('The command "import" has no option --fast.')
  expect(said('import x --help')).toBe('import x --help')
})
