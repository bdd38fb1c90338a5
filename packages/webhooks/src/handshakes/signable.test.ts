import { describe, expect, it } from 'vitest'
import { hmac } from '../index.ts'
import { isSignable, refuseSignable, xHandshake } from './index.ts'

const scheme = hmac({ algorithm: 'sha256', encoding: 'base64', header: 'x-proof', prefix: 'sha256=' })
const wrapped = refuseSignable(scheme)

describe('isSignable', () => {
  it.each(['a', 'crc_token-1', 'a'.repeat(128)])('accepts %s', (text) => {
    expect(isSignable(text)).toBe(true)
  })

  it.each(['', '1234', 'true', '-1', 'null', '{}', 'a b', 'a\n', 'ä', 'a'.repeat(129), null, undefined])(
    'rejects %j',
    (text) => {
      expect(isSignable(text)).toBe(false)
    },
  )
})

describe('refuseSignable', () => {
  const verify = (text: string, proof: string) => {
    const headers = new Headers({ 'x-proof': proof })
    return wrapped.verify({ method: 'POST', headers, body: new TextEncoder().encode(text) }, ['key'], 0)
  }

  it.each(['attacker', 'a'.repeat(128)])(
    'refuses the text %s with the answer to a challenge',
    async (text) => {
      const answer = await xHandshake().answer({
        method: 'GET',
        query: new URLSearchParams({ crc_token: text }),
        headers: new Headers(),
        body: new Uint8Array(),
        secrets: ['key'],
        verify: () => Promise.resolve(false),
      })
      const { response_token: proof } = JSON.parse(answer?.body ?? '') as { readonly response_token: string }
      expect(await verify(text, proof)).toEqual({ verified: false, reason: 'malformed' })
    },
  )

  it.each(['{}', '1234', 'a b', '', 'a'.repeat(300)])('verifies the signed body %j', async (text) => {
    const body = new TextEncoder().encode(text)
    const signed = await wrapped.sign({ method: 'POST', headers: new Headers(), body }, 'key', 0)
    expect(await verify(text, signed['x-proof'] ?? '')).toMatchObject({ verified: true })
  })
})
