import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { smartcar } from './smartcar.ts'
import samples from './smartcar.samples.json' with { type: 'json' }

const signText = (text: string | Uint8Array, secret: string) =>
  createHmac('sha256', secret).update(text).digest('hex')

testService(runner, {
  provider: smartcar,
  samples,
  sign: ({ body, secret }) => ({ 'sc-signature': signText(body, secret) }),
})

const answer = async (event: unknown, secrets: readonly string[]) =>
  smartcar.handshake?.answer({
    method: 'POST',
    query: new URLSearchParams(),
    headers: new Headers(),
    body: Buffer.from(JSON.stringify(event)),
    secrets,
    verify: () => Promise.resolve(false),
  })

const verifyEvent = (challenge: string) => ({ eventType: 'VERIFY', data: { challenge } })

it('answers a challenge with its signature by the newest secret', async () => {
  const challenge = '3b7c1f1e-0c2f-4c6a-9a55-0d6f7c3b2a10'
  expect(await answer(verifyEvent(challenge), ['new', 'old'])).toEqual({
    contentType: 'application/json',
    body: JSON.stringify({ challenge: signText(challenge, 'new') }),
    signed: true,
  })
})

it.each([
  ['JSON', verifyEvent('{"eventType":"VEHICLE_STATE"}'), ['new']],
  ['a number', verifyEvent('1234567890123456'), ['new']],
  ['a long text', verifyEvent('a'.repeat(129)), ['new']],
  ['a text with white space', verifyEvent('a text with white space'), ['new']],
  ['the challenge of another event', { ...verifyEvent('a'.repeat(32)), eventType: 'VEHICLE_STATE' }, ['new']],
  ['a text without a secret', verifyEvent('a'.repeat(32)), []],
  ['the challenge of a long body', { ...verifyEvent('a'.repeat(32)), more: 'x'.repeat(4096) }, ['new']],
])('does not sign %s', async (_, event, secrets) => {
  expect(await answer(event, secrets)).toBeUndefined()
})

// Regression: an unsigned challenge gave the signature of any text, which was then a verified delivery.
it('refuses the text of a challenge as a delivery', async () => {
  const text = 'ATTACKER_CHOSEN_TEXT_0001'
  const { challenge } = JSON.parse((await answer(verifyEvent(text), ['key']))?.body ?? '') as {
    readonly challenge: string
  }
  const delivery = {
    method: 'POST',
    headers: new Headers({ 'sc-signature': challenge }),
    body: Buffer.from(text),
  }
  expect(await smartcar.signature.verify(delivery, ['key'], 0)).toMatchObject({ verified: false })
})
