import type { WebhookEvent, PublishResult } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { monitorPublisher, createOriginPing } from './http.ts'
import { openReceiver } from '@sallyport/test-support/hosts'

const source = { provider: 'doorbell', deliveryId: '', receivedAt: 0 }
const event: WebhookEvent = { id: 'a', name: 'doorbell/rung', subject: '', ts: 0, data: {}, source }
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

it('accepts any response, caches the result and sends no key', async () => {
  let time = 0
  const receiver = await openReceiver(404)
  const ping = createOriginPing(`${receiver.url}/e/the-key?x`, { everyMs: 1000, now: () => time })
  await Promise.all([ping(), ping()])
  time = 999
  await ping()
  expect(receiver.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['HEAD /'])
  await receiver.close()
  time = 1000
  await expect(ping()).rejects.toThrow(/^No answer over HTTP(: [A-Z_]+)?$/)
})
