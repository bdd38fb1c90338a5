import { expect, it } from 'vitest'
import { doorbell, rung } from '../test/doorbell.ts'
import { normalize } from './normalize.ts'
import type { AnyProvider } from './provider.ts'

const delivery = { payload: {}, headers: new Headers(), body: rung(), receivedAt: 0 }
const event = { kind: 'bell.rung', subject: 'front', data: { door: 'front' } }
// Plain JavaScript is held to the contract by no compiler: it was once told in the engine's words.
it.each(['text', null, 7])('says what is wrong with a key of %j', async (key) => {
  const made = { ...event, key } as unknown as ReturnType<AnyProvider['normalize']>
  const expected = new TypeError('The key of bell.rung is empty, or not of texts and safe numbers')
  await expect(normalize({ ...doorbell, normalize: () => made }, delivery, 'd')).rejects.toThrow(expected)
})
