import type { InternalEvent } from '../ports/event.ts'
import type { MaybePromise } from '../ports/ports.ts'

/** A request, apart from where it goes. */
export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How a bus over HTTP wants its events, and what its answers mean. */
export interface HttpFormat {
  /** One event as it travels. What this throws is final: the event has no such form. */
  encode(event: InternalEvent): HttpMessage
  /** Several of them as one request. Without it, each event is a request. */
  join?(messages: readonly HttpMessage[]): HttpMessage
  /** The headers that only the whole request has, such as a signature. */
  sign?(
    message: HttpMessage,
    events: readonly InternalEvent[],
  ): MaybePromise<Readonly<Record<string, string>>>
  /**
   * What an answer of 200 to 299, or of 400, says in its body, at most 1 MiB of it. Without it, nothing is read: a status
   * of success takes all events of a request, and any other none.
   */
  read?(body: string): HttpReading
}

/** What the body of an answer says. */
export interface HttpReading {
  /** The status that the body has, where it knows better than the response. */
  readonly status?: number
  /** Whether each event was taken, in the order of the request; those past its end were not. */
  readonly taken: readonly boolean[]
}
