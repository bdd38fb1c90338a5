import { describe, expect, it, vi } from 'vitest'
import { createEvent } from '../../../test/aws/aws-server.ts'
import { createSqsHandler, decodeMessage } from './index.ts'
import type { SqsRecord } from './handler.ts'

const record = (id: string, body: unknown = createEvent(id), group?: string): SqsRecord => ({
  messageId: id,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  attributes: { ApproximateReceiveCount: '1', ...(group !== undefined && { MessageGroupId: group }) },
})

const failures = (...ids: readonly string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
})

describe('createSqsHandler', () => {
  it('returns the messages whose handler failed, and those that are no events', async () => {
    const handled: string[] = []
    const onError = vi.fn()
    const handler = createSqsHandler(
      ({ id }) => {
        if (id === 'b') throw new Error('failed')
        handled.push(id)
      },
      { onError },
    )
    const Records = [record('a'), record('b'), record('c', 'private text'), record('d', {}), record('e')]
    expect(await handler({ Records })).toEqual(failures('b', 'c', 'd'))
    expect(handled).toEqual(['a', 'e'])
    expect(onError.mock.calls).toEqual([
      [new Error('failed'), expect.objectContaining({ id: 'b' })],
      [new TypeError('The message is not an event'), undefined],
      [new TypeError('The message is not an event'), undefined],
    ])
  })

  it('keeps the order of each group of a FIFO queue, also after a failure', async () => {
    const handled: string[] = []
    const handler = createSqsHandler(async ({ id }) => {
      await new Promise((resolve) => setTimeout(resolve, id === '1' ? 10 : 0))
      if (id === '3') throw new Error('failed')
      handled.push(id)
    })
    const Records = [
      ...[record('1', undefined, 'a'), record('2', undefined, 'a'), record('3', undefined, 'b')],
      ...[record('4', undefined, 'b'), record('5', undefined, 'a')],
    ]
    expect(await handler({ Records })).toEqual(failures('3', '4'))
    expect(handled).toEqual(['1', '2', '5'])
  })
})

describe('decodeMessage', () => {
  const event = createEvent('doorbell:1')

  it.each([
    ['an event', event],
    ['the envelope of SNS', { Type: 'Notification', MessageId: 'm', Message: JSON.stringify(event) }],
    ['the envelope of EventBridge', { version: '0', 'detail-type': event.name, detail: event }],
  ])('decodes %s', (_, body) => {
    expect(decodeMessage(JSON.stringify(body))).toEqual(event)
  })

  it('decodes a CloudEvent', () => {
    const cloudEvent = { specversion: '1.0', id: '1', type: 'doorbell/bell.rung', source: '/doorbell' }
    expect(decodeMessage(JSON.stringify(cloudEvent))).toMatchObject({ id: '1', name: 'doorbell/bell.rung' })
  })

  it.each(['', 'null', '{', '{"detail":{}}', '{"Type":"Notification","Message":"x"}'])(
    'rejects %s without quoting it',
    (body) => {
      expect(() => decodeMessage(body)).toThrow(new TypeError('The message is not an event'))
    },
  )
})
