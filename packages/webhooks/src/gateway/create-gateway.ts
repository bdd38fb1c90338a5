import { uuidV7 } from '../crypto/uuid-v7.ts'
import { createPipeline, type CommonOptions } from './gateway.ts'
import type { Gateway } from './gateway-contract.ts'
import { inboxRecorder, type WithInbox } from './inbox-recorder.ts'
import type { SecretSource } from '../ports/ports.ts'
import { publishingRecorder, type WithoutInbox } from './publishing-recorder.ts'
import { createRegistry } from './registry.ts'
import type { SecretKeeper } from '../secrets/secret-keeper.ts'
import { secretLeases } from '../secrets/secret-leases.ts'

/** Where a verified delivery goes before it is answered. */
export type RecorderOptions = WithInbox | WithoutInbox

export type GatewayOptions = CommonOptions &
  RecorderOptions & {
    /** A source, or a keeper of what a source leases that others watch too. */
    readonly secrets: SecretSource | SecretKeeper
    /** The id of a delivery. @default UUIDv7 */
    readonly newId?: () => string
  }

/**
 * The way of a delivery: limit, find the provider, read, handshake, verify, parse and normalize, record, dispatch.
 *
 * Answers 200 `{ data: { status, events: [{ id, name, duplicate }] } }`, or the error envelope: `RATE_LIMITED` 429,
 * `UNKNOWN_PROVIDER` 404, `METHOD_NOT_ALLOWED` 405, `UNSUPPORTED_MEDIA_TYPE` 415 for an unsigned Content-Encoding,
 * `PAYLOAD_TOO_LARGE` 413, `REQUEST_TIMEOUT` 408, `OVERLOADED` 503, `PROVIDER_UNAVAILABLE` 503, `INVALID_SIGNATURE` 401,
 * `INVALID_JSON` 400, `INBOX_UNAVAILABLE` 503.
 *
 * @throws TypeError when two providers share a name, a queue pilot is not among them, or a number is none that an option may
 *   be
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
  const keeper = 'secretsOf' in secrets ? secrets : secretLeases(secrets, { now })
  const record = options.inbox ? inboxRecorder(options, registry) : publishingRecorder(options)
  return createPipeline(options, {
    registry,
    secrets: keeper,
    record,
    newId,
  })
}
