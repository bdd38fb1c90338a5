import fc from 'fast-check'
import { CompactSign, jwtVerify } from 'jose'
import { expect, it } from 'vitest'
import { createClaimsCheck } from './check-claims.ts'

const now = 1_700_000_000
const key = Buffer.alloc(32, 1)
const check = createClaimsCheck({
  issuer: 'me',
  audience: { claim: 'aud', values: ['us', 'them'] },
  requiredClaims: ['jti'],
  clockToleranceSeconds: 5,
})
const good = { iss: 'me', aud: 'us', sub: 'u1', jti: 't1', iat: now, exp: now + 60 }
const bytes = (claims: unknown) => Buffer.from(JSON.stringify(claims))

it('accepts only claims that jose accepts', async () => {
  const time = fc.oneof(
    fc.integer({ min: now - 7, max: now + 7 }),
    fc.double({ min: now - 7, max: now + 7, noNaN: true }),
    fc.jsonValue(),
  )
  const text = fc.oneof(fc.constantFrom('me', 'us', 'them', ''), fc.jsonValue())
  const claims = fc.record(
    {
      iss: fc.oneof({ weight: 9, arbitrary: fc.constant('me') }, text),
      aud: fc.oneof(fc.constantFrom('us', 'them'), fc.array(text, { maxLength: 3 }), text),
      sub: fc.oneof({ weight: 9, arbitrary: fc.constant('u1') }, text),
      jti: fc.oneof({ weight: 9, arbitrary: fc.constant('t1') }, text),
      iat: time,
      nbf: time,
      exp: fc.oneof(fc.constant(now + 60), time),
    },
    { requiredKeys: [] },
  )
  const payloads = fc.oneof(
    claims,
    claims.map((some) => ({ ...good, ...some })),
    fc.jsonValue(),
  )
  const instants = fc.integer({ min: now * 1000 - 2000, max: now * 1000 + 2000 })
  await fc.assert(
    fc.asyncProperty(payloads, instants, async (payload, nowMs) => {
      let passed: unknown
      try {
        passed = check(bytes(payload), nowMs)
      } catch {
        return
      }
      const token = await new CompactSign(bytes(payload)).setProtectedHeader({ alg: 'HS256' }).sign(key)
      const verified = await jwtVerify(token, key, {
        issuer: 'me',
        audience: ['us', 'them'],
        requiredClaims: ['sub', 'iat', 'exp', 'jti'],
        clockTolerance: 5,
        currentDate: new Date(nowMs),
      })
      expect(passed).toEqual(verified.payload)
    }),
    { numRuns: 2000 },
  )
})

it('accepts valid claims until the last moment', () => {
  expect(check(bytes(good), now * 1000)).toEqual(good)
  expect(check(bytes({ ...good, aud: ['x', 'them'], nbf: now + 5 }), now * 1000)).toMatchObject({ sub: 'u1' })
  expect(() => check(bytes(good), (now + 64) * 1000 + 999)).not.toThrow()
  expect(() => check(bytes(good), (now + 65) * 1000)).toThrow('expired')
})

it('rejects everything with a clock that returns NaN', () => {
  expect(() => check(bytes(good), NaN)).toThrow('expired')
})

it.each<[string, Uint8Array]>([
  ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes(good)])],
  ['what is not UTF-8', Buffer.from(JSON.stringify({ ...good, name: 'ÿ' }), 'latin1')],
  ['a list', bytes([good])],
  ['null', bytes(null)],
  ['an endless beginning in the past', Buffer.from(JSON.stringify(good).replace('{', '{"nbf":-1e999,'))],
])('rejects %s without quoting it', (_, payload) => {
  expect(() => check(payload, now * 1000)).toThrow(/^The payload is|^nbf must be a number$/)
})
