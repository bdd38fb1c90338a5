import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createLocalJWKSet, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Delivery } from '../index.ts'
import { jwt } from './jwt.ts'

const header = 'x-jwt'
const now = Date.UTC(2026, 0)
const seconds = now / 1000
const body = new TextEncoder().encode('{"webhook_code":"☃"}')
const hash = createHash('sha256').update(body).digest('hex')
const delivery = (token?: string): Delivery => ({
  method: 'POST',
  headers: new Headers(token === undefined ? {} : { [header]: token }),
  body,
})
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = (key: KeyObject) =>
  key
    .export({ type: key.type === 'public' ? 'spki' : 'pkcs8', format: 'pem' } as {
      type: 'spki'
      format: 'pem'
    })
    .toString()
const scheme = jwt({ header, algorithms: ['ES256'] })
const signToken = (claims: JWTPayload, protectedHeader = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...protectedHeader }).sign(privateKey)
const getReason = async (token: string, one = scheme, secrets = [pem(publicKey)], at = now) => {
  const verification = await one.verify(delivery(token), secrets, at)
  return verification.verified || verification.reason
}
const own = { request_body_sha256: hash, iat: seconds }

afterEach(() => {
  vi.useRealTimers()
})
/** Waits for the timer, which starts after WebCrypto has finished. */
const waitingTimer = () => vi.waitUntil(() => vi.getTimerCount() > 0)

describe('jwt', () => {
  it('verifies a token over the body with any `typ`', async () => {
    expect(await getReason(await signToken(own))).toBe(true)
    expect(await getReason(await signToken(own, { typ: 'JWT', kid: 'any' }))).toBe(true)
    expect(await getReason(await signToken({ ...own, exp: seconds + 1, nbf: seconds - 1 }))).toBe(true)
  })

  it('rejects invalid claims', async () => {
    const cases: readonly [JWTPayload, string][] = [
      [{ iat: seconds }, 'malformed'],
      [{ request_body_sha256: hash }, 'malformed'],
      [{ ...own, request_body_sha256: 1 }, 'malformed'],
      [{ ...own, request_body_sha256: [hash] }, 'malformed'],
      [{ ...own, request_body_sha256: hash.toUpperCase() }, 'mismatch'],
      [{ ...own, request_body_sha256: '' }, 'mismatch'],
      [{ ...own, request_body_sha256: hash.slice(0, 32) }, 'mismatch'],
      [{ ...own, iat: seconds - 301 }, 'expired'],
      [{ ...own, iat: seconds + 301 }, 'expired'],
      [{ ...own, iat: 1e300 }, 'expired'],
      [{ ...own, iat: String(seconds) as unknown as number }, 'malformed'],
      [{ ...own, exp: seconds - 300 }, 'expired'],
      [{ ...own, nbf: seconds + 301 }, 'expired'],
    ]
    for (const [claims, reason] of cases) {
      expect([claims, await getReason(await signToken(claims))]).toEqual([claims, reason])
    }
  })

  // Regression: an age of exactly the tolerance was rejected within a second.
  it.each([0, 1, 500, 999])('includes both edges of the iat tolerance, %d ms into a second', async (into) => {
    const at = async (iat: number) =>
      getReason(await signToken({ ...own, iat: seconds + iat }), scheme, [pem(publicKey)], now + into)
    expect(await Promise.all([-301, -300, 300, 301].map(at))).toEqual(['expired', true, true, 'expired'])
  })

  // LiveKit signs nbf and exp without iat.
  it('requires the configured time claims and checks other time claims when present', async () => {
    const livekit = jwt({ header, claim: 'sha256', algorithms: ['ES256'], requiredClaims: ['nbf', 'exp'] })
    const claims = { sha256: hash, nbf: seconds, exp: seconds + 300 }
    const cases: readonly [JWTPayload, true | string][] = [
      [claims, true],
      [{ ...claims, iat: seconds }, true],
      [{ ...claims, iat: seconds - 301 }, 'expired'],
      [{ ...claims, iat: 'now' as unknown as number }, 'malformed'],
      [{ ...claims, exp: seconds - 300 }, 'expired'],
      [{ ...claims, nbf: seconds + 301 }, 'expired'],
      [{ sha256: hash, exp: seconds + 300 }, 'malformed'],
      [{ sha256: hash, nbf: seconds, iat: seconds }, 'malformed'],
    ]
    for (const [payload, expected] of cases) {
      expect([payload, await getReason(await signToken(payload), livekit)]).toEqual([payload, expected])
    }
    const signed = await livekit.sign(delivery(), pem(privateKey), now)
    expect(await getReason(signed[header]!, livekit)).toBe(true)
    expect(await getReason(signed[header]!, livekit, [pem(publicKey)], now + 600_000)).toBe('expired')
  })

  it('accepts only the configured algorithms', async () => {
    const unsigned = new UnsecuredJWT(own).encode()
    expect(await getReason(unsigned)).toBe('malformed')
    expect(await getReason(`${unsigned}AAAA`)).toBe('malformed')
    // An attacker could use the public key as a shared secret.
    const confused = await new SignJWT(own)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(pem(publicKey)))
    expect(await getReason(confused)).toBe('malformed')
    expect(() => jwt({ header, algorithms: ['ES256', 'HS256'] })).toThrow(TypeError)
    expect(() => jwt({ header, algorithms: ['none'] })).toThrow(TypeError)
    expect(() => jwt({ header, algorithms: [] as unknown as ['ES256'] })).toThrow(TypeError)
  })

  // Regression: with NaN or Infinity as tolerance, a captured delivery verified without a time limit.
  it.each([
    ...[Number.NaN, Infinity, -1, 0, '5'].map((toleranceSeconds) => ({ toleranceSeconds })),
    { claimEncoding: 'HEX' },
    { header: '' },
    { header: 'x-jwt:' },
    { claim: false, requiredClaims: [] },
    { claim: false, requiredClaims: ['nbf'] },
    { requiredClaims: ['iat', 'sub'] },
  ])('rejects the options %j', (wrong) => {
    const options = { header, algorithms: ['ES256'], ...wrong } as never
    expect(() => jwt(options)).toThrow(/^(toleranceSeconds|claimEncoding|requiredClaims) must |header name/i)
    expect(() => jwt(options)).toThrow(TypeError)
  })

  it('accepts one form of a token', async () => {
    const token = await signToken(own)
    const [head = '', claims = '', signature = ''] = token.split('.')
    for (const form of [
      '',
      '.',
      '..',
      '...',
      'x',
      `${token}.`,
      `.${token}`,
      `${token}.${signature}`,
      `${head}.${claims}`,
      `${token}=`,
      `${head}=.${claims}.${signature}`,
      `${head}..${signature}`,
      ` ${token}`,
      `Bearer ${token}`,
      token.replaceAll('.', ','),
      'a'.repeat(100_000),
    ]) {
      // Headers trim white space.
      if (form.trim() !== token) expect(await getReason(form), form).toBe('malformed')
    }
    // The last character of 64 bytes has four unused bits, which a decoder can ignore.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const spare = alphabet[alphabet.indexOf(signature.at(-1)!) + 1]!
    expect(await getReason(token.slice(0, -1) + spare)).toBe('malformed')
  })

  it('finds keys by the key id and answers 503 when the keys are unavailable', async () => {
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', kty: 'EC' }
    const published = jwt({ header, algorithms: ['ES256'], keys: createLocalJWKSet({ keys: [jwk] }) })
    expect(await getReason(await signToken(own, { kid: 'one' }), published, [])).toBe(true)
    expect(await getReason(await signToken(own, { kid: 'two' }), published, [])).toBe('mismatch')
    const cause = new Error('connect ECONNREFUSED')
    const unavailable = jwt({ header, algorithms: ['ES256'], keys: () => Promise.reject(cause) })
    await expect(getReason(await signToken(own), unavailable)).rejects.toMatchObject({ status: 503, cause })
  })

  it('stops waiting for keys after five seconds with a 503', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const hanging = jwt({ header, algorithms: ['ES256'], keys: () => new Promise(() => undefined) })
    const refused = expect(getReason(await signToken(own), hanging)).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
    await waitingTimer()
    await vi.advanceTimersByTimeAsync(5000)
    await refused
  })

  it('answers 503 for an unusable key and 401 for a wrong signature', async () => {
    const other = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)
    const token = await signToken(own)
    expect(await getReason(token, scheme, [other])).toBe('mismatch')
    expect(await getReason(token, scheme, ['no key', other, pem(publicKey)])).toBe(true)
    await expect(getReason(token, scheme, ['no key', other])).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
    await expect(scheme.sign(delivery(), 'no key', now)).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
  })
})
