import type { InternalEvent, PublishResult } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { watched } from './watched.ts'

const source = { provider: 'doorbell', deliveryId: '', receivedAt: 0 }
const event: InternalEvent = { id: 'a', name: 'doorbell/rung', subject: '', ts: 0, data: {}, source }
const ok: PublishResult = { ok: true }
const later: PublishResult = { ok: false, retryable: true, error: 'The bus answered 401' }
const never: PublishResult = { ok: false, retryable: false, error: 'The bus answered 400' }

it('tells once that a bus takes nothing, and once that it takes something again', async () => {
  const told: string[] = []
  let results: readonly PublishResult[] = []
  const publisher = watched(
    { publish: () => Promise.resolve(results) },
    {
      onUnavailable: (error) => told.push((error as Error).message),
      onAvailable: () => told.push('back'),
    },
  )
  const publish = async (answer: readonly PublishResult[], signal = new AbortController().signal) => {
    results = answer
    expect(await publisher.publish([event], signal)).toBe(answer)
    return told.splice(0)
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
