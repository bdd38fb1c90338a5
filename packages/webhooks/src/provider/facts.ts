/** What the documentation of a service says about it. */
export interface ServiceFacts {
  /** The name of the service as its owner writes it. */
  readonly title: string
  /** The page of the service on its webhooks. */
  readonly docs: string
  /** `primary`: read in the service's own documentation or code. `secondary`: read in code that receives its deliveries. */
  readonly confidence: 'primary' | 'secondary'
  /** The steps in the service's console: where the address is entered and where the secret is found. */
  readonly setup: readonly string[]
  /** When the service sends a delivery again. Undefined when its documentation does not say. */
  readonly retries?: string
  /** What a `partial` signature covers. */
  readonly covers?: string
  /** Properties that surprise, each a sentence. */
  readonly traps?: readonly string[]
}
