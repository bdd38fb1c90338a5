import type { StandardSchemaV1 } from '@standard-schema/spec'
import { refuseUnlimited } from '../gateway/body-budget.ts'
import type { DeliveryHeaders, VerifiedDelivery } from '../ports/delivery.ts'
import type { InternalEvent, Message } from '../ports/event.ts'
import type { JsonEvents } from './json-data.ts'
import type { MaybePromise, SignatureScheme } from '../ports/ports.ts'

/**
 * The kinds of event that a provider produces, each with the schema of its data: what JSON gives back as it was, such as
 * texts for dates and arrays for sets.
 */
export type EventSchemas = Readonly<Record<string, StandardSchemaV1>>

/** One event that a normalizer found in a delivery. */
export type NormalizedEvent<Events extends EventSchemas = EventSchemas> = {
  [Kind in keyof Events & string]: {
    readonly kind: Kind
    /**
     * The signed parts that tell this event from every other of its kind, and that a redelivery repeats. Never the
     * entity's id alone, a time of receipt or an id of the attempt. Parts that are empty may stand beside others; where
     * all are, the delivery is quarantined, as all events would have one key. Ids are texts: a number beyond
     * `Number.MAX_SAFE_INTEGER` was rounded when it was parsed, and quarantines the delivery. Without a key, or with one of no parts, the
     * hash of the signed body serves: where a service signs an id in a header and sends equal bodies, the id belongs here.
     */
    readonly key?: readonly (string | number)[]
    /** The entity that it is about. */
    readonly subject: string
    /** When it happened, in milliseconds since the epoch, up to the year 9999. @default the time of receipt */
    readonly occurredAt?: number
    readonly data: StandardSchemaV1.InferInput<Events[Kind]>
  }
}[keyof Events & string]

/** An event of one of a provider's kinds, its data as the schema gives it. */
export type ProviderEvent<Events extends EventSchemas, Name extends string = string> = {
  [Kind in keyof Events & string]: InternalEvent<StandardSchemaV1.InferOutput<Events[Kind]>> & {
    readonly name: `${Name}/${Kind}`
  }
}[keyof Events & string]

/** A challenge by which a service makes sure that an address is ready for its deliveries. */
export interface HandshakeRequest {
  readonly method: 'GET' | 'POST'
  readonly query: URLSearchParams
  readonly headers: DeliveryHeaders
  readonly body: Uint8Array
  /** Whether the signature of this very request holds, under any of the provider's secrets or under those given. */
  readonly verify: (secrets?: readonly string[]) => Promise<boolean>
  readonly secrets: readonly string[]
}

export interface HandshakeAnswer {
  readonly contentType: 'text/plain' | 'application/json'
  /** At most 1 KB. */
  readonly body: string
  /** Whether the body holds a signature; such an answer counts against the address like a failure. @default false */
  readonly signed?: boolean
}

export interface Handshake {
  /** The methods that challenges come by. */
  readonly methods: readonly ('GET' | 'POST')[]
  /**
   * Answers a challenge; undefined when the request is none, and the delivery goes its way. An answer that is signed
   * may only ever sign text that could not be a delivery.
   */
  answer(request: HandshakeRequest): MaybePromise<HandshakeAnswer | undefined>
}

/** A service that sends webhooks: how it signs them and what its deliveries mean. */
export interface Provider<Events extends EventSchemas = EventSchemas, Name extends string = string> {
  /** The path segment, and the first part of every event's name: lower case, digits and dashes. */
  readonly name: Name
  readonly signature: SignatureScheme
  readonly events: Events
  /**
   * The events in a delivery; none when it is of a kind that nobody asked for. Throws when a delivery of a known
   * kind cannot be read: the delivery is then kept in quarantine. Never async: what it needs is in the delivery.
   */
  normalize(delivery: VerifiedDelivery): NormalizedEvent<Events> | readonly NormalizedEvent<Events>[]
  /** Reads the signed bytes; never async, like `normalize`. @default strict UTF-8 JSON */
  readonly parse?: ((body: Uint8Array) => unknown) | undefined
  /**
   * Reads the service's own name of what happened, such as `star.created`, from a verified delivery: the log and the
   * metric of an ignored delivery have it. A name that is not of 1 to 64 letters, digits and `_ . : -` is left out.
   */
  readonly readKind?: ((delivery: VerifiedDelivery) => string | undefined) | undefined
  readonly handshake?: Handshake
  /** What a person should read about an event; undefined when it is not worth a message. */
  notify?(event: ProviderEvent<Events>): Message | undefined
  /** The largest body in bytes that the service sends. @default the gateway's own limit */
  readonly bodyLimit?: number
  /** The `Content-Encoding`s that are signed as sent. @default none */
  readonly contentEncodings?: readonly string[]
  /** The kinds that may travel through the shared queue. @default none */
  readonly queueable?: readonly (keyof Events & string)[]
}

/** Any provider, for code that treats them alike. */
export type AnyProvider = Omit<Provider, 'normalize' | 'notify' | 'queueable'> & {
  normalize(delivery: VerifiedDelivery): NormalizedEvent | readonly NormalizedEvent[]
  notify?(event: never): Message | undefined
  readonly queueable?: readonly string[]
}

/** Nothing is assignable where a promise is returned. */
type AtOnce<Payload> = Payload extends PromiseLike<unknown> ? never : unknown

const namePattern = /^[a-z][a-z0-9-]{0,62}$/
const kindPattern = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/

/**
 * Declares a provider, so that `normalize` can return only declared kinds with data that fits their schemas.
 *
 * A schema whose data is typed as what JSON makes something else of (a `Date`, `Set`, `Map`, bigint or function) does not
 * compile: inboxes keep data as JSON, and a retry would get other data than the first attempt.
 *
 * What it returns is a frozen copy; an object that inherits from another, or is of a class, comes back as
 * it is, with its methods and its state.
 *
 * @throws TypeError when a name or kind is malformed, a queueable kind is not declared, or the limit of a body is no
 *   positive number
 *
 * @example
 * ```ts
 * import { defineProvider, hmac } from '@sallyport/webhooks'
 * import { z } from 'zod'
 *
 * const payload = z.object({ id: z.string(), door: z.string() })
 *
 * export const doorbell = defineProvider({
 *   name: 'doorbell',
 *   signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
 *   events: { 'bell.rung': z.object({ door: z.string() }) },
 *   normalize(delivery) {
 *     const { id, door } = payload.parse(delivery.payload)
 *     return { kind: 'bell.rung', key: [id], subject: door, data: { door } }
 *   },
 * })
 * ```
 */
export function defineProvider<
  const Events extends EventSchemas,
  const Name extends string = string,
  Payload = unknown,
>(
  provider: Provider<Events, Name> & {
    readonly events: JsonEvents<Events>
    readonly parse?: ((body: Uint8Array) => Payload & AtOnce<Payload>) | undefined
  },
): Provider<NoInfer<Events>, Name> {
  if (!namePattern.test(provider.name)) {
    throw new TypeError(`A provider's name is of a-z, 0-9 and dashes, not "${provider.name}"`)
  }
  for (const kind of Object.keys(provider.events)) {
    if (!kindPattern.test(kind)) {
      throw new TypeError(`A kind of ${provider.name} reads like "entity.happened", not "${kind}"`)
    }
  }
  for (const kind of provider.queueable ?? []) {
    if (!Object.hasOwn(provider.events, kind)) {
      throw new TypeError(`The queueable kind "${kind}" is not among the events`)
    }
  }
  const { bodyLimit = 1 } = provider
  refuseUnlimited('bodyLimit', bodyLimit)
  // A copy would lack what is inherited.
  return Object.getPrototypeOf(provider) === Object.prototype ? Object.freeze({ ...provider }) : provider
}
