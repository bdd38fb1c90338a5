import type { EndpointOptions, EndpointSource } from '../ports/ports.ts'
import type { EndpointFilter, EndpointQuery, EndpointRecord, EndpointStatus, SecretRecord } from './store.ts'

/** An endpoint without the values of its secrets. */
export interface Endpoint extends Omit<EndpointRecord, 'secrets'> {
  /** Newest first. */
  readonly secrets: readonly Omit<SecretRecord, 'value'>[]
}

interface NewEndpoint {
  /** @default a random id; see `createEndpointId` */
  readonly id?: string | undefined
  readonly provider: string
  /** A name for people. */
  readonly name: string
  /** Without a secret, the endpoint accepts no delivery until `addSecret`, or until the handshake that it waits for. */
  readonly secret?: string | undefined
  /**
   * Whether an endpoint without a secret waits for a handshake, like after `startHandshake`.
   *
   * @default whether the service sends its secret in a handshake; false without `providers`
   */
  readonly awaitsHandshake?: boolean | undefined
  /** @default 'active' */
  readonly status?: EndpointStatus | undefined
  /** @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** @default none */
  readonly options?: EndpointOptions | undefined
}

type EndpointChange = Partial<Pick<EndpointRecord, 'name' | 'status' | 'labels' | 'options'>>

export interface ChangeOptions {
  /** Changes the endpoint only if it has this version. */
  readonly version?: number | undefined
}

/** Saves something in the transaction of the change; see {@link SaveInTransaction}. */
export interface SaveOptions<Saved> {
  readonly save?: ((saved: Saved, transaction: unknown) => Promise<void>) | undefined
}

/** An endpoint with a new secret. */
export interface AddedSecret {
  readonly endpoint: Endpoint
  readonly secretId: string
}

/** A secret that a handshake established. */
export interface EstablishedSecret {
  /** The id of the endpoint. */
  readonly id: string
  readonly provider: string
  readonly secretId: string
}

/** A secret that an operator reads once. */
export interface TakenSecret {
  readonly secretId: string
  /** The decrypted secret. */
  readonly secret: string
}

/** Creates, changes and finds endpoints. */
export interface Endpoints extends EndpointSource {
  /**
   * Creates an endpoint. No secret is generated.
   *
   * @throws SallyportError `CONFLICT` (409) when the id is in use, `VALIDATION_ERROR` (400) for a provider that is not registered
   *   and for a secret that it cannot use; TypeError for a malformed id and for invalid options
   */
  create(endpoint: NewEndpoint, options?: SaveOptions<Endpoint>): Promise<Endpoint>
  get(id: string): Promise<Endpoint | undefined>
  /** Returns the endpoints with these ids, in any order, without unknown ones. */
  getMany(ids: readonly string[]): Promise<readonly Endpoint[]>
  list(query: EndpointQuery): Promise<readonly Endpoint[]>
  count(filter?: EndpointFilter): Promise<number>
  /**
   * Changes an endpoint. Resolves to undefined for an unknown endpoint.
   *
   * @throws SallyportError `PRECONDITION_FAILED` (412) when the endpoint has another version
   */
  update(id: string, change: EndpointChange, options?: ChangeOptions): Promise<Endpoint | undefined>
  /**
   * Deletes an endpoint with its secrets; its deliveries and events stay. Resolves to false for an unknown endpoint.
   *
   * @throws SallyportError `PRECONDITION_FAILED` (412) when the endpoint has another version
   */
  delete(id: string, options?: ChangeOptions): Promise<boolean>
  /**
   * Adds a secret in front of the others, which stay valid. Resolves to undefined for an unknown endpoint.
   *
   * @throws SallyportError `CONFLICT` (409) when the endpoint has 10 secrets, `VALIDATION_ERROR` (400) for a secret that the
   *   provider cannot use
   */
  addSecret(id: string, secret: string, options?: SaveOptions<AddedSecret>): Promise<AddedSecret | undefined>
  /** Removes a secret. Resolves to false for an unknown endpoint or secret. */
  removeSecret(id: string, secretId: string): Promise<boolean>
  /**
   * Lets an endpoint without a secret wait for a handshake that establishes its secret, until `handshakeMs` later. Anyone who
   * knows the address can send the handshake. Resolves to undefined for an unknown endpoint. With `withSecrets`, an endpoint with
   * secrets answers handshakes too, and stores none of their secrets.
   *
   * @throws SallyportError `CONFLICT` (409) when the endpoint has a secret
   */
  startHandshake(
    id: string,
    options?: { readonly withSecrets?: boolean | undefined },
  ): Promise<Endpoint | undefined>
  /**
   * Adds the secret that a handshake establishes, and ends the wait. Resolves to true when the endpoint has this secret, and to
   * false for an unknown endpoint, an endpoint that does not wait, and an endpoint with other secrets. An endpoint that waits with
   * secrets stores no other one, and resolves to true. With `isReadOnce`, `takeSecret` returns the secret.
   */
  establishSecret(
    id: string,
    secret: string,
    options?: { readonly isReadOnce?: boolean | undefined },
  ): Promise<boolean>
  /**
   * Returns the secret that a handshake established with `isReadOnce`, to one of several concurrent calls. Resolves to undefined
   * for an unknown endpoint, an endpoint without such a secret, and a secret that was read.
   */
  takeSecret(id: string, options?: SaveOptions<TakenSecret>): Promise<TakenSecret | undefined>
  /**
   * Encrypts all secrets with the newest key, and returns the number of changed endpoints.
   *
   * @throws Error that names endpoints with an unreadable secret, after the secrets of all others are encrypted
   */
  reencrypt(): Promise<number>
}
