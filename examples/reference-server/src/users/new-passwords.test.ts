import { createPasswordHasher } from '@sallyport/auth/password'
import { SallyportError } from '@sallyport/errors'
import { describe, expect, it } from 'vitest'
import { createSequentialHash } from './new-passwords.ts'

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
