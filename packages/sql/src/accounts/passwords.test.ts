import { expect, it, describe } from 'vitest'
import { createPasswords, createSequentialHash } from './passwords.ts'
import { createPasswordHasher } from '@sallyport/auth/password'
import { SallyportError } from '@sallyport/errors'

it('accepts 128 characters whose normalization is longer', async () => {
  let longest = ''
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    if (Buffer.byteLength(character.normalize('NFC')) > Buffer.byteLength(longest.normalize('NFC')))
      longest = character
  }
  const password = longest.repeat(128)
  expect(Buffer.byteLength(password.normalize('NFC'))).toBeGreaterThan(512)

  const passwords = createPasswords()
  const stored = await passwords.hash(password)
  expect(await passwords.verify(stored, password)).toEqual({ valid: true, needsRehash: false })
  expect(await passwords.verify(stored, `${longest.repeat(127)}x`)).toMatchObject({ valid: false })
})

describe('new passwords', () => {
  it('in large numbers do not block logins', async () => {
    // The hasher has room for ten; more new passwords than that are set.
    const hasher = createPasswordHasher({ memoryKiB: 64, iterations: 1, concurrency: 2, maxWaiting: 8 })
    const stored = await hasher.hash('right')
    const hash = createSequentialHash(hasher)
    const set = Array.from({ length: 65 }, (_, index) => hash(`password ${index}`))
    const refused = [hash('one more'), hash('another')]
    const logins = Array.from({ length: 9 }, () => hasher.verify(stored, 'right'))
    for (const refusal of refused) {
      await expect(refusal).rejects.toMatchObject({
        code: 'OVERLOADED',
        status: 503,
        headers: { 'Retry-After': '1' },
      })
    }
    for (const { valid } of await Promise.all(logins)) expect(valid).toBe(true)
    expect(new Set(await Promise.all(set)).size).toBe(65)
    expect(await hasher.verify(await hash('later'), 'later')).toMatchObject({ valid: true })
  })

  it('are hashed in order despite a failure', async () => {
    const seen: string[] = []
    const hash = createSequentialHash({
      hash: (password) => {
        seen.push(password)
        const broken = new SallyportError('VALIDATION_ERROR', 'The password is too long')
        return password === 'b' ? Promise.reject(broken) : Promise.resolve(password)
      },
    })
    const results = await Promise.allSettled(['a', 'b', 'c'].map(hash))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(seen).toEqual(['a', 'b', 'c'])
  })
})
