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
const tokenOf = (claims: JWTPayload, protectedHeader = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...protectedHeader }).sign(privateKey)
const reasonOf = async (token: string, one = scheme, secrets = [pem(publicKey)], at = now) => {
  const verification = await one.verify(delivery(token), secrets, at)
  return verification.verified || verification.reason
}
const own = { request_body_sha256: hash, iat: seconds }

afterEach(() => {
  vi.useRealTimers()
})
/** What WebCrypto does takes real time, so that the timer is there a little later. */
const waitingTimer = () => vi.waitUntil(() => vi.getTimerCount() > 0)

describe('jwt', () => {
  it('verifies a token over the body, of whatever type it says it is', async () => {
    expect(await reasonOf(await tokenOf(own))).toBe(true)
    expect(await reasonOf(await tokenOf(own, { typ: 'JWT', kid: 'any' }))).toBe(true)
    expect(await reasonOf(await tokenOf({ ...own, exp: seconds + 1, nbf: seconds - 1 }))).toBe(true)
  })

  it('holds every claim to its bounds', async () => {
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
      expect([claims, await reasonOf(await tokenOf(claims))]).toEqual([claims, reason])
    }
  })

  // It once refused what was exactly as old as the tolerance, unless the clock stood on a whole second.
  it.each([0, 1, 500, 999])('has both edges of iat inside, %d ms into a second', async (into) => {
    const at = async (iat: number) =>
      reasonOf(await tokenOf({ ...own, iat: seconds + iat }), scheme, [pem(publicKey)], now + into)
    expect(await Promise.all([-301, -300, 300, 301].map(at))).toEqual(['expired', true, true, 'expired'])
  })

  // LiveKit signs nbf and exp, and each of its deliveries was refused for the lack of iat.
  it('requires the claims that it is made with, and checks the others where they are present', async () => {
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
      expect([payload, await reasonOf(await tokenOf(payload), livekit)]).toEqual([payload, expected])
    }
    const signed = await livekit.sign(delivery(), pem(privateKey), now)
    expect(await reasonOf(signed[header]!, livekit)).toBe(true)
    expect(await reasonOf(signed[header]!, livekit, [pem(publicKey)], now + 600_000)).toBe('expired')
  })

  it('pins the algorithm', async () => {
    const unsigned = new UnsecuredJWT(own).encode()
    expect(await reasonOf(unsigned)).toBe('malformed')
    expect(await reasonOf(`${unsigned}AAAA`)).toBe('malformed')
    // A public key is no secret: whoever has it could sign with it, were it taken for one.
    const confused = await new SignJWT(own)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(pem(publicKey)))
    expect(await reasonOf(confused)).toBe('malformed')
    expect(() => jwt({ header, algorithms: ['ES256', 'HS256'] })).toThrow(TypeError)
    expect(() => jwt({ header, algorithms: ['none'] })).toThrow(TypeError)
    expect(() => jwt({ header, algorithms: [] as unknown as ['ES256'] })).toThrow(TypeError)
  })

  // Each was once made; with NaN or Infinity for a tolerance a captured delivery verified for ever, or none did.
  it.each([
    ...[Number.NaN, Infinity, -1, 0, '5'].map((toleranceSeconds) => ({ toleranceSeconds })),
    { claimEncoding: 'HEX' },
    { header: '' },
    { header: 'x-jwt:' },
    { requiredClaims: [] },
    { requiredClaims: ['nbf'] },
    { requiredClaims: ['iat', 'sub'] },
  ])('is not made with %j', (wrong) => {
    const options = { header, algorithms: ['ES256'], ...wrong } as never
    expect(() => jwt(options)).toThrow(/^(toleranceSeconds|claimEncoding|requiredClaims) must |header name/i)
    expect(() => jwt(options)).toThrow(TypeError)
  })

  it('accepts one form of a token', async () => {
    const token = await tokenOf(own)
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
      // Headers leave white space at the ends away.
      if (form.trim() !== token) expect(await reasonOf(form), form).toBe('malformed')
    }
    // The last character of 64 bytes has four bits to spare; a decoder may ignore them.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const spare = alphabet[alphabet.indexOf(signature.at(-1)!) + 1]!
    expect(await reasonOf(token.slice(0, -1) + spare)).toBe('malformed')
  })

  it('finds keys by what a token says of its own, and tells a fault of its own from a forgery', async () => {
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', kty: 'EC' }
    const published = jwt({ header, algorithms: ['ES256'], keys: createLocalJWKSet({ keys: [jwk] }) })
    expect(await reasonOf(await tokenOf(own, { kid: 'one' }), published, [])).toBe(true)
    expect(await reasonOf(await tokenOf(own, { kid: 'two' }), published, [])).toBe('mismatch')
    const cause = new Error('connect ECONNREFUSED')
    const away = jwt({ header, algorithms: ['ES256'], keys: () => Promise.reject(cause) })
    await expect(reasonOf(await tokenOf(own), away)).rejects.toMatchObject({ status: 503, cause })
  })

  it('waits for keys for five seconds only, and blames nobody', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const hanging = jwt({ header, algorithms: ['ES256'], keys: () => new Promise(() => undefined) })
    const refused = expect(reasonOf(await tokenOf(own), hanging)).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
    await waitingTimer()
    await vi.advanceTimersByTimeAsync(5000)
    await refused
  })

  it('tells a key that cannot be used from a forgery', async () => {
    const other = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)
    const token = await tokenOf(own)
    expect(await reasonOf(token, scheme, [other])).toBe('mismatch')
    expect(await reasonOf(token, scheme, ['no key', other, pem(publicKey)])).toBe(true)
    await expect(reasonOf(token, scheme, ['no key', other])).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
    await expect(scheme.sign(delivery(), 'no key', now)).rejects.toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
    })
  })
})
