import { uuidV7 } from '@sallyport/internal/uuid-v7'
import type { EndpointSource, SecretSource } from '../ports/ports.ts'
import { createSecretKeeper, type SecretKeeper } from '../secrets/secret-keeper.ts'
import type { Gateway, RecordingGateway } from './gateway-contract.ts'
import { createInboxRecorder, type WithInbox } from './inbox-recorder.ts'
import type { PipelineOptions, PipelineParts } from './pipeline-options.ts'
import { createPipeline } from './pipeline.ts'
import { createPublishingRecorder, type WithoutInbox } from './publishing-recorder.ts'
import { createTrustedRegistry } from '../provider/registry.ts'
import { createReprocessor } from './reprocess.ts'

/**
 * Options of a gateway that records deliveries in an inbox, or publishes them before it answers, with secrets per provider, per
 * endpoint, or both.
 */
export type GatewayOptions = Omit<PipelineOptions, 'endpoints'> &
  (
    | {
        /** The secrets of the addresses without an endpoint: a source, or a keeper that the application shares. */
        readonly secrets: SecretSource | SecretKeeper
        readonly endpoints?: EndpointSource | undefined
      }
    | {
        readonly secrets?: undefined
        readonly endpoints: EndpointSource
      }
  ) &
  (WithInbox | WithoutInbox) & {
    /** Creates the id of a delivery. @default UUIDv7 */
    readonly newId?: () => string
  }

/**
 * Creates a gateway.
 *
 * The gateway answers a delivery with 200 and `{ data: { status, events: [{ id, name, duplicate }] } }`, or with an error
 * envelope: `RATE_LIMITED` 429, `UNKNOWN_PROVIDER` 404, `UNKNOWN_ENDPOINT` 404, `GONE` 410 for a disabled endpoint,
 * `METHOD_NOT_ALLOWED` 405, `UNSUPPORTED_MEDIA_TYPE` 415 for an unsigned Content-Encoding, `PAYLOAD_TOO_LARGE` 413,
 * `REQUEST_TIMEOUT` 408, `OVERLOADED` 503, `PROVIDER_UNAVAILABLE` 503, `INVALID_SIGNATURE` 401,
 * `INBOX_UNAVAILABLE` 503, `BODY_UNAVAILABLE` 503.
 *
 * @throws TypeError when two providers have the same name, a provider that `allowUnsigned` does not name signs less than
 *   the body, a queue pilot is not registered, or a number is out of range
 *
 * @example
 * ```ts
 * import { createGateway, createDispatcher, createMemoryBus, createMemoryInbox, staticSecrets } from '@sallyport/webhooks'
 * import type { AnyProvider } from '@sallyport/webhooks'
 *
 * declare const codehost: AnyProvider
 * const inbox = createMemoryInbox()
 * const dispatcher = createDispatcher({ inbox, publisher: createMemoryBus() })
 * const gateway = createGateway({
 *   providers: [codehost],
 *   secrets: staticSecrets({ codehost: ['the secret of the webhook'] }),
 *   inbox,
 *   dispatcher,
 * })
 * dispatcher.start()
 * ```
 */
export function createGateway(options: GatewayOptions): RecordingGateway {
  const registry = createTrustedRegistry(options)
  const { secrets, now = Date.now, newId = uuidV7(now) } = options
  const parts: PipelineParts = {
    registry,
    secrets: secrets && ('getSecrets' in secrets ? secrets : createSecretKeeper(secrets, { now })),
    record: options.inbox ? createInboxRecorder(options, registry) : createPublishingRecorder(options),
    newId,
  }
  return { ...createPipeline(options, parts), reprocess: createReprocessor(options, parts) }
}

export interface ServerlessGatewayOptions
  extends PipelineOptions, Pick<WithoutInbox, 'publisher' | 'publishTimeoutMs'> {
  /** `staticSecrets()`, or a secret keeper. */
  readonly secrets: Pick<SecretKeeper, 'getSecrets'>
  /** Creates the id of a delivery. @default a random UUID */
  readonly newId?: () => string
  /**
   * Called once with a warning that names the providers whose service never sends a delivery again after 503. Pass an empty
   * function if the publisher is a durable queue.
   *
   * @default console.warn
   */
  readonly warn?: (message: string) => unknown
}

const queueFirst = 'https://github.com/sallyport/sallyport/blob/main/docs/runtimes.md#put-a-queue-first'

/**
 * Creates a gateway for a host without storage, such as a worker. The gateway publishes each delivery before it answers.
 *
 * The answers are those of {@link createGateway} without an inbox. A bundle contains neither the inbox nor secret leases.
 *
 * The answer is 503 if the publisher fails. Some services, such as GitHub, never send such a delivery again, so the publisher
 * must be a durable queue. The gateway warns once about these services.
 *
 * @throws TypeError when two providers have the same name, and for a provider that signs less than the body and that
 *   `allowUnsigned` does not name
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
  // eslint-disable-next-line no-console -- the default of an option
  const { secrets, newId = () => crypto.randomUUID(), warn = console.warn } = options
  const registry = createTrustedRegistry(options)
  const losing = registry.names.filter((name) => registry.get(name)?.resends === false)
  if (losing.length > 0)
    warn(
      `${losing.join(', ')}: the service never resends a delivery that is answered with 503. Publish to a durable queue: ${queueFirst}`,
    )
  return createPipeline(options, {
    registry,
    secrets,
    record: createPublishingRecorder(options),
    newId,
  })
}
