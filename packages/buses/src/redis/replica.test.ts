import { expect, it } from 'vitest'
import { isReadOnly } from './replica.ts'

it.each([
  "READONLY You can't write against a read only replica.",
  // Redis 6 wraps the error of a script in these forms.
  "ERR Error running script (call to f_1): @user_script:1: @user_script: 1: -READONLY You can't write against a read only replica.",
  "@user_script: 8: -READONLY You can't write against a read only replica.",
  "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
])('recognizes a replica by %j', (message) => {
  expect(isReadOnly(new Error(message))).toBe(true)
})

it('does not take another error for one of a replica', () => {
  expect(isReadOnly(new Error('ERR unknown command READONLY'))).toBe(false)
})
