import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { boldsign } from './boldsign.ts'
import samples from './boldsign.samples.json' with { type: 'json' }

const now = Date.UTC(2026, 0)
const signText = (text: string, secret: string) =>
  createHmac('sha256', secret)
    .update(`${now / 1000}.${text}`)
    .digest('hex')

testService(runner, {
  provider: boldsign,
  samples,
  sign: ({ text, secret }) => ({ 'x-boldsign-signature': `t=${now / 1000}, s0=${signText(text, secret)}` }),
})

it('verifies with the new and with the old secret during a rotation', async () => {
  const header = `t=${now / 1000}, s0=${signText('{}', 'new')}, s1=${signText('{}', 'old')}`
  const delivery = {
    method: 'POST',
    headers: new Headers({ 'x-boldsign-signature': header }),
    body: Buffer.from('{}'),
  }
  const verify = async (secret: string) => (await boldsign.signature.verify(delivery, [secret], now)).verified
  expect([await verify('new'), await verify('old'), await verify('other')]).toEqual([true, true, false])
})

it('answers the verification of the address, which has no signature', async () => {
  const answer = await boldsign.handshake?.answer({
    method: 'POST',
    query: new URLSearchParams(),
    headers: new Headers(),
    body: Buffer.from('{"event":{"id":"1","eventType":"Verification"}}'),
    secrets: [],
    verify: () => Promise.resolve(false),
  })
  expect(answer).toMatchObject({ body: '' })
})
