import type { StandardSchemaV1 } from '@standard-schema/spec'
import { checkPositive } from '@sallyport/internal/options'
import type { LargeIntegers } from '../parsers/large-integers.ts'
import type { DeliveryHeaders, VerifiedDelivery } from '../ports/delivery.ts'
import type { WebhookEvent, Message } from '../ports/event.ts'
import type { MaybePromise, SignatureScheme, Trust } from '../ports/ports.ts'
import type { JsonEvents } from './json.ts'
import { createKindFilter, isKind } from '@sallyport/internal/kind'

/**
 * The kinds of event that a provider produces, each with the schema of its data: what JSON gives back as it was, such as
 * texts for dates and arrays for sets.
 */
export type EventSchemas = Readonly<Record<string, StandardSchemaV1>>

/** The identity, entity and time of an event in a delivery. */
export interface EventFacts {
  /**
   * The signed parts that identify this event among all events of its kind, and that a redelivery repeats. Do not use the
   * entity's id alone, a time of receipt or an id of the attempt. A key with only empty parts quarantines the delivery, as
   * all events would have the same key. A number beyond `Number.MAX_SAFE_INTEGER` may be rounded and quarantines the
   * delivery. When a service signs an id in a header and sends equal bodies, use the id.
   *
   * @default the hash of the signed body, or of the signed content for a scheme with `identity`
   */
  readonly key?: readonly (string | number)[]
  /**
   * The text whose hash identifies an event without a key, for a service whose bodies differ between attempts.
   *
   * @default the signed body
   */
  readonly content?: string
  /**
   * Whether each delivery is a new event, for a service that sends equal bodies for different events.
   *
   * @default false
   */
  readonly distinct?: boolean
  /**
   * The value that all attempts of the delivery repeat: a part of the id of an event without a key, beside the content.
   *
   * @default none
   */
  readonly deliveryId?: string
  /** The entity of the event. */
  readonly subject: string
  /** The time of the event in milliseconds since the epoch, up to the year 9999. @default the time of receipt */
  readonly occurredAt?: number
}

/** One event that a normalizer found in a delivery. */
export type NormalizedEvent<Events extends EventSchemas = EventSchemas> = {
  [Kind in keyof Events & string]: EventFacts & {
    readonly kind: Kind
    readonly data: StandardSchemaV1.InferInput<Events[Kind]>
  }
}[keyof Events & string]

/** An event with the payload of the service as its data, of a kind without a schema. */
export interface PassedEvent extends EventFacts {
  readonly kind: string
  readonly data: unknown
  readonly unchanged: true
  /** The place among the events with the same content. @default the place in the delivery */
  readonly place?: number
  /** Whether the kind is not a part of the id, because an unsigned header names it and no list has it. @default false */
  readonly unlisted?: boolean
}

/** An event of one of a provider's kinds, its data as the schema gives it. */
export type ProviderEvent<Events extends EventSchemas, Name extends string = string> = {
  [Kind in keyof Events & string]: WebhookEvent<StandardSchemaV1.InferOutput<Events[Kind]>> & {
    readonly name: `${Name}/${Kind}`
  }
}[keyof Events & string]

/** The methods by which services verify an endpoint. */
type ChallengeMethod = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT'

/** A challenge by which a service verifies an endpoint. */
export interface HandshakeRequest {
  readonly method: ChallengeMethod
  readonly query: URLSearchParams
  readonly headers: DeliveryHeaders
  readonly body: Uint8Array
  /** Verifies the signature of this request with the given secrets. @default the secrets of the provider */
  readonly verify: (secrets?: readonly string[]) => Promise<boolean>
  readonly secrets: readonly string[]
}

export interface HandshakeAnswer {
  /** @default 200 */
  readonly status?: 200 | 202 | 204 | 401 | 404
  readonly contentType: 'text/plain' | 'application/json'
  /** Other headers, with lower-case names. @default none */
  readonly headers?: Readonly<Record<string, string>>
  /** At most 1 KB. */
  readonly body: string
  /** Marks a body with a signature. The failure limiter counts such an answer as a failure. @default false */
  readonly signed?: boolean
  /**
   * The secret that the challenge establishes. An endpoint that waits for a handshake stores it before the gateway answers. An
   * endpoint that does not wait, or has other secrets, refuses the challenge with 401. The address without an endpoint stores
   * nothing.
   *
   * @default none
   */
  readonly establishes?: string
  /** Whether an operator enters the established secret at the service, so that it can be read once. @default false */
  readonly isReadOnce?: boolean
}

export interface Handshake {
  /** Whether the service sends the secret in the challenge, so that no secret exists before. @default false */
  readonly establishesSecret?: boolean
  /** The methods of challenges. */
  readonly methods: readonly ChallengeMethod[]
  /**
   * Answers a challenge. Returns undefined when the request is a delivery. A signed answer must only sign text that cannot
   * be a delivery.
   */
  answer(request: HandshakeRequest): MaybePromise<HandshakeAnswer | undefined>
}

/** The response that a service requires to a delivery. */
export interface Answer {
  readonly status: 200 | 201 | 202 | 204
  /** @default 'text/plain' with a body */
  readonly contentType?: string
  /** @default '' */
  readonly body?: string
}

/** A service that sends webhooks: how it signs them and what its deliveries mean. */
export interface Provider<
  Events extends EventSchemas = EventSchemas,
  Name extends string = string,
  Payloads extends object = object,
> {
  /** The path segment, and the first part of every event's name: lower case, digits and dashes. */
  readonly name: Name
  readonly signature: SignatureScheme
  /**
   * Whether the service creates the secret, such as a signing key that its console shows. No secret is generated for its
   * endpoints: an endpoint waits until the secret of the service is added.
   *
   * @default false
   */
  readonly createsSecret?: boolean
  readonly events: Events
  /**
   * Returns the events of a delivery, or an empty list for an ignored kind. An error quarantines the delivery. The function
   * is synchronous.
   */
  normalize(
    delivery: VerifiedDelivery,
  ):
    | NormalizedEvent<Events>
    | readonly NormalizedEvent<Events>[]
    | readonly (NormalizedEvent<Events> | PassedEvent)[]
  /** The types of the payloads of passed events by kind. Only the type has a meaning. */
  readonly payloads?: Payloads | undefined
  /**
   * Whether the service sends a delivery again that was answered with 503. `false` is for a service that never does: such a
   * delivery is lost, unless someone sends it again by hand.
   *
   * @default unknown
   */
  readonly resends?: boolean
  /**
   * Whether a signed `{ type, payload }` with a declared kind is a manual test, whose data are not validated. Otherwise it is a
   * delivery like any other. A service has no manual tests.
   *
   * @default true
   */
  readonly manualTests?: boolean
  /** How much of a delivery the signature covers. @default derived from `covers` of the signature scheme */
  readonly trust?: Trust
  /**
   * The kinds to record, such as `push`, or `pull_request.*` for `pull_request` and all kinds below it. A delivery without
   * such an event is answered as `ignored`.
   *
   * @default all kinds
   */
  readonly only?: readonly string[]
  /**
   * The paths of values that find a delivery exactly, such as an order number: `data.object.customer` in the body, where `*`
   * stands for each element of a list, or `header:x-order-id`. The ids of events and of deliveries are found without a path.
   *
   * @default []
   */
  readonly searchPaths?: readonly string[]
  /**
   * The response to a verified delivery. The header `sallyport-status` has the result.
   *
   * @default 200 with the result as JSON
   */
  readonly answer?: Answer
  /**
   * Parses the signed bytes. The function is synchronous, and passes `largeIntegers` to `parseJson`.
   *
   * @default strict UTF-8 JSON
   */
  readonly parse?: ((body: Uint8Array, largeIntegers?: LargeIntegers) => unknown) | undefined
  /**
   * How integers outside of the safe range appear in the payload and in the data of a service. The keys and subjects of a
   * service have the exact digits in both cases.
   *
   * @default 'text'
   */
  readonly largeIntegers?: LargeIntegers
  /**
   * Reads the service's name of the kind, such as `star.created`, for the log and the metric of an ignored delivery. A name
   * other than 1 to 64 letters, digits and `_ . : -` is omitted.
   */
  readonly readKind?: ((delivery: VerifiedDelivery) => string | undefined) | undefined
  readonly handshake?: Handshake
  /**
   * The methods of deliveries. The query of a delivery by GET takes the place of its body, as a form: the scheme verifies it,
   * `parse` reads it, and the gateway stores it. The scheme must sign the query.
   *
   * @default ['POST']
   */
  readonly methods?: readonly ('GET' | 'POST')[]
  /** Creates the notification of an event; undefined for an event without a notification. */
  notify?(event: ProviderEvent<NoInfer<Events>>): Message | undefined
  /** The largest body in bytes that the service sends. @default the gateway's own limit */
  readonly bodyLimit?: number
  /** The values of `Content-Encoding` for which the service signs the encoded body. @default [] */
  readonly contentEncodings?: readonly string[]
  /** The kinds that may use the shared queue. @default [] */
  readonly queueable?: readonly (keyof NoInfer<Events> & string)[]
}

/** Any provider. */
export type AnyProvider = Omit<Provider, 'normalize' | 'notify' | 'queueable'> & {
  normalize(delivery: VerifiedDelivery): NormalizedEvent | readonly ProducedEvent[]
  notify?(event: never): Message | undefined
  readonly queueable?: readonly string[]
}

/** An event of any provider. */
export type ProducedEvent = NormalizedEvent | PassedEvent

/**
 * Returns how much of a delivery the signature of a provider covers. A gateway accepts a provider that is not `signed` only if
 * `allowUnsigned` names it.
 */
export function getTrust({ trust, signature }: Pick<AnyProvider, 'trust' | 'signature'>): Trust {
  const { covers = 'body' } = signature
  return trust ?? (covers === 'body' ? 'signed' : covers.length > 0 ? 'partial' : 'origin')
}

/** Rejects a promise at compile time. */
type Synchronous<Payload> = Payload extends PromiseLike<unknown> ? never : unknown

/** The untyped payloads of an extended service would hide the types of the declared kinds. */
type OwnPayloads<Payloads, Events> = string extends keyof Payloads
  ? [keyof Events] extends [never]
    ? Payloads
    : object
  : Payloads

const namePattern = /^[a-z][a-z0-9-]{0,62}$/

/**
 * Declares a provider, so that `normalize` can return only declared kinds with data that fits their schemas.
 *
 * A schema with data that JSON changes (a `Date`, `Set`, `Map`, bigint or function) does not compile: an inbox stores JSON,
 * and a retry would get different data than the first attempt.
 *
 * The result is a frozen copy. An instance of a class is returned unchanged.
 *
 * A provider extends another one with `{ ...github, events, normalize }`. The kinds are then those of `events`; name other
 * kinds that `normalize` passes through with `WithPayloads`. An extended provider with `notify` or `queueable` needs its own,
 * because they name kinds.
 *
 * @throws TypeError for a malformed name or kind, a queueable kind that is not declared,
 *   a malformed pattern in `only`, and a `bodyLimit` that is not positive
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
  Payloads extends object = object,
>(
  provider: Provider<Events, Name, Payloads> & {
    readonly events: JsonEvents<Events>
    readonly parse?:
      ((body: Uint8Array, largeIntegers?: LargeIntegers) => Payload & Synchronous<Payload>) | undefined
  },
): Provider<NoInfer<Events>, Name, OwnPayloads<Payloads, Events>> {
  if (!namePattern.test(provider.name)) {
    throw new TypeError(`A provider's name is of a-z, 0-9 and dashes, not "${provider.name}"`)
  }
  for (const kind of Object.keys(provider.events)) {
    if (!isKind(kind)) {
      throw new TypeError(`A kind of ${provider.name} reads like "push" or "entity.happened", not "${kind}"`)
    }
  }
  if (provider.only) createKindFilter(provider.only)
  // A service has no list of kinds.
  const queueable = 'service' in provider ? [] : (provider.queueable ?? [])
  for (const kind of queueable) {
    if (!Object.hasOwn(provider.events, kind)) {
      throw new TypeError(`The queueable kind "${kind}" is not among the events`)
    }
  }
  const { bodyLimit = 1 } = provider
  checkPositive('bodyLimit', bodyLimit)
  // A copy would lose inherited members.
  return Object.getPrototypeOf(provider) === Object.prototype ? Object.freeze({ ...provider }) : provider
}
