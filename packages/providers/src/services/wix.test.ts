import { testService } from '@sallyport/webhooks/testing'
import { generateKeyPairSync, sign } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { wix } from './wix.ts'
import samples from './wix.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { format: 'pem', type: 'spki' },
  privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
})

testService(runner, {
  provider: wix,
  samples,
  sign: ({ text, secret, now }) => {
    const event = JSON.parse(text) as { data: unknown }
    const inner = JSON.stringify({ ...event, data: JSON.stringify(event.data) })
    const iat = Math.floor(now / 1000)
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const content = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode({ data: inner, iat, exp: iat + 60 })}`
    const signature = sign('sha256', Buffer.from(content), secret).toString('base64url')
    return { headers: {}, body: Buffer.from(`${content}.${signature}`) }
  },
  secret: pair.publicKey,
  signingSecret: pair.privateKey,
})
