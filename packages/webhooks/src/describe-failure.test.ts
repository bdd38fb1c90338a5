import { expect, it } from 'vitest'
import { bytesOf, doorbell, openGateway } from '../test/doorbell.ts'
import { withoutMessage } from './describe-failure.ts'

const looksLikeOne = {
  name: 'ChargeError',
  message: 'declined',
  stack: 'ChargeError: declined\n    at the card 4111 1111 1111 1111',
}

it('takes nothing of a thrown object that looks like an error', () => {
  expect(withoutMessage(looksLikeOne).stack).toBe('Unknown error')
})

it('tells the observer nothing of a part of the payload that a provider throws', async () => {
  // Its lines that looked like frames were once logged.
  const provider: typeof doorbell = {
    ...doorbell,
    normalize({ payload }) {
      throw (payload as { error: unknown }).error
    },
  }
  const { deliver, observed } = openGateway({ providers: [provider] })
  expect((await deliver({ body: bytesOf({ error: looksLikeOne }) })).said).toBe('quarantined')
  expect(observed[0]?.error).toMatchObject({ stack: 'Unknown error' })
})

it('keeps the frames of an error, and not a line of its message that looks like one', () => {
  const { stack } = withoutMessage(new RangeError('declined\n    at the card'))
  expect(stack).toMatch(/^RangeError\n\s+at .*describe-failure\.test/)
  expect(stack).not.toContain('the card')
})
