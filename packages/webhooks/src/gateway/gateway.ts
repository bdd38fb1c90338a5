import { uuidV7 } from '../crypto/uuid-v7.ts'
import type { SecretSource } from '../ports/ports.ts'
import { createSecretKeeper, type SecretKeeper } from '../secrets/secret-keeper.ts'
import type { Gateway } from './gateway-contract.ts'
import { createPipeline, type PipelineOptions } from './pipeline.ts'
import {
  createInboxRecorder,
  createPublishingRecorder,
  type WithInbox,
  type WithoutInbox,
} from './recorder.ts'
import { createRegistry } from './registry.ts'

/** A gateway records deliveries in an inbox, or publishes them before it answers. */
export type RecorderOptions = WithInbox | WithoutInbox

export type GatewayOptions = PipelineOptions &
  RecorderOptions & {
    /** A source of secrets, or a keeper that the application shares. */
    readonly secrets: SecretSource | SecretKeeper
    /** Creates the id of a delivery. @default UUIDv7 */
    readonly newId?: () => string
  }

/**
 * Creates a gateway.
 *
 * The gateway answers a delivery with 200 and `{ data: { status, events: [{ id, name, duplicate }] } }`, or with an error
 * envelope: `RATE_LIMITED` 429, `UNKNOWN_PROVIDER` 404, `METHOD_NOT_ALLOWED` 405, `UNSUPPORTED_MEDIA_TYPE` 415 for an
 * unsigned Content-Encoding, `PAYLOAD_TOO_LARGE` 413, `REQUEST_TIMEOUT` 408, `OVERLOADED` 503, `PROVIDER_UNAVAILABLE` 503,
 * `INVALID_SIGNATURE` 401, `INVALID_JSON` 400, `INBOX_UNAVAILABLE` 503.
 *
 * @throws TypeError when two providers have the same name, a queue pilot is not registered, or a number is out of range
 *
 * @example
 * ```ts
 * import { createGateway, createDispatcher, memoryBus, memoryInbox, staticSecrets } from '@sallyport/webhooks'
 * import type { AnyProvider } from '@sallyport/webhooks'
 *
 * declare const codehost: AnyProvider
 * const inbox = memoryInbox()
 * const dispatcher = createDispatcher({ inbox, publisher: memoryBus() })
 * const gateway = createGateway({
 *   providers: [codehost],
 *   secrets: staticSecrets({ codehost: ['the secret of the webhook'] }),
 *   inbox,
 *   dispatcher,
 * })
 * dispatcher.start()
 * ```
 */
export function createGateway(options: GatewayOptions): Gateway {
  const registry = createRegistry(options.providers)
  const { secrets, now = Date.now, newId = uuidV7(now) } = options
  return createPipeline(options, {
    registry,
    secrets: 'getSecrets' in secrets ? secrets : createSecretKeeper(secrets, { now }),
    record: options.inbox ? createInboxRecorder(options, registry) : createPublishingRecorder(options),
    newId,
  })
}

export interface ServerlessGatewayOptions
  extends PipelineOptions, Pick<WithoutInbox, 'publisher' | 'publishTimeoutMs'> {
  /** `staticSecrets()`, or a secret keeper. */
  readonly secrets: Pick<SecretKeeper, 'getSecrets'>
  /** Creates the id of a delivery. @default a random UUID */
  readonly newId?: () => string
}

/**
 * Creates a gateway for a host without storage, such as a worker. The gateway publishes each delivery before it answers.
 *
 * The answers are those of {@link createGateway} without an inbox. A bundle contains neither the inbox nor secret leases.
 *
 * @throws TypeError when two providers have the same name
 *
 * @example
 * ```ts
 * import { createServerlessGateway, staticSecrets } from '@sallyport/webhooks'
 * import type { AnyProvider, Publisher } from '@sallyport/webhooks'
 *
 * declare const codehost: AnyProvider
 * declare const publisher: Publisher
 * const gateway = createServerlessGateway({
 *   providers: [codehost],
 *   secrets: staticSecrets({ codehost: ['the secret of the webhook'] }),
 *   publisher,
 * })
 * ```
 */
export function createServerlessGateway(options: ServerlessGatewayOptions): Gateway {
  const { secrets, newId = () => crypto.randomUUID() } = options
  return createPipeline(options, {
    registry: createRegistry(options.providers),
    secrets,
    record: createPublishingRecorder(options),
    newId,
  })
}
