import type { MaybePromise } from './ports.ts'

/** An endpoint as the gateway needs it: an address `/webhooks/<provider>/<endpoint>` with separate secrets. */
export interface GatewayEndpoint {
  /** 1 to 64 letters, digits, `_` and `-`. Unique over all providers. */
  readonly id: string
  /** The name of the provider. */
  readonly provider: string
  /** The gateway refuses the deliveries of a disabled endpoint. */
  readonly status: 'active' | 'disabled'
  /** The accepted secrets, newest first. */
  readonly secrets: readonly string[]
  /** @default none */
  readonly options?: EndpointOptions | undefined
}

/** Options of one endpoint. */
export interface EndpointOptions {
  /** The kinds of events that the endpoint accepts, such as `push` or `pull_request.*`. @default all kinds */
  readonly only?: readonly string[] | undefined
  /**
   * The maximum difference of a signed time to the clock: 1 to 86,400 seconds. No effect on a provider without a signed time.
   *
   * @default the tolerance of the provider
   */
  readonly toleranceSeconds?: number | undefined
}

/** Finds the endpoints of a gateway. */
export interface EndpointSource {
  /**
   * Returns an endpoint, or undefined for an unknown id. The gateway calls `find` for each delivery, before the signature is
   * verified: answer from a bounded cache.
   *
   * Rejects while the endpoints are unavailable; the gateway then answers 503.
   */
  find(id: string): MaybePromise<GatewayEndpoint | undefined>
  /**
   * Stores the secret of a handshake for an endpoint that waits for a handshake. Resolves to true when the endpoint has this
   * secret, and to false when the endpoint is unknown, does not wait, or has other secrets. Concurrent calls store one secret.
   * With `isReadOnce`, an operator can read the secret once.
   *
   * @default handshakes are answered and their secrets are not stored
   */
  establishSecret?(
    id: string,
    secret: string,
    options?: { readonly isReadOnce?: boolean | undefined },
  ): MaybePromise<boolean>
  /** Returns the endpoints that operators can read but not change, such as those of a file. @default none */
  declared?(): readonly DeclaredEndpoint[]
}

/** An endpoint that operators can read but not change. */
export interface DeclaredEndpoint extends Omit<GatewayEndpoint, 'secrets'> {
  readonly name?: string | undefined
  /** @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** The number of secrets. */
  readonly secrets: number
}
