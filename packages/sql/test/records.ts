import type { DeliveryRecord } from '@sallyport/webhooks'
import { randomUUID } from 'node:crypto'

/** A delivery of one event. */
export function getDelivery(key: string, changes: Partial<DeliveryRecord> = {}): DeliveryRecord {
  const id = randomUUID()
  const source = { provider: 'doorbell', deliveryId: id, receivedAt: 1000 }
  const event = {
    id: key,
    name: 'doorbell/bell.rung',
    subject: 'front',
    ts: 1000,
    data: { door: 'front' },
    source,
  }
  const body = Buffer.from(JSON.stringify({ door: 'front' }).padEnd(2000))
  const events = [{ event, route: 'direct', notify: true }] as const
  return { id, provider: 'doorbell', receivedAt: 1000, headers: {}, body, events, ...changes }
}
