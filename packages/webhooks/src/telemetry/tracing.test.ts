import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AlwaysOffSampler, StackContextManager } from '@opentelemetry/sdk-trace'
import { afterEach, describe, expect, it } from 'vitest'
import { client, openGateway, signBody, receivedAt, rung } from '../../test/doorbell.ts'
import { measured, formatTraceparent } from '../../test/telemetry.ts'
import { createMemoryInbox, type WebhookEvent, type Message } from '../index.ts'
import { createTelemetry } from './index.ts'

const sender = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const senderTrace = '4bf92f3577b34da6a3ce929d0e0e4736'
const route = 'POST /webhooks/:provider'
const { signal } = new AbortController()

function getEvent(id: string, traceparent?: string): WebhookEvent {
  return {
    id,
    name: 'doorbell/bell.rung',
    subject: 'front',
    ts: receivedAt,
    data: { door: 'front' },
    source: { provider: 'doorbell', deliveryId: `delivery-${id}`, receivedAt },
    ...(traceparent !== undefined && { trace: { traceparent } }),
  }
}

describe('the span of a delivery', () => {
  it('starts a trace that the events continue', async () => {
    const { telemetry, span } = measured()
    const { deliver, recorded } = openGateway({ tracer: telemetry.tracer })
    expect((await deliver()).status).toBe(200)
    const found = span(route)
    expect(found.kind).toBe(SpanKind.SERVER)
    expect(found.parentSpanContext).toBeUndefined()
    expect(found.status.code).toBe(SpanStatusCode.UNSET)
    expect(found.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/webhooks/:provider',
      'http.response.status_code': 200,
      'url.path': '/webhooks/doorbell',
      'client.address': client,
      'sallyport.provider': 'doorbell',
      'sallyport.outcome': 'accepted',
      'sallyport.delivery.id': recorded[0]?.record.id,
    })
    const [record] = recorded[0]?.record.events ?? []
    expect(record?.event.trace).toEqual({ traceparent: formatTraceparent(found) })
  })

  it('holds no method or provider name that a sender invents', async () => {
    const { telemetry, spans } = measured()
    const { send } = openGateway({ tracer: telemetry.tracer })
    await send({ provider: 'made-up', method: 'BREW' })
    await send({ method: 'PUT' })
    expect(spans().map(({ name }) => name)).toEqual(['_OTHER /webhooks/:provider', 'PUT /webhooks/:provider'])
    expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toMatch(/made-up|BREW/)
  })

  it('links to the trace of the sender after verification without joining it', async () => {
    const { telemetry, spans } = measured()
    const { deliver, send } = openGateway({ tracer: telemetry.tracer })
    await deliver({ headers: { traceparent: sender, tracestate: 'a=b' } })
    await send({ headers: { traceparent: sender } })
    await deliver({ body: rung('2'), headers: { traceparent: 'no trace' } })
    const [verified, refused, invalid] = spans()
    expect(verified?.links.map((link) => link.context.traceId)).toEqual([senderTrace])
    expect(spans().map((span) => span.spanContext().traceId)).not.toContain(senderTrace)
    expect([refused?.links, invalid?.links]).toEqual([[], []])
  })

  it('follows the sampling decision of the receiver', async () => {
    const { telemetry, spans } = measured({ sampler: new AlwaysOffSampler() })
    const { deliver, recorded } = openGateway({ tracer: telemetry.tracer })
    await deliver({ headers: { traceparent: sender } })
    expect(spans()).toEqual([])
    expect(recorded[0]?.record.events[0]?.event.trace?.traceparent).toMatch(
      /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/,
    )
  })

  it('does not affect the detection of duplicates', async () => {
    const { telemetry } = measured()
    const { deliver } = openGateway({ tracer: telemetry.tracer })
    await deliver()
    expect(await deliver({ headers: { traceparent: sender } })).toMatchObject({ said: 'duplicate' })
  })

  it('holds the code of a failure without its message', async () => {
    const { telemetry, span } = measured()
    const failing = new Error('postgres://user:password@host')
    const record = () => Promise.reject(Object.assign(failing, { code: 'ECONNREFUSED' }))
    const { deliver } = openGateway({ tracer: telemetry.tracer, inbox: { ...createMemoryInbox(), record } })
    await deliver()
    const { attributes, status, events } = span(route)
    expect(attributes).toMatchObject({
      'http.response.status_code': 503,
      'error.type': 'ECONNREFUSED',
      'sallyport.code': 'INBOX_UNAVAILABLE',
    })
    expect(status).toEqual({ code: SpanStatusCode.ERROR })
    expect(JSON.stringify([attributes, events])).not.toContain('password')
  })

  it('holds the reason of a rejection without an error status', async () => {
    const { telemetry, span } = measured()
    await openGateway({ tracer: telemetry.tracer }).send()
    const { attributes, status } = span(route)
    expect(attributes).toMatchObject({ 'sallyport.code': 'INVALID_SIGNATURE', 'sallyport.reason': 'missing' })
    expect(status.code).toBe(SpanStatusCode.UNSET)
  })

  it('does not affect the response when the tracer fails', async () => {
    const fail = () => {
      throw new Error('the tracer failed')
    }
    const span = { run: <T>(work: () => T) => work(), end: fail }
    for (const tracer of [{ start: fail }, { start: () => span }]) {
      expect(await openGateway({ tracer }).deliver()).toMatchObject({ status: 200 })
    }
  })

  it('does not exist without an SDK', async () => {
    const { tracer, observe } = createTelemetry({ providers: [] })
    const headers = new Headers({ traceparent: sender })
    const request = { method: 'POST', provider: 'doorbell', headers, readBody: () => Promise.resolve() }
    expect(tracer.start(request)).toBeUndefined()
    const { deliver, recorded } = openGateway({ tracer, observe })
    expect(await deliver({ headers: { traceparent: sender } })).toMatchObject({ status: 200 })
    expect(recorded[0]?.record.events[0]?.event).not.toHaveProperty('trace')
  })

  describe('in a host that traces requests', () => {
    afterEach(() => {
      context.disable()
    })

    it('joins that trace and is active while the gateway handles the request', async () => {
      context.setGlobalContextManager(new StackContextManager().enable())
      const { telemetry, tracerProvider, span } = measured()
      const active: unknown[] = []
      const check = () => {
        active.push(trace.getSpanContext(context.active())?.spanId)
        return 0
      }
      const { gateway } = openGateway({ tracer: telemetry.tracer, limiter: { check, fail: () => 0 } })
      const proof = await signBody(rung())
      const host = tracerProvider.getTracer('host').startSpan('host')
      await context.with(trace.setSpan(context.active(), host), () =>
        gateway.handle({
          method: 'POST',
          provider: 'doorbell',
          headers: new Headers({ ...proof, traceparent: sender }),
          address: client,
          readBody: async (sink) => {
            sink.push(rung())
          },
        }),
      )
      host.end()
      const found = span(route)
      expect(found.kind).toBe(SpanKind.INTERNAL)
      expect(found.parentSpanContext?.spanId).toBe(host.spanContext().spanId)
      expect(active[0]).toBe(found.spanContext().spanId)
    })
  })
})

describe('the span of a batch', () => {
  const first = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const second = '00-1af7651916cd43dd8448eb211c80319c-c7ad6b7169203331-01'
  const ok = { ok: true } as const

  it('joins the trace of a single delivery', async () => {
    const { telemetry, span } = measured()
    const seen: (readonly WebhookEvent[])[] = []
    const publisher = telemetry.publisher(
      {
        publish: async (events) => {
          seen.push(events)
          return events.map(() => ok)
        },
      },
      { system: 'nats' },
    )
    const events = [getEvent('a', first), getEvent('b', first)]
    expect(await publisher.publish(events, signal)).toEqual([ok, ok])
    expect(seen).toEqual([events])
    const { kind, attributes, parentSpanContext, links, status } = span('publish events')
    expect(kind).toBe(SpanKind.PRODUCER)
    expect(parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true })
    expect(links.map((link) => link.context.spanId)).toEqual(['b7ad6b7169203331'])
    expect(status.code).toBe(SpanStatusCode.UNSET)
    expect(attributes).toEqual({
      'messaging.system': 'nats',
      'messaging.operation.name': 'publish',
      'messaging.operation.type': 'send',
      'messaging.batch.message_count': 2,
    })
  })

  it('links to the spans of several deliveries', async () => {
    const { telemetry, span } = measured()
    const publisher = telemetry.publisher({ publish: async (events) => events.map(() => ok) })
    await publisher.publish(
      [getEvent('a', first), getEvent('b', second), getEvent('c'), getEvent('d', 'no trace')],
      signal,
    )
    const { parentSpanContext, links } = span('publish events')
    expect(parentSpanContext).toBeUndefined()
    expect(links.map((link) => link.context.spanId)).toEqual(['b7ad6b7169203331', 'c7ad6b7169203331'])
  })

  it('holds the number of failed events', async () => {
    const { telemetry, span } = measured()
    const bad = { ok: false, retryable: true, error: 'full' } as const
    await telemetry
      .publisher({ publish: async () => [ok, bad] })
      .publish([getEvent('a'), getEvent('b')], signal)
    expect(span('publish events')).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'sallyport.failed_events': 1 },
    })
  })

  it('holds the type of an error that the bus throws, without its message', async () => {
    const { telemetry, span } = measured()
    const failure = new TypeError('nats://user:password@host failed')
    const publisher = telemetry.publisher({ publish: () => Promise.reject(failure) })
    await expect(publisher.publish([getEvent('a')], signal)).rejects.toBe(failure)
    const { attributes, events, status } = span('publish events')
    expect(attributes).toMatchObject({ 'error.type': 'TypeError', 'sallyport.failed_events': 1 })
    expect(JSON.stringify([attributes, events, status])).not.toContain('password')
  })
})

describe('the span of a notification', () => {
  const message: Message = { title: 'The bell', text: 'A guest is at the door', severity: 'info' }

  it('joins the trace of the delivery', async () => {
    const { telemetry, span, metric } = measured()
    const calls: unknown[] = []
    const notifier = telemetry.notifier({
      notify: async (...given) => {
        calls.push(given)
      },
    })
    const event = getEvent('a', sender)
    await notifier.notify(message, event, signal)
    expect(calls).toEqual([[message, event, signal]])
    const { kind, parentSpanContext, attributes } = span('notify operators')
    expect([kind, parentSpanContext?.traceId]).toEqual([SpanKind.CLIENT, senderTrace])
    expect(attributes).toEqual({ 'sallyport.provider': 'doorbell', 'sallyport.delivery.id': 'delivery-a' })
    expect(await metric('sallyport.notify.duration')).toEqual({ 'outcome=sent,provider=doorbell': 1 })
  })

  it('holds the type of an error that the notifier throws', async () => {
    const { telemetry, span, metric } = measured()
    const failure = new Error('failed')
    const notifier = telemetry.notifier({ notify: () => Promise.reject(failure) })
    await expect(notifier.notify(message, getEvent('a'), signal)).rejects.toBe(failure)
    expect(span('notify operators')).toMatchObject({ attributes: { 'error.type': 'Error' } })
    expect(await metric('sallyport.notify.duration')).toEqual({ 'outcome=failed,provider=doorbell': 1 })
  })
})
