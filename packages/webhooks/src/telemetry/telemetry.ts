import { metrics, trace, type MeterProvider, type TracerProvider } from '@opentelemetry/api'
import type {
  Attempt,
  DeliveryTracer,
  GatewayInbox,
  Notifier,
  Observation,
  OperatorInbox,
  Publisher,
} from '@sallyport/webhooks'
import { deliveryTracer } from './delivery-tracer.ts'
import { watchInbox } from './inbox-gauges.ts'
import { createInstruments } from './instruments.ts'
import { tracedNotifier } from './notifier.ts'
import { kindNames, providerNames } from './provider-names.ts'
import { tracedPublisher, type TracedPublisherOptions } from './publisher.ts'
import { timedInbox } from './timed-inbox.ts'

export interface TelemetryOptions {
  /** The registered providers: every other name becomes `unknown`, so that nobody can invent values. */
  readonly providers: Iterable<{ readonly name: string }>
  /** @default the one that is registered with `@opentelemetry/api`; without one, nothing is measured */
  readonly meterProvider?: MeterProvider
  /** @default the one that is registered with `@opentelemetry/api`; without one, nothing is traced */
  readonly tracerProvider?: TracerProvider
  /** The route of the gateway in its host, for the names of spans. @default '/webhooks/:provider' */
  readonly route?: string
  /** A clock for durations, in milliseconds. @default performance.now */
  readonly clock?: () => number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** Hooks for a gateway and a dispatcher, and ports that measure what goes through them. */
export interface Telemetry {
  /** Traces deliveries: the gateway's `tracer`. */
  readonly tracer: DeliveryTracer
  /** Counts deliveries: the gateway's `observe`. */
  readonly observe: (observation: Observation) => void
  /** Counts attempts: the dispatcher's `onAttempt`. */
  readonly onAttempt: (attempt: Attempt) => void
  /** The inbox with its `record` timed. */
  readonly inbox: <T extends GatewayInbox>(inbox: T) => T
  /** The bus with its batches traced and timed. */
  readonly publisher: (publisher: Publisher, options?: TracedPublisherOptions) => Publisher
  /** The notifier with its messages traced and timed. */
  readonly notifier: (notifier: Notifier) => Notifier
  /** Gauges of what an inbox holds, asked for when metrics are collected. Answers a function that ends it. */
  readonly watch: (inbox: Pick<OperatorInbox, 'stats'>) => () => void
}

/**
 * Traces and metrics through the API of OpenTelemetry; names and attributes are in the package's README.
 *
 * Attributes of metrics are names of registered providers, words of the kit, and at most twenty kinds of ignored
 * deliveries per provider. None holds a body, a secret, an address
 * or the message of an error.
 *
 * @example
 * ```ts
 * import { createDispatcher, createGateway, memoryBus, memoryInbox, staticSecrets } from '@sallyport/webhooks'
 * import type { AnyProvider } from '@sallyport/webhooks'
 * import { createTelemetry } from '@sallyport/webhooks/telemetry'
 *
 * declare const codehost: AnyProvider
 * const telemetry = createTelemetry({ providers: [codehost] })
 * const inbox = telemetry.inbox(memoryInbox())
 * const dispatcher = createDispatcher({
 *   inbox,
 *   publisher: telemetry.publisher(memoryBus()),
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
  const nameOf = providerNames(options.providers)
  const kindOf = kindNames()

  return {
    tracer: deliveryTracer(tracer, route),
    observe({ provider: name, outcome, code, reason, kind, durationMs }) {
      const provider = nameOf(name)
      instruments.deliveries.add(1, { provider, outcome })
      instruments.deliveryDuration.record(durationMs / 1000, { provider, outcome })
      if (outcome === 'ignored') instruments.ignored.add(1, { provider, kind: kindOf(provider, kind) })
      // The failure that was one too many is answered as a block, and is a failure nonetheless.
      if (outcome === 'refused' && reason !== undefined && verificationReasons.has(reason)) {
        instruments.verificationFailures.add(1, { provider, reason })
      }
      if (code === 'RATE_LIMITED') instruments.limiterBlocks.add(1, { provider })
    },
    onAttempt({ work, event, outcome: { status } }) {
      const { provider: name, receivedAt } = event.source
      const provider = nameOf(name)
      instruments.attempts.add(1, { provider, work, outcome: status })
      if (status === 'dead') instruments.deadLetters.add(1, { provider, work })
      if (status === 'done' && work === 'publish') {
        instruments.publishLag.record(Math.max(0, now() - receivedAt) / 1000, { provider })
      }
    },
    inbox: (inbox) => timedInbox(inbox, nameOf, instruments.recordDuration, clock),
    publisher: (publisher, how = {}) =>
      tracedPublisher(publisher, how, tracer, instruments.publishDuration, clock),
    notifier: (notifier) => tracedNotifier(notifier, nameOf, tracer, instruments.notifyDuration, clock),
    watch: (inbox) => watchInbox(meter, inbox, now),
  }
}

const verificationReasons: ReadonlySet<string> = new Set(['missing', 'malformed', 'mismatch', 'expired'])
