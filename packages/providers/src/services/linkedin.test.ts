import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { linkedin } from './linkedin.ts'
import samples from './linkedin.samples.json' with { type: 'json' }

testService(runner, {
  provider: linkedin,
  samples,
  sign: ({ text, secret }) => ({
    'x-li-signature': createHmac('sha256', secret).update(`hmacsha256=${text}`).digest('hex'),
  }),
})

describe('linkedin validation', () => {
  const answer = (code: string) =>
    linkedin.handshake?.answer({
      method: 'GET',
      query: new URLSearchParams({ challengeCode: code }),
      headers: new Headers(),
      body: new Uint8Array(),
      verify: () => Promise.resolve(false),
      secrets: ['client-secret'],
    })

  it('signs a UUID', async () => {
    const challengeCode = '890e4665-4dfe-4ab1-b689-ed553bceeed0'
    const challengeResponse = createHmac('sha256', 'client-secret').update(challengeCode).digest('hex')
    expect(await answer(challengeCode)).toMatchObject({
      body: JSON.stringify({ challengeCode, challengeResponse }),
    })
  })

  it('does not sign another text', async () => {
    expect(await answer('hmacsha256={}')).toBeUndefined()
  })
})

it('accepts the prefix before the signature', async () => {
  const body = new TextEncoder().encode('{"type":"LEAD_ACTION"}')
  const signature = createHmac('sha256', 'client-secret').update(body).digest('hex')
  const verify = (value: string) => {
    const headers = new Headers({ 'x-li-signature': value })
    return linkedin.signature.verify({ method: 'POST', headers, body }, ['client-secret'], 0)
  }
  expect(await verify(`hmacsha256=${signature}`)).toMatchObject({ verified: true })
  expect(await verify(`sha256=${signature}`)).toMatchObject({ verified: false })
})

it('refuses the signed text of a challenge as a delivery', async () => {
  const text = '890e4665-4dfe-4ab1-b689-ed553bceeed0'
  const signature = createHmac('sha256', 'client-secret').update(text).digest('hex')
  const delivery = {
    method: 'POST',
    headers: new Headers({ 'x-li-signature': signature }),
    body: new TextEncoder().encode(text),
  }
  expect(await linkedin.signature.verify(delivery, ['client-secret'], 0)).toEqual({
    verified: false,
    reason: 'malformed',
  })
})
