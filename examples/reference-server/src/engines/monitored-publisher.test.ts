import type { InternalEvent, PublishResult } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { monitorPublisher } from './monitored-publisher.ts'

const source = { provider: 'doorbell', deliveryId: '', receivedAt: 0 }
const event: InternalEvent = { id: 'a', name: 'doorbell/rung', subject: '', ts: 0, data: {}, source }
const ok: PublishResult = { ok: true }
const later: PublishResult = { ok: false, retryable: true, error: 'The bus answered 401' }
const never: PublishResult = { ok: false, retryable: false, error: 'The bus answered 400' }

it('reports once that a bus rejects all events, and once that it accepts an event again', async () => {
  const reported: string[] = []
  let results: readonly PublishResult[] = []
  const publisher = monitorPublisher(
    { publish: () => Promise.resolve(results) },
    {
      onUnavailable: (error) => reported.push((error as Error).message),
      onAvailable: () => reported.push('back'),
    },
  )
  const publish = async (answer: readonly PublishResult[], signal = new AbortController().signal) => {
    results = answer
    expect(await publisher.publish([event], signal)).toBe(answer)
    return reported.splice(0)
  }
  expect(await publish([])).toEqual([])
  expect(await publish([never])).toEqual([])
  expect(await publish([never, later])).toEqual([])
  expect(await publish([ok, later])).toEqual(['back'])
  expect(await publish([later], AbortSignal.abort())).toEqual([])
  expect(await publish([later, later])).toEqual(['The bus answered 401'])
  expect(await publish([later])).toEqual([])
  expect(await publish([later, ok])).toEqual(['back'])
  expect(await publish([ok])).toEqual([])
})
