import { createPipeline, type CommonOptions } from './gateway.ts'
import type { Gateway } from './gateway-contract.ts'
import { publishingRecorder, type WithoutInbox } from './publishing-recorder.ts'
import { createRegistry } from './registry.ts'
import type { SecretKeeper } from '../secrets/secret-keeper.ts'

export interface ServerlessGatewayOptions
  extends CommonOptions, Pick<WithoutInbox, 'publisher' | 'publishTimeoutMs'> {
  /** `staticSecrets()`, or a keeper of what a source leases. */
  readonly secrets: Pick<SecretKeeper, 'secretsOf'>
  /** The id of a delivery. @default a random UUID: nothing here is sorted by it */
  readonly newId?: () => string
}

/**
 * The gateway of a host that keeps nothing, such as a worker: every delivery is published before it is answered.
 *
 * It answers as {@link createGateway} does without an inbox. What belongs to an inbox and to leases is not in it, and so
 * in no bundle.
 *
 * @throws TypeError when two providers share a name
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
    record: publishingRecorder(options),
    newId,
  })
}
