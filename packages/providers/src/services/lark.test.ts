import { testService } from '@sallyport/webhooks/testing'
import { createCipheriv, createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { lark } from './lark.ts'
import samples from './lark.samples.json' with { type: 'json' }

const secret = 'the encrypt key'

function encrypt(text: string, key = secret): Uint8Array {
  const iv = Buffer.alloc(16, 7)
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(key).digest(), iv)
  const sealed = Buffer.concat([iv, cipher.update(text), cipher.final()])
  return Buffer.from(JSON.stringify({ encrypt: sealed.toString('base64') }))
}

function signBody(body: Uint8Array, key = secret) {
  const time = '1767225600'
  return {
    'x-lark-request-timestamp': time,
    'x-lark-request-nonce': 'nonce',
    'x-lark-signature': createHash('sha256').update(`${time}nonce${key}`).update(body).digest('hex'),
  }
}

testService(runner, {
  provider: lark,
  samples,
  secret,
  sign: ({ text }) => {
    const body = encrypt(text)
    return { headers: signBody(body), body }
  },
})

const verify = async (body: Uint8Array) => {
  const delivery = { method: 'POST', headers: new Headers(signBody(body)), body }
  return lark.signature.verify(delivery, [secret], 0)
}

describe('the verified body', () => {
  it('is the decrypted event', async () => {
    const verification = await verify(encrypt('{"schema":"2.0"}'))
    expect(verification.verified && new TextDecoder().decode(verification.body)).toBe('{"schema":"2.0"}')
  })

  it.each([
    ['a plain event', Buffer.from('{"schema":"2.0"}')],
    ['an event for another key', encrypt('{"schema":"2.0"}', 'another key')],
    ['text after the encrypted event', Buffer.concat([encrypt('{"schema":"2.0"}'), Buffer.from([0x80, 0])])],
  ])('is never %s', async (_, body) => {
    expect(await verify(body)).toEqual({ verified: false, reason: 'malformed' })
  })
})

const answer = async (body: Uint8Array, secrets: readonly string[] = [secret]) =>
  lark.handshake?.answer({
    method: 'POST',
    query: new URLSearchParams(),
    headers: new Headers(),
    body,
    secrets,
    verify: () => Promise.resolve(false),
  })

describe('the challenge', () => {
  const challenge = { challenge: 'ajls384kdj-1', token: 'x', type: 'url_verification' }

  it('is decrypted and echoed, and counts as a failure of the address', async () => {
    expect(await answer(encrypt(JSON.stringify(challenge)))).toEqual({
      contentType: 'application/json',
      body: '{"challenge":"ajls384kdj-1"}',
      signed: true,
    })
  })

  it.each([
    ['is not encrypted', Buffer.from(JSON.stringify(challenge)), [secret]],
    ['has another key', encrypt(JSON.stringify(challenge), 'another key'), [secret]],
    ['has the empty key', encrypt(JSON.stringify(challenge), ''), ['']],
    ['has markup', encrypt(JSON.stringify({ ...challenge, challenge: '<b>' })), [secret]],
    ['is an event', encrypt(JSON.stringify({ ...challenge, type: 'event_callback' })), [secret]],
    ['is long', encrypt(JSON.stringify({ ...challenge, more: 'x'.repeat(4096) })), [secret]],
  ])('is not answered when it %s', async (_, body, secrets) => {
    expect(await answer(body, secrets)).toBeUndefined()
  })
})
