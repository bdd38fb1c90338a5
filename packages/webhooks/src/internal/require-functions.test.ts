import { expect, it } from 'vitest'
import { requireFunctions } from './require-functions.ts'

class Inbox {
  prune(): void {
    // Found where it is inherited from, too.
  }
}

it('goes on with those that are there', () => {
  requireFunctions('inbox', new Inbox(), 'prune')
})

it.each([undefined, null, {}, { prune: true }, 'prune'])('names the one that %j lacks', (value) => {
  expect(() => {
    requireFunctions('inbox', value, 'toString', 'prune')
  }).toThrow(new TypeError('inbox.prune must be a function'))
})
