import { describe, expect, it } from 'vitest'
import { encodeBody, doorbell, openGateway } from './doorbell.ts'
import { z } from 'zod'
import { describeIssues, withoutMessage } from '@sallyport/internal/describe-failure'

const errorLike = {
  name: 'ChargeError',
  message: 'declined',
  stack: 'ChargeError: declined\n    at the card 4111 1111 1111 1111',
}

it('copies nothing from an error-like object', () => {
  expect(withoutMessage(errorLike).stack).toBe('Unknown error')
})

it('passes no part of a thrown payload to the observer', async () => {
  const provider: typeof doorbell = {
    ...doorbell,
    normalize({ payload }) {
      throw (payload as { error: unknown }).error
    },
  }
  const { deliver, observed } = openGateway({ providers: [provider] })
  expect((await deliver({ body: encodeBody({ error: errorLike }) })).said).toBe('quarantined')
  expect(observed[0]?.error).toMatchObject({ stack: 'Unknown error' })
})

it('keeps only the frames of a stack', () => {
  const { stack } = withoutMessage(new RangeError('declined\n    at the card'))
  expect(stack).toMatch(/^RangeError\n\s+at .*describe-failure\.test/)
  expect(stack).not.toContain('the card')
})

const address = 'mallory@example.com'
const strict = z.object({
  door: z.object({ id: z.int(), mail: z.literal('alice@example.com') }),
  guests: z.record(z.string(), z.number()),
})
const visit = { door: { id: address, mail: address }, guests: { [address]: address } }
const issuesOfVisit = 'door.id invalid_type, door.mail invalid_value, guests.* invalid_type'

describe('describeIssues', () => {
  it('gives the path and the code of each issue, without a value', () => {
    expect(describeIssues(strict.safeParse(visit).error)).toBe(issuesOfVisit)
  })

  it('reads the issues that an error has as its cause', () => {
    const cause = [{ message: address, path: [{ key: 'door' }, 0] }, { message: address }]
    expect(describeIssues(new TypeError(address, { cause }))).toBe('door.0, (root)')
  })

  it('describes ten issues at most', () => {
    const { error } = z.array(z.string()).safeParse(Array.from({ length: 1000 }, () => 1))
    const described = describeIssues(error)?.split(', ')
    expect(described).toHaveLength(11)
    expect(described?.at(-1)).toBe('990 more')
  })

  it('describes a deep path of long names in at most 1,000 characters', () => {
    const issue = { path: Array.from({ length: 1000 }, () => 'a'.repeat(64)), code: 'custom' }
    expect(describeIssues({ issues: [issue, issue, issue] })).toHaveLength(1000)
  })

  it.each([undefined, null, 'text', new Error('text'), new Error('text', { cause: 'text' }), { issues: [] }])(
    'is undefined for %j',
    (error) => {
      expect(describeIssues(error)).toBeUndefined()
    },
  )

  it('is undefined for an error whose members throw', () => {
    const error = Object.defineProperty(new Error('text'), 'issues', {
      get() {
        throw new Error('text')
      },
    })
    expect(describeIssues(error)).toBeUndefined()
  })
})

it('stores the issues of a schema with a quarantined delivery', async () => {
  const provider: typeof doorbell = {
    ...doorbell,
    normalize({ payload }) {
      strict.parse(payload)
      return []
    },
  }
  const { deliver, observed, recorded } = openGateway({ providers: [provider] })
  expect((await deliver({ body: encodeBody(visit) })).said).toBe('quarantined')
  const { quarantine } = recorded[0]!.record
  expect(quarantine).toMatchObject({ reason: 'NORMALIZER_FAILED', detail: issuesOfVisit })
  expect(observed[0]).toMatchObject({
    reason: 'NORMALIZER_FAILED',
    error: { message: `ZodError: ${issuesOfVisit}` },
  })
  expect(String((observed[0]?.error as Error).stack)).not.toContain(address)
})

it('stores the issues of invalid event data', async () => {
  const data = { door: 1 as unknown as string }
  const provider: typeof doorbell = {
    ...doorbell,
    normalize: () => ({ kind: 'bell.rung', subject: '', data }),
  }
  const { deliver, recorded } = openGateway({ providers: [provider] })
  await deliver({ body: encodeBody({}) })
  expect(recorded[0]?.record.quarantine).toMatchObject({ detail: 'door invalid_type' })
})
