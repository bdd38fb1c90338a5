import { expect, it } from 'vitest'
import { bytesOf, client, doorbell, openGateway, receivedAt, rung } from '../../test/doorbell.ts'
import { staticSecrets } from '../secret-keeper.ts'
import { defineProvider } from '../provider.ts'
import { parseJson } from '../parse-json.ts'
import { hmac } from './hmac.ts'
import { standardWebhooks } from './standard-webhooks.ts'

const signature = standardWebhooks()
const usable = `whsec_${Buffer.from('a key of twenty-four byt').toString('base64')}`
const unusable = 'whsec_pasted-with-a-typo'
const open = (...secrets: readonly string[]) =>
  openGateway({
    providers: [defineProvider({ ...doorbell, signature })],
    secrets: staticSecrets({ doorbell: secrets }),
  })

it('answers a delivery with 503 while the only secret cannot be read, and blames nobody', async () => {
  const { send, observed } = open(unusable)
  const headers = await signature.sign(
    { method: 'POST', headers: new Headers(), body: rung() },
    usable,
    receivedAt,
  )
  for (let round = 0; round < 30; round++) {
    const answer = await send({ headers, address: client })
    expect(answer).toMatchObject({ status: 503, said: 'PROVIDER_UNAVAILABLE' })
    expect(answer.text).not.toContain(unusable)
  }
  expect(String(observed[0]?.error)).not.toContain(unusable)
  // A caller that presents nothing learns nothing of it.
  expect((await send()).said).toBe('INVALID_SIGNATURE')
})

it('goes on with the secrets that can be read', async () => {
  const { send } = open(unusable, usable)
  const headers = await signature.sign(
    { method: 'POST', headers: new Headers(), body: rung() },
    usable,
    receivedAt,
  )
  expect((await send({ headers })).said).toBe('accepted')
})

it('takes any other error of a scheme for a delivery that nobody could have signed', async () => {
  const reading = hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-signature',
    content: ({ body }) => [(parseJson(body) as { token: string }).token],
  })
  const { send } = openGateway({ providers: [defineProvider({ ...doorbell, signature: reading })] })
  const headers = { 'x-signature': '0'.repeat(64) }
  for (const text of ['no JSON', 'null', '{"token":1}']) {
    expect((await send({ headers, body: bytesOf(text) })).said).toBe('INVALID_SIGNATURE')
  }
})
