import { expect, it } from 'vitest'
import { createRevocationCache, type RevocationCacheOptions } from './revocation-cache.ts'

const token = { sub: 'u1', sid: 's1', jti: 't1', iat: 1, exp: 2 }

function setUp(
  lookup: () => boolean | Promise<boolean> = () => false,
  options: Partial<RevocationCacheOptions> = {},
) {
  const clock = { ms: 0 }
  let asked = 0
  const revocations = createRevocationCache({
    lookup: () => ((asked += 1), lookup()),
    now: () => clock.ms,
    ...options,
  })
  return { clock, revocations, asked: () => asked }
}

it('looks up once per period and answers from the cache in between', async () => {
  const { clock, revocations, asked } = setUp()
  expect(await revocations.isRevoked(token)).toBe(false)
  expect(revocations.isRevoked(token)).toBe(false)
  clock.ms = 4999
  expect(revocations.isRevoked(token)).toBe(false)
  expect(asked()).toBe(1)
  clock.ms = 5000
  expect(await revocations.isRevoked(token)).toBe(false)
  expect(asked()).toBe(2)
})

it('looks up again after the clock was set back', async () => {
  const { clock, revocations, asked } = setUp()
  await revocations.isRevoked(token)
  clock.ms -= 3_600_000
  expect(await revocations.isRevoked(token)).toBe(false)
  expect(asked()).toBe(2)
  expect(revocations.isRevoked(token)).toBe(false)
})

it('limits the number of cached results', async () => {
  const { revocations, asked } = setUp(undefined, { max: 1 })
  for (const jti of ['t1', 't2', 't1']) await revocations.isRevoked({ ...token, jti })
  expect(asked()).toBe(3)
})

it('looks up once for concurrent calls', async () => {
  const { revocations, asked } = setUp()
  await Promise.all(Array.from({ length: 10 }, async () => revocations.isRevoked(token)))
  expect(asked()).toBe(1)
})

it('knows revocations of this process immediately', async () => {
  const { revocations } = setUp()
  await revocations.isRevoked(token)
  revocations.revokeSession('s1')
  expect(revocations.isRevoked(token)).toBe(true)
  expect(await revocations.isRevoked({ ...token, sid: 's2' })).toBe(false)
  revocations.revokeToken('t1')
  expect(revocations.isRevoked({ ...token, sid: 's2' })).toBe(true)
})

it('ignores the result of a lookup that started before the revocation', async () => {
  let answer: (revoked: boolean) => void = () => undefined
  const { revocations } = setUp(() => new Promise((resolve) => (answer = resolve)))
  const asked = revocations.isRevoked(token)
  revocations.revokeSession('s1')
  answer(false)
  expect(await asked).toBe(true)
  expect(revocations.isRevoked(token)).toBe(true)
})

it('does not cache an error', async () => {
  let down = true
  const { revocations } = setUp(async () => {
    if (down) throw new Error('down')
    return false
  })
  await expect(revocations.isRevoked(token)).rejects.toThrow('down')
  down = false
  expect(await revocations.isRevoked(token)).toBe(false)
})
