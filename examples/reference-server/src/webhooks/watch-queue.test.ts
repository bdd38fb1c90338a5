import { createMemoryInbox, type DeliveryRecord } from '@sallyport/webhooks'
import { expect, it, vi } from 'vitest'
import { watchQueue } from './watch-queue.ts'

function getDelivery(id: string): DeliveryRecord {
  const source = { provider: 'codehost', deliveryId: id, receivedAt: 1000 }
  const event = { id: `codehost:${id}`, name: 'codehost/a.b', subject: 'a', ts: 1000, data: {}, source }
  const events = [{ event, route: 'queue', notify: false }] as const
  return { id, provider: 'codehost', receivedAt: 1000, headers: {}, body: new Uint8Array(1), events }
}

async function situation() {
  let time = 0
  const inbox = createMemoryInbox()
  const log = { warn: vi.fn(), info: vi.fn() }
  const watch = watchQueue(inbox, log, () => time)
  await inbox.record(getDelivery('lost'))
  const [claimed] = await inbox.claim('publish', { limit: 1, leaseMs: 1000 })
  await inbox.settle('publish', [
    {
      id: 'codehost:lost',
      lease: claimed?.lease ?? '',
      outcome: { status: 'queued', redeliverAfterMs: 600_000 },
    },
  ])
  return {
    ...{ inbox, log, watch },
    checkAfter: (milliseconds: number) => {
      time += milliseconds
      return watch.check()
    },
  }
}

it('reports a queue whose oldest event no drainer receives, with the request that sends it again', async () => {
  const { log, watch, checkAfter } = await situation()
  await checkAfter(10_000)
  await checkAfter(29_999)
  expect(watch.notices()).toEqual([])
  await checkAfter(1)
  await checkAfter(10_000)
  expect(watch.notices()).toEqual([
    expect.stringMatching(/QUEUE_URL.*POST \/api\/v1\/replays \{"status":"queued"\}/),
  ])
  expect(log.warn).toHaveBeenCalledTimes(1)
  watch.close()
})

it('ends the notice when the event is sent again', async () => {
  const { inbox, log, watch, checkAfter } = await situation()
  await checkAfter(0)
  await checkAfter(30_000)
  expect(watch.notices()).toHaveLength(1)
  await inbox.replay({ filter: { status: 'queued' }, limit: 10 })
  expect(await inbox.claim('publish', { limit: 1, leaseMs: 1000 })).toHaveLength(1)
  await checkAfter(10_000)
  expect(watch.notices()).toEqual([])
  expect(log.info).toHaveBeenCalledTimes(1)
  watch.close()
})

it('reports nothing while the queue makes progress or the inbox is unavailable', async () => {
  const { inbox, watch, checkAfter } = await situation()
  await checkAfter(0)
  await inbox.postponed([{ id: 'codehost:lost', error: 'The bus does not answer' }])
  await checkAfter(60_000)
  await inbox.close()
  await checkAfter(60_000)
  expect(watch.notices()).toEqual([])
  watch.close()
})
