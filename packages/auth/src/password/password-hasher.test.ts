import { randomBytes } from 'node:crypto'
import { hash, verify, type Options } from '@node-rs/argon2'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPasswordHasher } from './password-hasher.ts'
import { argon2id, dummyHash, readStoredHash } from './stored-hash.ts'

// Small parameters for fast tests; the defaults have a separate test.
const small = { memoryKiB: 64, iterations: 1 }
const argon2Small = { algorithm: argon2id, memoryCost: 64, timeCost: 1, parallelism: 1 }
const pepper = 'a-pepper-of-more-than-thirty-two-bytes'
const otherPepper = 'another-pepper-of-over-thirty-two-bytes'
const refused = { valid: false, needsRehash: false }

describe('a password', () => {
  it('is hashed with the parameters that OWASP recommends', async () => {
    const passwords = createPasswordHasher()
    const stored = await passwords.hash('hunter2 hunter2')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(await passwords.verify(stored, 'hunter2 hunter2')).toEqual({ valid: true, needsRehash: false })
    expect(await passwords.verify(stored, 'hunter2 hunter3')).toEqual(refused)
  })

  it('verifies only itself', async () => {
    const passwords = createPasswordHasher(small)
    const text = fc.string({ unit: 'grapheme', maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(text, text, async (password, another) => {
        const stored = await passwords.hash(password)
        expect(stored).not.toBe(await passwords.hash(password))
        expect((await passwords.verify(stored, password)).valid).toBe(true)
        expect((await passwords.verify(stored, another)).valid).toBe(password === another)
      }),
      { numRuns: 30 },
    )
  })

  it('is limited in bytes before hashing', async () => {
    const passwords = createPasswordHasher({ ...small, maxBytes: 8 })
    const stored = await passwords.hash('éééé')
    expect((await passwords.verify(stored, 'éééé')).valid).toBe(true)
    for (const password of ['ééééé', 'x'.repeat(9), 'x'.repeat(1_000_000)]) {
      await expect(passwords.hash(password)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        status: 400,
        details: [{ field: 'password', message: 'Must be at most 8 bytes long in UTF-8' }],
      })
      expect(await passwords.verify(stored, password)).toEqual(refused)
    }
  })

  it('of 128 characters is always accepted', async () => {
    const passwords = createPasswordHasher(small)
    await expect(passwords.hash('€'.repeat(128))).resolves.toBeDefined()
    await expect(passwords.hash('😀'.repeat(128))).resolves.toBeDefined()
  })
})

describe('a stored hash', () => {
  it('with other parameters is valid and needs a rehash', async () => {
    const stored = await createPasswordHasher(small).hash('secret')
    for (const changed of [{ memoryKiB: 128 }, { iterations: 2 }, { parallelism: 2 }]) {
      const passwords = createPasswordHasher({ ...small, ...changed })
      expect(await passwords.verify(stored, 'secret')).toEqual({ valid: true, needsRehash: true })
      expect(await passwords.verify(stored, 'wrong')).toEqual(refused)
    }
  })

  // Argon2 version 1.0, number 0 in an enum that cannot be imported.
  it.each<[string, { salt?: Uint8Array; outputLen?: number; version?: number }]>([
    ['a shorter salt', { salt: new Uint8Array(8).fill(1) }],
    ['a shorter hash', { outputLen: 16 }],
    ['an older version', { version: 0 }],
  ])('of %s is valid and needs a rehash', async (_, made) => {
    const passwords = createPasswordHasher(small)
    const stored = await hash('secret', { ...argon2Small, ...made })
    expect(await passwords.verify(stored, 'secret')).toEqual({ valid: true, needsRehash: true })
    expect(await passwords.verify(stored, 'wrong')).toEqual(refused)
  })

  it('with the current algorithm and parameters needs no rehash', async () => {
    const stored = await hash('secret', argon2Small)
    const verdict = await createPasswordHasher(small).verify(stored, 'secret')
    expect(verdict).toEqual({ valid: true, needsRehash: false })
  })

  it('that is malformed fails the check', async () => {
    const passwords = createPasswordHasher(small)
    const stored = await passwords.hash('secret')
    const malformed = fc.oneof(
      fc.string(),
      fc.nat(stored.length - 1).map((end) => stored.slice(0, end)),
      fc
        .tuple(fc.nat(stored.length - 1), fc.constantFrom('$', ',', '=', 'é', '\0'))
        .map(([at, char]) => stored.slice(0, at) + char + stored.slice(at + 1))
        .filter((text) => text !== stored),
    )
    await fc.assert(
      fc.asyncProperty(malformed, async (text) => {
        expect(await passwords.verify(text, 'secret')).toEqual(refused)
      }),
    )
  })

  it.each([
    ['memory', '$argon2id$v=19$m=4294967295,t=2,p=1$'],
    ['time', '$argon2id$v=19$m=64,t=4294967295,p=1$'],
    ['lanes', '$argon2id$v=19$m=2040,t=1,p=255$'],
  ])('with an excessive %s fails the check quickly', async (_, start) => {
    const passwords = createPasswordHasher(small)
    const rest = (await passwords.hash('secret')).split('$').slice(4).join('$')
    expect(await passwords.verify(start + rest, 'secret')).toEqual(refused)
  })

  it.each<[string, Options, Options]>([
    ['passes', { timeCost: 64 }, { timeCost: 65 }],
    ['lanes', { parallelism: 64, memoryCost: 2040 }, { parallelism: 65, memoryCost: 2040 }],
    ['lanes, as many as can be', { parallelism: 1 }, { parallelism: 255, memoryCost: 2040 }],
  ])('that is valid fails the check with too many %s', async (_, most, more) => {
    const passwords = createPasswordHasher(small)
    for (const [made, valid] of [
      [most, true],
      [more, false],
    ] as const) {
      const stored = await hash('secret', { ...argon2Small, ...made })
      await expect(verify(stored, 'secret')).resolves.toBe(true)
      expect((await passwords.verify(stored, 'secret')).valid).toBe(valid)
    }
  })
})

// Counts work instead of time: on a busy machine, times differ by a factor of five.
describe('an unknown user', () => {
  it.each([undefined, null, '', 'malformed'])('takes as much work as a known user (%j)', async (unknown) => {
    const passwords = createPasswordHasher({ ...small, concurrency: 1, maxWaiting: 0 })
    const working = passwords.verify(unknown, 'wrong')
    await expect(passwords.hash('secret')).rejects.toMatchObject({ code: 'OVERLOADED' })
    expect(await working).toEqual(refused)
  })

  it('is compared with a valid hash of the same parameters', async () => {
    const dummy = dummyHash({ memoryKiB: 72, iterations: 3, parallelism: 2 }, randomBytes)
    expect(readStoredHash(dummy)?.parameters).toMatchObject({ memoryCost: 72, timeCost: 3, parallelism: 2 })
    await expect(verify(dummy, 'secret')).resolves.toBe(false)
  })
})

describe('peppers', () => {
  it('are part of the hash, which names its pepper', async () => {
    const passwords = createPasswordHasher({ ...small, peppers: [pepper] })
    const stored = await passwords.hash('secret')
    expect(stored).toMatch(/,keyid=[A-Za-z0-9+/]{8}\$/)
    expect(stored).not.toContain(pepper)
    expect(await passwords.verify(stored, 'secret')).toEqual({ valid: true, needsRehash: false })
    expect(await passwords.verify(stored, 'wrong')).toEqual(refused)
    expect(await createPasswordHasher(small).verify(stored, 'secret')).toEqual(refused)
    expect(await createPasswordHasher({ ...small, peppers: [otherPepper] }).verify(stored, 'secret')).toEqual(
      refused,
    )
  })

  it('can be rotated', async () => {
    const stored = await createPasswordHasher({ ...small, peppers: [pepper] }).hash('secret')
    const changed = createPasswordHasher({ ...small, peppers: [otherPepper, pepper] })
    expect(await changed.verify(stored, 'secret')).toEqual({ valid: true, needsRehash: true })
  })

  it('can be introduced', async () => {
    const stored = await createPasswordHasher(small).hash('secret')
    const passwords = createPasswordHasher({ ...small, peppers: [pepper] })
    expect(await passwords.verify(stored, 'secret')).toEqual({ valid: true, needsRehash: true })
    expect(await passwords.verify(stored, 'wrong')).toEqual(refused)
  })
})

it('answers 503 when the queue is full', async () => {
  const passwords = createPasswordHasher({ ...small, concurrency: 1, maxWaiting: 1 })
  const results = await Promise.allSettled(['a', 'b', 'c'].map((password) => passwords.hash(password)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(results[2]).toMatchObject({ reason: { code: 'OVERLOADED', headers: { 'Retry-After': '1' } } })
})

it.each([
  { memoryKiB: 7 },
  { memoryKiB: 15, parallelism: 2 },
  { iterations: 0 },
  { maxBytes: 0 },
  { concurrency: 0 },
  { maxWaiting: -1 },
  { peppers: ['short'] },
])('validates its options: %j', (options) => {
  expect(() => createPasswordHasher(options)).toThrow(TypeError)
})
