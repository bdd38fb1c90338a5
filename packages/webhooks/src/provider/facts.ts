/** The facts of a service from its documentation. */
export interface ServiceFacts {
  /** The name of the service as its owner writes it. */
  readonly title: string
  /** The page of the service on its webhooks. */
  readonly docs: string
  /** `primary`: read in the service's own documentation or code. `secondary`: read in code that receives its deliveries. */
  readonly confidence: 'primary' | 'secondary'
  /** The month in which the declaration was last compared with its sources, such as `2026-11`. */
  readonly checked: `${number}-${number}`
  /** The pages and files that the declaration follows, the most important one first. */
  readonly sources: readonly string[]
  /** The page that documents the id of an event as unique. Required for a service with an `id`. */
  readonly identity?: string
  /** The steps in the service's console: where the address is entered and where the secret is found. */
  readonly setup: readonly string[]
  /** When the service sends a delivery again; `unknown` when its sources do not say. */
  readonly retries: string
  /** What a `partial` signature covers. */
  readonly covers?: string
  /** Properties that surprise, each a sentence. */
  readonly traps?: readonly string[]
}
