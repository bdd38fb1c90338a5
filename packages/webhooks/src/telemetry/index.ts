/**
 * Traces and metrics of the gateway and the dispatcher through the API of OpenTelemetry. Only this entry needs
 * `@opentelemetry/api`.
 *
 * @module
 */
import {
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Histogram,
  type MeterProvider,
  type TracerProvider,
} from '@opentelemetry/api'
import type { GatewayInbox } from '../ports/ports.ts'
import { createInstruments, createKindLabels, observeConsumers, observeInbox } from './metrics.ts'
import { observeProcess } from './process-metrics.ts'
import { observeReconciliations } from './reconcile-metrics.ts'
import { observeSubscriptions } from './subscription-metrics.ts'
import type { Telemetry } from './telemetry.ts'
import { createDeliveryTracer, runInEventsSpan } from './tracing.ts'

export type { Telemetry } from './telemetry.ts'

export interface TelemetryOptions {
  /** The registered providers. Other names become `unknown`, which keeps the number of time series small. */
  readonly providers: Iterable<{ readonly name: string }>
  /** @default the global meter provider of `@opentelemetry/api`; without one, metrics are off */
  readonly meterProvider?: MeterProvider
  /** @default the global tracer provider of `@opentelemetry/api`; without one, traces are off */
  readonly tracerProvider?: TracerProvider
  /** The route of the gateway in its host, for span names. @default '/webhooks/:provider' */
  readonly route?: string
  /** A monotonic clock for durations, in milliseconds. @default performance.now */
  readonly clock?: () => number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/**
 * Creates traces and metrics through the API of OpenTelemetry. The package's README lists names and attributes.
 *
 * Attributes of metrics are names of registered providers, fixed words, and at most twenty kinds of ignored deliveries
 * per provider. No attribute holds a body, a secret, an address or the message of an error.
 *
 * @example
 * ```ts
 * import { createDispatcher, createGateway, createMemoryBus, createMemoryInbox, staticSecrets, type AnyProvider } from '@sallyport/webhooks'
 * import { createTelemetry } from '@sallyport/webhooks/telemetry'
 *
 * declare const codehost: AnyProvider
 * const telemetry = createTelemetry({ providers: [codehost] })
 * const inbox = telemetry.inbox(createMemoryInbox())
 * const dispatcher = createDispatcher({
 *   inbox,
 *   publisher: telemetry.publisher(createMemoryBus()),
 *   onAttempt: telemetry.onAttempt,
 * })
 * export const gateway = createGateway({
 *   providers: [codehost],
 *   secrets: staticSecrets({ codehost: ['the secret of the webhook'] }),
 *   inbox,
 *   dispatcher,
 *   tracer: telemetry.tracer,
 *   observe: telemetry.observe,
 * })
 * telemetry.watch(inbox)
 * dispatcher.start()
 * ```
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { meterProvider = metrics.getMeterProvider(), tracerProvider = trace.getTracerProvider() } = options
  const { route = '/webhooks/:provider', now = Date.now, clock = () => performance.now() } = options
  const meter = meterProvider.getMeter('@sallyport/webhooks')
  const tracer = tracerProvider.getTracer('@sallyport/webhooks')
  const instruments = createInstruments(meter)
  const kindLabel = createKindLabels()
  const registered = new Set(Array.from(options.providers, ({ name }) => name))
  const providerLabel = (name: string) => (registered.has(name) ? name : 'unknown')

  /** Runs work and records its duration with the outcome: `success`, or `failed` when the work rejects. */
  async function time<T>(
    duration: Histogram,
    attributes: Attributes,
    success: string,
    work: () => Promise<T>,
  ) {
    const startedAt = clock()
    let outcome = 'failed'
    try {
      const result = await work()
      outcome = success
      return result
    } finally {
      duration.record((clock() - startedAt) / 1000, { ...attributes, outcome })
    }
  }

  return {
    tracer: createDeliveryTracer(tracer, route),
    observe({ provider: name, outcome, code, reason, kind, narrowed = [], durationMs }) {
      const provider = providerLabel(name)
      instruments.deliveries.add(1, { provider, outcome })
      instruments.deliveryDuration.record(durationMs / 1000, { provider, outcome })
      if (outcome === 'ignored') instruments.ignored.add(1, { provider, kind: kindLabel(provider, kind) })
      for (const one of narrowed) instruments.narrowed.add(1, { provider, kind: kindLabel(provider, one) })
      // A failure that reaches the limit has the code RATE_LIMITED, and still counts as a failure.
      if (outcome === 'refused' && reason !== undefined && verificationReasons.has(reason)) {
        instruments.verificationFailures.add(1, { provider, reason })
      }
      if (code === 'RATE_LIMITED') instruments.limiterBlocks.add(1, { provider })
    },
    onUnprocessedDropped(outcome, cause) {
      instruments.unprocessedDropped.add(1, { outcome, cause })
    },
    onCountsDropped(requests) {
      instruments.countsDropped.add(requests)
    },
    onAttempt({ work, event, destination, outcome: { status } }) {
      const { provider: name, receivedAt } = event.source
      const labels = { provider: providerLabel(name), ...(destination !== undefined && { destination }) }
      instruments.attempts.add(1, { ...labels, work, outcome: status })
      if (status === 'dead') instruments.deadLetters.add(1, { ...labels, work })
      if (status === 'done' && work === 'publish') {
        instruments.publishLag.record(Math.max(0, now() - receivedAt) / 1000, labels)
      }
    },
    onFiltered(destination, { source }) {
      instruments.filtered.add(1, { destination, provider: providerLabel(source.provider) })
    },
    inbox(inbox) {
      const record: GatewayInbox['record'] = (delivery, recordOptions) =>
        time(instruments.recordDuration, { provider: providerLabel(delivery.provider) }, 'recorded', () =>
          inbox.record(delivery, recordOptions),
        )
      // Methods are bound to the inbox for classes with private members. The target is a copy, because a proxy of a
      // frozen object must return the object's own members.
      return new Proxy(
        { ...inbox },
        {
          get(_, name) {
            if (name === 'record') return record
            const member: unknown = Reflect.get(inbox, name, inbox)
            return typeof member === 'function' ? (member.bind(inbox) as unknown) : member
          },
        },
      )
    },
    publisher: (publisher, { system = 'sallyport' } = {}) => ({
      publish(events, signal) {
        const attributes = {
          'messaging.system': system,
          'messaging.operation.name': 'publish',
          'messaging.operation.type': 'send',
          'messaging.batch.message_count': events.length,
        }
        const span = { name: 'publish events', kind: SpanKind.PRODUCER, attributes, events }
        return runInEventsSpan(tracer, span, async (active) => {
          const startedAt = clock()
          let failed = events.length
          try {
            const results = await publisher.publish(events, signal)
            failed = events.filter((_, index) => results[index]?.ok !== true).length
            return results
          } finally {
            const outcome = failed > 0 ? 'failed' : 'published'
            instruments.publishDuration.record((clock() - startedAt) / 1000, { outcome })
            if (failed > 0) {
              active.setAttribute('sallyport.failed_events', failed).setStatus({ code: SpanStatusCode.ERROR })
            }
          }
        })
      },
    }),
    runHandler(event, run) {
      const provider = providerLabel(event.source.provider)
      const attributes = {
        'messaging.system': 'sallyport',
        'messaging.operation.name': 'handle',
        'messaging.operation.type': 'process',
        'sallyport.provider': provider,
        'sallyport.delivery.id': event.source.deliveryId,
      }
      const span = { name: 'handle event', kind: SpanKind.CONSUMER, attributes, events: [event] }
      return runInEventsSpan(tracer, span, () =>
        time(instruments.handleDuration, { provider }, 'handled', run),
      )
    },
    notifier: (notifier) => ({
      notify(message, event, signal) {
        const provider = providerLabel(event.source.provider)
        const attributes = {
          'sallyport.provider': provider,
          'sallyport.delivery.id': event.source.deliveryId,
        }
        const span = { name: 'notify operators', kind: SpanKind.CLIENT, attributes, events: [event] }
        return runInEventsSpan(tracer, span, () =>
          time(instruments.notifyDuration, { provider }, 'sent', () =>
            notifier.notify(message, event, signal),
          ),
        )
      },
    }),
    watch: (inbox) => observeInbox(meter, inbox, now),
    watchSubscriptions: (subscriptions) => observeSubscriptions(meter, subscriptions),
    watchReconciliations: (reconciler) => observeReconciliations(meter, reconciler),
    watchConsumers: (consumers) => observeConsumers(meter, consumers, now),
    watchProcess: (process) => observeProcess(meter, process),
  }
}

const verificationReasons: ReadonlySet<string> = new Set(['missing', 'malformed', 'mismatch', 'expired'])
