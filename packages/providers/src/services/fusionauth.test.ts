import { testService } from '@sallyport/webhooks/testing'
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { fusionauth } from './fusionauth.ts'
import samples from './fusionauth.samples.json' with { type: 'json' }

const header = 'x-fusionauth-signature-jwt'
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const toPem = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString()

function createToken(alg: string, body: Uint8Array, key: KeyObject) {
  const hash = createHash('sha256').update(body).digest('base64')
  const content = Buffer.from(`${encode({ alg, kid: 'k1' })}.${encode({ request_body_sha256: hash })}`)
  const signature = sign('sha256', content, { key, dsaEncoding: 'ieee-p1363' })
  return `${content.toString()}.${signature.toString('base64url')}`
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

testService(runner, {
  provider: fusionauth,
  samples,
  secret: toPem(rsa.publicKey),
  signingSecret: rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  sign: ({ body }) => ({ [header]: createToken('RS256', body, rsa.privateKey) }),
})

it('accepts an elliptic-curve key', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = Buffer.from('{}')
  const headers = new Headers({ [header]: createToken('ES256', body, privateKey) })
  const verified = await fusionauth.signature.verify({ method: 'POST', headers, body }, [toPem(publicKey)], 0)
  expect(verified).toMatchObject({ verified: true })
})
