import { describe, expect, it, vi } from 'vitest'
import { createMessage, openGateway } from '../../../test/aws/deliveries.ts'
import { createDeliveryHandler } from './index.ts'

const minute = 60_000
const sentAt = Date.UTC(2026, 0)

const record = (messageId: string, body: string, time = sentAt) => ({
  ...{ messageId, body },
  attributes: { SentTimestamp: String(time), ApproximateReceiveCount: '1' },
})

describe('createDeliveryHandler', () => {
  it('verifies a delivery that waited in the queue at the time at which the queue received it', async () => {
    const { gateway, inbox } = openGateway({ now: () => sentAt + 3 * 24 * 60 * minute })
    const handler = createDeliveryHandler(gateway)
    const inTime = await createMessage(
      { kind: 'rung', id: '1' },
      { time: sentAt - minute, requestedAt: sentAt },
    )
    const late = await createMessage(
      { kind: 'rung', id: '2' },
      { time: sentAt - 60 * minute, requestedAt: sentAt },
    )
    const onRefused = vi.fn()
    expect(await handler({ Records: [record('a', inTime)] })).toEqual({ batchItemFailures: [] })
    expect(await createDeliveryHandler(gateway, { onRefused })({ Records: [record('b', late)] })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'b' }],
    })
    expect(onRefused.mock.calls).toEqual([[{ messageId: 'b', status: 401, code: 'INVALID_SIGNATURE' }]])
    const [delivery, ...others] = await inbox.list({ limit: 10 })
    expect([delivery?.receivedAt, others]).toEqual([sentAt, []])
  })

  describe('after a redrive, which gives a message a new time', () => {
    const requestedAt = sentAt - 3 * 24 * 60 * minute
    const openHandler = () => {
      const { gateway, inbox } = openGateway({ now: () => sentAt + minute })
      const list = () => inbox.list({ limit: 10 })
      return { list, handler: createDeliveryHandler(gateway) }
    }

    it('verifies a delivery at the time of its request, in both payload formats', async () => {
      const { handler, list } = openHandler()
      const options = { time: requestedAt, requestedAt }
      const one = await createMessage({ kind: 'rung', id: '1' }, options)
      const {
        httpMethod: method,
        path: rawPath,
        headers,
        ...rest
      } = JSON.parse(await createMessage({ kind: 'rung', id: '2' }, options)) as Record<string, unknown>
      const requestContext = { http: { method }, stage: 'prod', timeEpoch: requestedAt }
      const two = JSON.stringify({ ...rest, rawPath, headers, requestContext })
      expect(await handler({ Records: [record('a', one), record('b', two)] })).toEqual({
        batchItemFailures: [],
      })
      expect((await list()).map(({ receivedAt }) => receivedAt)).toEqual([requestedAt, requestedAt])
    })

    it.each([...[sentAt + 1, 0, -1, 0.5, null, true, 'text', String(requestedAt)], Number.MAX_SAFE_INTEGER])(
      'ignores the time %j, and verifies at the time of the queue',
      async (given) => {
        const { handler, list } = openHandler()
        const message = await createMessage({ kind: 'rung', id: '1' }, { time: sentAt, requestedAt: given })
        expect(await handler({ Records: [record('a', message)] })).toEqual({ batchItemFailures: [] })
        expect(await list()).toMatchObject([{ receivedAt: sentAt }])
      },
    )

    it('ignores the time of a request when the time of the queue is unknown', async () => {
      const { handler, list } = openHandler()
      const old = await createMessage({ kind: 'rung', id: '1' }, { time: requestedAt, requestedAt })
      expect(await handler({ Records: [{ messageId: 'a', body: old }] })).toEqual({
        batchItemFailures: [{ itemIdentifier: 'a' }],
      })
      expect(await list()).toEqual([])
    })
  })

  it('returns refused and postponed messages, and no others', async () => {
    const { gateway } = openGateway({ now: () => sentAt })
    const onRefused = vi.fn()
    const handler = createDeliveryHandler(gateway, { onRefused })
    const options = { time: sentAt }
    const Records = [
      record('taken', await createMessage({ kind: 'rung', id: '1' }, options)),
      record('ignored', await createMessage({ kind: 'other', id: '2' }, options)),
      record('quarantined', await createMessage({ kind: 'broken', id: '3' }, options)),
      record('forged', await createMessage({ kind: 'rung', id: '4' }, { ...options, isForged: true })),
      record(
        'unknown',
        await createMessage({ kind: 'rung', id: '5' }, { ...options, path: '/webhooks/other' }),
      ),
      record('text', 'private text'),
      record('object', '{"private":1}'),
    ]
    const { batchItemFailures } = await handler({ Records })
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual([
      ...['forged', 'unknown', 'text', 'object'],
    ])
    const refusals = onRefused.mock.calls.map(([refused]) => refused as { messageId: string })
    expect(refusals.sort((one, other) => (one.messageId < other.messageId ? -1 : 1))).toEqual([
      { messageId: 'forged', status: 401, code: 'INVALID_SIGNATURE' },
      { messageId: 'object', code: 'NOT_A_REQUEST' },
      { messageId: 'text', code: 'NOT_A_REQUEST' },
      { messageId: 'unknown', status: 404, code: 'UNKNOWN_PROVIDER' },
    ])
  })

  it('returns all messages while the inbox is unavailable, without a refusal', async () => {
    const { gateway, inbox } = openGateway({ now: () => sentAt })
    vi.spyOn(inbox, 'record').mockRejectedValue(new Error('unavailable'))
    const onRefused = vi.fn()
    const message = await createMessage({ kind: 'rung', id: '1' }, { time: sentAt })
    const response = await createDeliveryHandler(gateway, { onRefused })({ Records: [record('a', message)] })
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'a' }] })
    expect(onRefused).not.toHaveBeenCalled()
  })

  it('blocks no address after refused deliveries', async () => {
    const { gateway } = openGateway({ now: () => sentAt })
    const handler = createDeliveryHandler(gateway)
    const forged = await createMessage({ kind: 'rung', id: '1' }, { time: sentAt, isForged: true })
    for (let index = 0; index < 30; index++) await handler({ Records: [record('forged', forged)] })
    const message = await createMessage({ kind: 'rung', id: '1' }, { time: sentAt })
    expect(await handler({ Records: [record('a', message)] })).toEqual({ batchItemFailures: [] })
  })
})
