import { testService } from '@sallyport/webhooks/testing'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { gong } from './gong.ts'
import samples from './gong.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { format: 'pem', type: 'spki' },
  privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
})
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hash = (body: Uint8Array) => createHash('sha256').update(body).digest('hex')

function createToken(claims: object) {
  const content = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  return `${content}.${sign('sha256', Buffer.from(content), pair.privateKey).toString('base64url')}`
}

testService(runner, {
  provider: gong,
  samples,
  sign: ({ body, url, now }) => ({
    authorization: createToken({ webhook_url: url, body_sha256: hash(body), exp: now / 1000 + 300 }),
  }),
  secret: pair.publicKey,
  signingSecret: pair.privateKey,
})

const body = Buffer.from('{"callData":{},"isTest":true}')
const verify = async (claims: object, secret = pair.publicKey) => {
  const token = createToken({
    webhook_url: 'https://hooks.example.com/webhooks/gong',
    body_sha256: hash(body),
    exp: 300,
    ...claims,
  })
  const headers = new Headers({ authorization: `Bearer ${token}` })
  const delivery = { method: 'POST', headers, body, url: 'https://hooks.example.com/webhooks/gong?rule=1' }
  return (await gong.signature.verify(delivery, [secret], 0)).verified
}

it('accepts the key as Gong shows it, without the lines of PEM', async () => {
  const key = pair.publicKey.split('\n').slice(1, -2).join('')
  expect(await verify({}, key)).toBe(true)
  expect(() => gong.signature.checkSecret?.(key)).not.toThrow()
})

it('refuses another address, another body and an old token', async () => {
  expect(await verify({ webhook_url: 'https://HOOKS.example.com/webhooks/gong/' })).toBe(true)
  expect(await verify({ webhook_url: 'https://hooks.example.com/webhooks/other' })).toBe(false)
  expect(await verify({ webhook_url: undefined })).toBe(false)
  expect(await verify({ body_sha256: hash(Buffer.from('{}')) })).toBe(false)
  expect(await verify({ body_sha256: undefined })).toBe(false)
  expect(await verify({ exp: -301 })).toBe(false)
})
