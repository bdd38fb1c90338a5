import type { DeliveryDetail } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { toDetail } from './show.ts'

const delivery: DeliveryDetail = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  provider: 'codehost',
  receivedAt: 0,
  sequence: 1,
  status: 'dead',
  bodyState: 'stored',
  bodyBytes: 3,
  attempts: 0,
  headers: {},
  events: [],
}
const getBody = (...bytes: number[]) => toDetail({ ...delivery, body: Uint8Array.of(...bytes) }).body

it('shows a UTF-8 body as text with its byte order mark, and other bytes as base64', () => {
  expect(getBody(0x7b, 0x7d)).toEqual({ encoding: 'utf-8', data: '{}' })
  expect(getBody(0xef, 0xbb, 0xbf, 0x41)).toEqual({ encoding: 'utf-8', data: '\ufeffA' })
  expect(getBody(0x41, 0xff)).toEqual({ encoding: 'base64', data: 'Qf8=' })
  expect(getBody()).toEqual({ encoding: 'utf-8', data: '' })
  expect(toDetail({ ...delivery, bodyState: 'pruned' }).body).toBe(null)
})

it('shows failed attempts and counts the successful one', () => {
  const failures = [{ at: 1000, error: 'TimeoutError' }]
  const event = {
    id: 'codehost:a:1',
    name: 'codehost/a',
    subject: 's',
    ts: 0,
    data: undefined,
    source: { provider: 'codehost', deliveryId: delivery.id, receivedAt: 0 },
  }
  const notification = { status: 'pending', attempts: 2, dueAt: 5000, failures } as const
  const published = {
    event,
    route: 'queue',
    status: 'published',
    attempts: 1,
    failures,
    publishedAt: 2000,
  } as const
  const dead = { event, route: 'direct', status: 'dead', attempts: 3, failures: [] } as const
  const { events } = toDetail({ ...delivery, events: [{ ...published, notification }, dead] })
  const shown = [{ at: '1970-01-01T00:00:01.000Z', error: 'TimeoutError' }]
  expect(events).toMatchObject([
    {
      route: 'queue',
      state: 'published',
      attempts: 2,
      failures: shown,
      published_at: '1970-01-01T00:00:02.000Z',
      notification: { state: 'pending', attempts: 2, due_at: '1970-01-01T00:00:05.000Z', failures: shown },
    },
    { route: 'direct', state: 'dead', attempts: 3, failures: [], published_at: null, notification: null },
  ])
})
