import { expect, it } from 'vitest'
import { doorbell, rung } from '../test/doorbell.ts'
import { normalize } from './normalize.ts'
import type { AnyProvider } from './provider.ts'

const delivery = { payload: {}, headers: new Headers(), body: rung(), receivedAt: 0 }
const event = { kind: 'bell.rung', subject: 'front', data: { door: 'front' } }
const undeclared = 'doorbell does not declare the kind "undefined"'
const noKey = 'The key of bell.rung is empty, or not of texts and safe numbers'

// Plain JavaScript is held to the contract by no compiler: it was once told in the engine's words.
it.each([
  [undefined, undeclared],
  [null, undeclared],
  [[undefined], undeclared],
  ['bell.rung', undeclared],
  [{ ...event, key: 'text' }, noKey],
  [{ ...event, key: null }, noKey],
  [{ ...event, key: 7 }, noKey],
])('says what is wrong with %j for events', async (made, message) => {
  const provider = { ...doorbell, normalize: (() => made) as unknown as AnyProvider['normalize'] }
  await expect(normalize(provider, delivery, 'd')).rejects.toThrow(new TypeError(message))
})
