import { createEvent } from '@sallyport/webhooks/testing'
import { expect, it, vi } from 'vitest'
import { createHttpDestination } from './index.ts'

vi.mock('cloudevents', () => {
  throw new Error('Cannot find package')
})

it('says at the start which library is missing, and retries events', async () => {
  const destination = createHttpDestination({
    ...{ url: 'https://a.example.com', mode: 'event', format: 'cloudevents' },
    secrets: `whsec_${Buffer.from('the secret of this destination..').toString('base64')}`,
  })
  await expect(destination.prepare?.()).rejects.toThrow('A library is missing: npm install cloudevents')
  const message = { deliveryId: 'd', events: [createEvent('a', 0)], attempt: 1 }
  expect(await destination.send(message, new AbortController().signal)).toMatchObject({
    outcome: 'retry',
    error: 'The request cannot be made: A library is missing: npm install cloudevents',
  })
  await destination.close()
})
