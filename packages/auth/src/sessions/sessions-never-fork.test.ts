import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMemorySessionStore } from './memory-session-store.ts'
import { createSessions } from './sessions.ts'

const grace = 10_000

// Which earlier token is presented, by how many concurrent callers, and how long after the previous step.
const step = fc.record({
  token: fc.nat({ max: 12 }),
  presenters: fc.integer({ min: 1, max: 4 }),
  later: fc.constantFrom(0, 1, grace - 1, grace, 60_000),
})

it('a session never has two valid tokens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      const clock = { ms: 1_700_000_000_000 }
      const sessions = createSessions({
        store: createMemorySessionStore(),
        secrets: ['a-secret-of-more-than-thirty-two-bytes'],
        now: () => clock.ms,
      })
      const { session, refreshToken } = await sessions.create({ userId: 'u1' })
      // The model: a chain whose last token is valid, and the previous token within the grace period.
      const chain = [refreshToken]
      let usedAt = -Infinity
      let open = true
      for (const { token, presenters, later } of steps) {
        clock.ms += later
        const index = token % chain.length
        const presented = chain[index]!
        const isLast = index === chain.length - 1
        const repeats = index === chain.length - 2 && clock.ms < usedAt + grace
        const answers = await Promise.allSettled(
          Array.from({ length: presenters }, () => sessions.rotate(presented)),
        )
        const given = answers.flatMap((answer) =>
          answer.status === 'fulfilled' ? [answer.value.refreshToken] : [],
        )
        if (open && (isLast || repeats)) {
          const successor = isLast ? given[0]! : chain[index + 1]!
          expect(given).toEqual(Array.from({ length: presenters }, () => successor))
          if (isLast) {
            expect(chain).not.toContain(successor)
            chain.push(successor)
            usedAt = clock.ms
          }
        } else {
          expect(given).toEqual([])
          open = false
        }
        expect(await sessions.isActive(session.id)).toBe(open)
      }
    }),
    { numRuns: 300 },
  )
})
