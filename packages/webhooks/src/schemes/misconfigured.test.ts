import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { expect, it } from 'vitest'
import { encodeBody, client, doorbell, openGateway, receivedAt, rung } from '../../test/doorbell.ts'
import { staticSecrets } from '../secrets/secret-keeper.ts'
import { defineProvider } from '../provider/provider.ts'
import { parseJson } from '../parsers/parse-json.ts'
import { jwt } from '../jwt/index.ts'
import { hmac } from './hmac.ts'
import { rsa } from './rsa.ts'
import { basicAuth, sharedToken } from './credentials.ts'
import { standardWebhooks } from './standard-webhooks.ts'

const signature = standardWebhooks()
const usable = `whsec_${Buffer.from('a key of twenty-four byt').toString('base64')}`
const unusable = 'whsec_pasted-with-a-typo'
const open = (...secrets: readonly string[]) =>
  openGateway({
    providers: [defineProvider({ ...doorbell, signature })],
    secrets: staticSecrets({ doorbell: secrets }),
  })

it('answers 503 without counting a failure when the only secret is unusable', async () => {
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
  // A request without a signature gets 401.
  expect((await send()).said).toBe('INVALID_SIGNATURE')
})

it('verifies with the usable secrets', async () => {
  const { send } = open(unusable, usable)
  const headers = await signature.sign(
    { method: 'POST', headers: new Headers(), body: rung() },
    usable,
    receivedAt,
  )
  expect((await send({ headers })).said).toBe('accepted')
})

it('treats any other error of a scheme as an invalid signature', async () => {
  const reading = hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-signature',
    content: ({ body }) => [(parseJson(body) as { token: string }).token],
  })
  const { send } = openGateway({ providers: [defineProvider({ ...doorbell, signature: reading })] })
  const headers = { 'x-signature': '0'.repeat(64) }
  for (const text of ['not JSON', 'null', '{"token":1}']) {
    expect((await send({ headers, body: encodeBody(text) })).said).toBe('INVALID_SIGNATURE')
  }
})

const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }) as string
const rsaKey = spki(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)
// WebCrypto does not import keys with this identifier.
const pssKey = spki(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey)
const whpk = `whpk_${Buffer.alloc(32, 9).toString('base64')}`

it.each([
  ['rsa', rsa({ header: 'x', encoding: 'base64', padding: 'pss' }), [rsaKey], ['no key', pssKey]],
  ['jwt', jwt({ header: 'x', algorithms: ['ES256', 'PS256'] }), [rsaKey], ['no key', pssKey]],
  ['standardWebhooks', signature, [usable, whpk], [unusable, 'whpk_no key']],
  ['standardWebhooks for Svix', standardWebhooks({ prefix: 'svix' }), [usable, whpk], [unusable]],
  ['basicAuth', basicAuth(), ['user:password'], ['no colon']],
  ['hmac', hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x' }), ['any text'], []],
])('checks a secret of %s before the first delivery', async (_, scheme, good, bad) => {
  for (const secret of good) expect(await scheme.checkSecret?.(secret)).toBeUndefined()
  for (const secret of bad) {
    const check = Promise.resolve().then(() => scheme.checkSecret?.(secret))
    await expect(check).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
    await expect(check).rejects.not.toThrow(secret)
  }
})

it('has no `checkSecret` for a scheme whose secrets are not keys', () => {
  const keys = () => Promise.reject(new Error('not asked'))
  expect(jwt({ header: 'x', algorithms: ['ES256'], keys })).not.toHaveProperty('checkSecret')
  expect(rsa({ header: 'x', encoding: 'base64', keys })).not.toHaveProperty('checkSecret')
  expect(sharedToken({ header: 'x' })).not.toHaveProperty('checkSecret')
})
