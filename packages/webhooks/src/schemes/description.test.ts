import { describe, expect, it } from 'vitest'
import {
  basicAuth,
  bodyToken,
  compressed,
  ecdsa,
  ed25519,
  hash,
  hmac,
  queryToken,
  rsa,
  sharedToken,
  standardWebhooks,
  type SignatureScheme,
} from '../index.ts'
import { certificateChain } from './certificate-chain.ts'
import { detachedJws } from './detached-jws.ts'
import { jwt } from './jwt.ts'
import { sns } from './sns.ts'

const proof = { header: 'x-signature', encoding: 'hex' } as const
const plain = hmac({ ...proof, algorithm: 'sha256' })
const chain = {
  ...{ field: 'signedPayload', roots: ['0'.repeat(64)], check: () => true },
  extensions: { leaf: '1.2.3', intermediate: '1.2.4' },
}

describe('the description of a scheme', () => {
  it.each<[string, SignatureScheme, object | undefined]>([
    ['hmac', plain, { header: 'x-signature', encoding: 'hex', algorithm: 'sha256' }],
    ['hmac', compressed(plain, { signs: 'inflated' }), { algorithm: 'sha256' }],
    ['hmac', standardWebhooks({ prefix: 'svix' }), { algorithm: 'sha256', encoding: 'base64' }],
    ['hash', hash({ ...proof, algorithm: 'sha1', content: ({ body }) => [body] }), { algorithm: 'sha1' }],
    ['rsa', rsa({ ...proof, padding: 'pss' }), { padding: 'pss' }],
    ['ecdsa', ecdsa({ ...proof, format: 'ieee-p1363' }), { format: 'ieee-p1363' }],
    ['ed25519', ed25519({ ...proof, keyEncoding: 'hex' }), { keyEncoding: 'hex' }],
    ['jwt', jwt({ header: 'x-token', algorithms: ['RS256'] }), { header: 'x-token', algorithms: ['RS256'] }],
    ['detached-jws', detachedJws({ header: 'x-jws', algorithms: ['RS512'] }), { header: 'x-jws' }],
    ['certificate-chain', certificateChain(chain), { field: 'signedPayload' }],
    ['sns', sns({ toleranceSeconds: 60 }), { toleranceSeconds: 60 }],
    ['token', sharedToken({ header: 'x-token' }), { header: 'x-token' }],
    ['basic', basicAuth(), undefined],
    ['body-token', bodyToken('a.b'), { path: 'a.b' }],
    ['query-token', queryToken('token'), { name: 'token' }],
  ])('names the function %s and its options', (scheme, { description }, options) => {
    expect(description).toMatchObject({ scheme, ...(options && { options }) })
  })
})
