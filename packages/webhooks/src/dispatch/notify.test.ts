import { createDelivery, getDetail } from '@sallyport/test-support/records'
import { expect, it } from 'vitest'
import { doorbell } from '../../test/doorbell.ts'
import { type Attempt, createDispatcher, createMemoryBus, createMemoryInbox } from '../index.ts'

it('settles a notification without a message', async () => {
  const inbox = createMemoryInbox()
  const delivery = createDelivery(Date.now(), { notify: true })
  await inbox.record(delivery)
  const told: unknown[] = []
  const attempts: Attempt[] = []
  const ended = Promise.withResolvers<undefined>()
  const dispatcher = createDispatcher({
    ...{ inbox, publisher: createMemoryBus(), pollMs: 10 },
    notifications: {
      providers: [{ ...doorbell, notify: () => undefined }],
      notifier: { notify: (...given) => Promise.resolve(void told.push(given)) },
    },
    onAttempt(attempt) {
      if (attempt.work === 'publish') return
      attempts.push(attempt)
      ended.resolve(undefined)
    },
  })
  dispatcher.start()
  await ended.promise
  await dispatcher.stop()
  expect(attempts.map(({ outcome }) => outcome)).toEqual([{ status: 'done' }])
  const [state] = (await getDetail(inbox, delivery)).events
  expect(state?.notification).toEqual({ status: 'sent', attempts: 0, failures: [] })
  expect(told).toEqual([])
})
