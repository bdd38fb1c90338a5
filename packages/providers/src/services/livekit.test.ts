import { testService } from '@sallyport/webhooks/testing'
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { livekit } from './livekit.ts'
import samples from './livekit.samples.json' with { type: 'json' }

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hash = (body: Uint8Array) => createHash('sha256').update(body).digest('base64')

function createToken(sha256: string, secret: string, now: number) {
  const claims = { iss: 'abcdefg', sha256, nbf: now / 1000, exp: now / 1000 + 300 }
  const content = `${encode({ alg: 'HS256' })}.${encode(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

testService(runner, {
  provider: livekit,
  samples,
  sign: ({ body, secret, now }) => ({ authorization: createToken(hash(body), secret, now) }),
})

it('verifies the hash of the example in the SDK', async () => {
  const body = Buffer.from(
    '{"event":"room_started", "room":{"sid":"RM_TkVjUvAqgzKz", "name":"mytestroom", "emptyTimeout":300, "creationTime":"1628545903", "turnPassword":"ICkSr2rEeslkN6e9bXL4Ji5zzMD5Z7zzr6ulOaxMj6N", "enabledCodecs":[{"mime":"audio/opus"}, {"mime":"video/VP8"}]}}',
  )
  const token = createToken('CoEQz1chqJ9bnZRcORddjplkvpjmPujmLTR42DbefYI=', 'abababa', 0)
  const delivery = { method: 'POST', headers: new Headers({ authorization: token }), body }
  expect(await livekit.signature.verify(delivery, ['abababa'], 0)).toMatchObject({ verified: true })
})

describe('a secret with its API key', () => {
  const body = Buffer.from('{"event":"room_started"}')
  const verify = async (authorization: string, secrets: readonly string[]) => {
    const delivery = { method: 'POST', headers: new Headers({ authorization }), body }
    return (await livekit.signature.verify(delivery, secrets, 0)).verified
  }

  it('verifies the tokens of this key only', async () => {
    const token = createToken(hash(body), 'abababa', 0)
    expect(await verify(token, ['abcdefg:abababa'])).toBe(true)
    expect(await verify(token, ['another:secret', 'abcdefg:abababa'])).toBe(true)
    expect(await verify(token, ['another:abababa'])).toBe(false)
    expect(await verify(token, ['abcdefg:secret'])).toBe(false)
    expect(await verify(token, [])).toBe(false)
  })

  it('signs with the key as the issuer, as the SDK requires', async () => {
    const delivery = { method: 'POST', headers: new Headers(), body }
    const { authorization = '' } = await livekit.signature.sign(delivery, 'abcdefg:abababa', 0)
    const [, claims = ''] = authorization.split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ iss: 'abcdefg' })
    expect(await verify(authorization, ['abababa'])).toBe(true)
  })
})
