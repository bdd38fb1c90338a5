import { X509Certificate } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createCertificate, type CertificateOptions } from '../../test/certificates.ts'
import { certificateChain } from '../jwt/index.ts'

const extensions = { leaf: '1.2.840.113635.100.6.11.1', intermediate: '1.2.840.113635.100.6.2.1' }
const now = Date.UTC(2026, 0)

function createChain(changes: Partial<Record<'root' | 'intermediate' | 'leaf', CertificateOptions>> = {}) {
  const root = createCertificate({ name: 'root', isAuthority: true, ...changes.root })
  const intermediate = createCertificate({
    name: 'intermediate',
    issuer: root,
    isAuthority: true,
    extensions: [extensions.intermediate],
    ...changes.intermediate,
  })
  const leaf = createCertificate({
    name: 'leaf',
    issuer: intermediate,
    extensions: [extensions.leaf],
    ...changes.leaf,
  })
  return { root, intermediate, leaf, x5c: [leaf.der, intermediate.der, root.der] }
}
const trusted = createChain()
const roots = [new X509Certificate(trusted.root.pem).fingerprint256]
const signingSecret = JSON.stringify({
  ...trusted.leaf.privateKey.export({ format: 'jwk' }),
  x5c: trusted.x5c,
})
const scheme = certificateChain({
  field: 'signedPayload',
  roots,
  extensions,
  check: ({ bundleId }, secrets) => secrets.some((one) => one === bundleId),
})

const claims = { notificationType: 'TEST', bundleId: 'com.example' }
const request = (payload: unknown) => ({
  method: 'POST',
  headers: new Headers(),
  body: new TextEncoder().encode(JSON.stringify(payload)),
})
const signToken = ({ leaf, x5c }: Pick<ReturnType<typeof createChain>, 'leaf' | 'x5c'>, alg = 'ES256') =>
  new SignJWT(claims).setProtectedHeader({ alg, x5c }).sign(leaf.privateKey)
const verify = (signedPayload: unknown, secrets = ['com.example'], at = now) =>
  scheme.verify(request({ signedPayload }), secrets, at)

describe('certificateChain', () => {
  it('verifies a token and returns its payload', async () => {
    const verification = await verify(await signToken(trusted))
    if (!verification.verified) throw new Error(verification.reason)
    expect(JSON.parse(new TextDecoder().decode(verification.body))).toEqual(claims)
  })

  it('signs a body that verifies', async () => {
    const body = await scheme.signBody!(request(claims), signingSecret, now)
    expect(await scheme.verify({ ...request({}), body }, ['com.example'], now)).toEqual({
      verified: true,
      body: request(claims).body,
    })
  })

  it('rejects another root, another app and another key', async () => {
    expect(await verify(await signToken(createChain()))).toMatchObject({ reason: 'mismatch' })
    expect(await verify(await signToken(trusted), ['com.other'])).toMatchObject({ reason: 'mismatch' })
    const forged = { leaf: createChain().leaf, x5c: trusted.x5c }
    expect(await verify(await signToken(forged))).toMatchObject({ reason: 'mismatch' })
  })

  it('rejects a certificate that the next certificate did not issue', async () => {
    const other = createChain()
    for (const x5c of [
      [other.leaf.der, trusted.intermediate.der, trusted.root.der],
      [other.leaf.der, other.intermediate.der, trusted.root.der],
      [trusted.root.der, trusted.root.der, trusted.root.der],
    ]) {
      expect((await verify(await signToken({ leaf: other.leaf, x5c }))).verified).toBe(false)
    }
  })

  it('rejects a chain of other lengths and an unsigned header', async () => {
    const { leaf, x5c } = trusted
    for (const chain of [x5c.slice(0, 2), [...x5c, x5c[2]!], [], ['text', 'text', 'text']]) {
      expect(await verify(await signToken({ leaf, x5c: chain }))).toMatchObject({ reason: 'malformed' })
    }
    const [header, payload] = (await signToken(trusted)).split('.')
    for (const token of ['', 'a.b.c', `${header}.${payload}.`, `${header}.${payload}`, 1, null]) {
      expect((await verify(token)).verified).toBe(false)
    }
  })

  it.each([
    ['without the extension of the leaf', { leaf: { extensions: [] } }],
    ['without the extension of the intermediate', { intermediate: { extensions: [] } }],
    ['with an intermediate that is no authority', { intermediate: { isAuthority: false } }],
    ['with an expired leaf', { leaf: { notAfter: Date.UTC(2025, 0) } }],
    ['with a leaf of the future', { leaf: { notBefore: Date.UTC(2027, 0) } }],
  ] as const)('rejects a chain %s', async (_, changes) => {
    const chain = createChain(changes)
    const one = certificateChain({
      field: 'signedPayload',
      roots: [new X509Certificate(chain.root.pem).fingerprint256],
      extensions,
      check: () => true,
    })
    const token = await signToken(chain)
    expect(await one.verify(request({ signedPayload: token }), [], now)).toMatchObject({ reason: 'mismatch' })
  })

  it('trusts a root certificate among the secrets', async () => {
    const other = createChain()
    const token = await signToken(other)
    expect(await verify(token, ['com.example', other.root.pem])).toMatchObject({ verified: true })
    expect(await verify(token, [other.root.pem])).toMatchObject({ reason: 'mismatch' })
    const broken = '-----BEGIN CERTIFICATE-----'
    await expect(verify(token, ['com.example', broken])).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
  })

  it('rejects a token with another algorithm', async () => {
    const chain = createChain({ leaf: { type: 'rsa', extensions: [] } })
    const one = certificateChain({
      field: 'signedPayload',
      roots: [new X509Certificate(chain.root.pem).fingerprint256],
      extensions: { ...extensions, leaf: '2.5.29.14' },
      check: () => true,
    })
    const token = await signToken(chain, 'RS256')
    expect(await one.verify(request({ signedPayload: token }), ['a'], now)).toMatchObject({
      reason: 'mismatch',
    })
  })

  it('is not made without a root', () => {
    for (const wrong of [[], ['text']]) {
      expect(() => certificateChain({ field: 'a', roots: wrong, extensions, check: () => true })).toThrow(
        TypeError,
      )
    }
  })
})
